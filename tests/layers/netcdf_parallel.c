/* netCDF-4: one file of all ranks. */
#include <netcdf.h>
#include <netcdf_par.h>

#include "layers.h"

void call_netcdf_parallel(int rank, int ranks) {
  int id = 0, dims[2] = {0, 0}, field = 0;
  const double data[8] = {0};
  MUST(nc_create_par("parallel.nc", NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &id));
  MUST(nc_def_dim(id, "y", (size_t)ranks, &dims[0]));
  MUST(nc_def_dim(id, "x", 8, &dims[1]));
  MUST(nc_def_var(id, "field", NC_DOUBLE, 2, dims, &field));
  MUST(nc_def_var_chunking(id, field, NC_CHUNKED, (size_t[]){1, 8}));
  MUST(nc_enddef(id));
  MUST(nc_var_par_access(id, field, NC_COLLECTIVE));
  MUST(nc_put_vara_double(id, field, (size_t[]){(size_t)rank, 0}, (size_t[]){1, 8}, data));
  MUST(nc_close(id));
}
