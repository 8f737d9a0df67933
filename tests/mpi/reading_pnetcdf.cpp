// Files that PnetCDF made, in the three formats, read by all ways of reading.
// run: ranks=3 limit=60
// run: ranks=5 limit=60 name=nodes env=SV_TESTING_RANKS_PER_NODE=2
#include <pnetcdf.h>

#include "support/readers.hpp"

namespace {

using namespace svtest;

constexpr int64_t records = 3;

void pnc(int status, const std::string &what) {
  if (status != NC_NOERR) give_up(what + ": PnetCDF says " + ncmpi_strerror(status));
}

/// Collective: every rank writes a part of the first dimension with PnetCDF.
void write_pnetcdf(const std::string &path, int mode, const Spec &spec) {
  int file = -1, var = -1;
  std::vector<int> dims(spec.shape.size() + 1, -1);
  pnc(ncmpi_create(MPI_COMM_WORLD, path.c_str(), NC_CLOBBER | mode, MPI_INFO_NULL, &file), path);
  pnc(ncmpi_def_dim(file, "time", NC_UNLIMITED, dims.data()), path);
  for (size_t d = 0; d < spec.shape.size(); ++d)
    pnc(ncmpi_def_dim(file, spec.dims[d].c_str(), spec.shape[d], &dims[d + 1]), path);
  pnc(ncmpi_def_var(file, spec.name.c_str(), spec.type, static_cast<int>(dims.size()), dims.data(), &var), path);
  pnc(ncmpi_enddef(file), path);
  const int64_t first = cut(spec.shape[0], size_of(MPI_COMM_WORLD), rank_in(MPI_COMM_WORLD));
  const int64_t rows = cut(spec.shape[0], size_of(MPI_COMM_WORLD), rank_in(MPI_COMM_WORLD) + 1) - first;
  const int64_t row = product(spec.shape) / spec.shape[0];
  for (MPI_Offset record = 0; record < records; ++record) {
    std::vector<MPI_Offset> start(dims.size(), 0), count(spec.shape.begin(), spec.shape.end());
    count.insert(count.begin(), 1);
    start[0] = record;
    start[1] = first;
    count[1] = rows;
    const std::vector<double> values = expected(spec, record);
    pnc(ncmpi_put_vara_double_all(file, var, start.data(), count.data(), values.data() + first * row), path);
  }
  pnc(ncmpi_close(file), path);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int ranks = size_of(MPI_COMM_WORLD);
  const Grid grid{{17, 23}, {0, 1}, blocks_2d({17, 23}, ranks, 1, ranks, {}, 5), {1, 2, 2, 1}};
  const Spec spec{"field", SV_FLOAT, SV_DOUBLE, {3, 17, 23}, {"z", "y", "x"}, true, How::field, &grid, 1};
  sv_context *io = start(MPI_COMM_WORLD, {});
  for (const int mode : {0, NC_64BIT_OFFSET, NC_64BIT_DATA}) {
    write_pnetcdf("pnetcdf.nc", mode, spec);
    check_file(io, "pnetcdf.nc", {spec}, records);
  }
  SV_MUST(sv_finalize(io));
  return MPI_Finalize();
}
