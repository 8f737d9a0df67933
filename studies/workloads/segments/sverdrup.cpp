// Lists of cells by Sverdrup: sv_iput_varn, sv_iget_varn, sv_wait.
#include "methods/sverdrup_context.hpp"
#include "segments/segment_calls.hpp"

namespace sv_bench {

namespace {

class SverdrupSegments final : public SegmentCalls {
 public:
  SverdrupSegments(MPI_Comm comm, SegmentPlaces &segments, int variables, const std::vector<std::string> &settings)
      : segments_(segments),
        starts_(segments.starts<const int64_t>()),
        counts_(segments.counts<const int64_t>()),
        variables_(variables),
        context_(comm, settings, nullptr) {}

  void open(const std::string &path, bool reads) override {
    if (reads) return check_sverdrup(sv_open(context_.io(), path.c_str(), 0, &file_), "sv_open");
    check_sverdrup(sv_create(context_.io(), path.c_str(), 0, &file_), "sv_create");
    int dims[2], id = 0;
    check_sverdrup(sv_def_dim(file_, "level", segments_.levels, &dims[0]), "sv_def_dim");
    check_sverdrup(sv_def_dim(file_, "cell", segments_.cells, &dims[1]), "sv_def_dim");
    for (int v = 0; v < variables_; ++v)
      check_sverdrup(sv_def_var(file_, ("v" + std::to_string(v)).c_str(), SV_DOUBLE, 2, dims, &id), "sv_def_var");
    check_sverdrup(sv_enddef(file_), "sv_enddef");
  }
  void post(int variable, bool reads, double *values) override {
    const auto n = static_cast<int>(segments_.count());
    check_sverdrup(
        reads ? sv_iget_varn(file_, variable, n, starts_.data(), counts_.data(), {SV_DOUBLE, values, nullptr}, nullptr)
              : sv_iput_varn(file_, variable, n, starts_.data(), counts_.data(), {SV_DOUBLE, values, nullptr}, nullptr),
        reads ? "sv_iget_varn" : "sv_iput_varn");
  }
  void wait() override { check_sverdrup(sv_wait(file_, SV_ALL, nullptr, nullptr), "sv_wait"); }
  void close() override { check_sverdrup(sv_close(file_), "sv_close"); }
  void finish() override { context_.finish(); }

 private:
  SegmentPlaces &segments_;
  std::vector<const int64_t *> starts_, counts_;
  const int variables_;
  SverdrupContext context_;
  sv_file *file_ = nullptr;
};

}  // namespace

std::unique_ptr<SegmentCalls> sverdrup_segments(MPI_Comm comm, SegmentPlaces &segments, int variables,
                                                const std::vector<std::string> &settings) {
  return std::make_unique<SverdrupSegments>(comm, segments, variables, settings);
}

}  // namespace sv_bench
