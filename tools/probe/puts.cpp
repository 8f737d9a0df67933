// Measures the cost of a collective call without its bytes: almost empty puts through the public interface.
#include <sverdrup/sverdrup.h>

#include <array>
#include <string>

#include "probe.hpp"
#include "support/copying.hpp"

namespace sv_probe {

namespace {

constexpr size_t fields = 16;
constexpr int64_t rank_cells = 16;  // of a rank and a field

/// A file with a row of each rank in each field, which one of them writes. All members are collective over `comm`.
class SmallFields {
 public:
  /// The settings that decide who writes win over those of the environment.
  SmallFields(MPI_Comm comm, const std::string &path) {
    const std::array<const char *, 5> options{"route=serial", "async=none", "combine=off", "store=cdf",
                                              "summary.table?=false"};
    sv_tools::must(sv_init(comm, nullptr, static_cast<int>(options.size()), options.data(), &io_));
    int ranks = 1, rank = 0;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    const std::array<int64_t, 2> shape{ranks, rank_cells}, start{rank, 0}, count{1, rank_cells};
    sv_tools::must(sv_def_decomp(io_, 2, shape.data(), start.data(), count.data(), nullptr, &decomp_));
    sv_tools::must(sv_create(io_, path.c_str(), SV_CLOBBER, &file_));
    std::array<int, 3> dims{};
    sv_tools::must(sv_def_dim(file_, "time", SV_UNLIMITED, dims.data()));
    sv_tools::must(sv_def_dim(file_, "y", ranks, &dims[1]));
    sv_tools::must(sv_def_dim(file_, "x", rank_cells, &dims[2]));
    for (size_t field = 0; field < fields; ++field)
      sv_tools::must(
          sv_def_var(file_, ("field" + std::to_string(field)).c_str(), SV_FLOAT, 3, dims.data(), &vars_[field]));
    sv_tools::must(sv_enddef(file_));
  }
  ~SmallFields() { sv_finalize(io_); }
  SmallFields(const SmallFields &) = delete;
  SmallFields &operator=(const SmallFields &) = delete;

  void put(int64_t record) {
    for (const int var : vars_) sv_tools::must(sv_put(file_, var, decomp_, record, SV_FLOAT, values_.data(), nullptr));
  }
  void close() { sv_tools::must(sv_close(file_)); }

 private:
  sv_context *io_ = nullptr;
  sv_decomp *decomp_ = nullptr;
  sv_file *file_ = nullptr;
  std::array<int, fields> vars_{};
  std::array<float, rank_cells> values_{};
};

}  // namespace

void measure_puts(Bench &bench, Measured &measured) {
  for (const int ranks : bench.team.counts()) {
    const Part part{ranks};
    const MPI_Comm comm = bench.team.of(part);
    std::unique_ptr<SmallFields> small;
    bench.team.time(part, [&](int /*place*/) { small = std::make_unique<SmallFields>(comm, bench.scratch.path()); });
    // A context's first puts make the window of a node and learn what a call costs; a run pays this once, not in each
    // put.
    bench.team.time(part, [&](int /*place*/) { small->put(0); });
    const Seconds seconds = bench.team.time(part, [&](int /*place*/) { small->put(1); });
    measured.put[ranks].push_back(seconds.longest / fields);
    bench.team.time(part, [&](int /*place*/) { small->close(); });
    small.reset();
  }
}

}  // namespace sv_probe
