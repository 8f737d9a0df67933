// Lists of cells by PnetCDF: iput_varn, iget_varn, wait_all.
#include "methods/pnetcdf_file.hpp"
#include "segments/segment_calls.hpp"

namespace sv_bench {

namespace {

class PnetcdfSegments final : public SegmentCalls {
 public:
  PnetcdfSegments(MPI_Comm comm, SegmentPlaces &segments, int variables)
      : comm_(comm),
        segments_(segments),
        starts_(segments.starts<MPI_Offset>()),
        counts_(segments.counts<MPI_Offset>()) {
    ids_.resize(static_cast<size_t>(variables));
  }

  void open(const std::string &path, bool reads) override {
    if (reads) return check_pnetcdf(ncmpi_open(comm_, path.c_str(), NC_NOWRITE, MPI_INFO_NULL, &file_), "open");
    check_pnetcdf(ncmpi_create(comm_, path.c_str(), NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file_), "create");
    int dims[2];
    check_pnetcdf(ncmpi_def_dim(file_, "level", segments_.levels, &dims[0]), "def_dim");
    check_pnetcdf(ncmpi_def_dim(file_, "cell", segments_.cells, &dims[1]), "def_dim");
    for (size_t v = 0; v < ids_.size(); ++v)
      check_pnetcdf(ncmpi_def_var(file_, ("v" + std::to_string(v)).c_str(), NC_DOUBLE, 2, dims, &ids_[v]), "def_var");
    check_pnetcdf(ncmpi_enddef(file_), "enddef");
  }
  void post(int variable, bool reads, double *values) override {
    const auto n = static_cast<int>(segments_.count());
    check_pnetcdf(reads ? ncmpi_iget_varn_double(file_, variable, n, starts_.data(), counts_.data(), values, nullptr)
                        : ncmpi_iput_varn_double(file_, variable, n, starts_.data(), counts_.data(), values, nullptr),
                  reads ? "iget_varn" : "iput_varn");
  }
  void wait() override { check_pnetcdf(ncmpi_wait_all(file_, NC_REQ_ALL, nullptr, nullptr), "wait_all"); }
  void close() override { check_pnetcdf(ncmpi_close(file_), "close"); }

 private:
  const MPI_Comm comm_;
  SegmentPlaces &segments_;
  std::vector<MPI_Offset *> starts_, counts_;
  std::vector<int> ids_;
  int file_ = -1;
};

}  // namespace

std::unique_ptr<SegmentCalls> pnetcdf_segments(MPI_Comm comm, SegmentPlaces &segments, int variables) {
  return std::make_unique<PnetcdfSegments>(comm, segments, variables);
}

}  // namespace sv_bench
