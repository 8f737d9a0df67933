/* PnetCDF: one file of all ranks; each kind of function once, with different bytes. */
#include <pnetcdf.h>

#include "layers.h"

void call_pnetcdf(int rank, int ranks) {
  int id = 0, dims[3], a = 0, b = 0, requests[3], statuses[3];
  double data[16] = {0};
  int whole[4] = {0};
  MPI_Offset start[2] = {rank, 0}, count[2] = {1, 8}, first[2] = {rank, 0}, second[2] = {rank, 4}, four[2] = {1, 4};
  MPI_Offset *starts[2] = {first, second}, *counts[2] = {four, four}, record[2] = {0, 0}, of_record[2] = {1, 8};
  MPI_Offset *many_starts[2] = {start, record}, *many_counts[2] = {count, of_record};
  double *many[2] = {data, data + 8};
  MUST(ncmpi_create(MPI_COMM_WORLD, "pnetcdf.nc", NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &id));
  MUST(ncmpi_def_dim(id, "time", NC_UNLIMITED, &dims[0]));
  MUST(ncmpi_def_dim(id, "y", ranks, &dims[1]));
  MUST(ncmpi_def_dim(id, "x", 8, &dims[2]));
  MUST(ncmpi_def_var(id, "a", NC_DOUBLE, 2, &dims[1], &a));
  MUST(ncmpi_def_var(id, "b", NC_INT, 2, (int[]){dims[0], dims[2]}, &b));
  MUST(ncmpi_put_att_text(id, a, "units", 1, "K"));
  MUST(ncmpi_put_att(id, a, "levels", NC_INT, 3, whole));
  MUST(ncmpi_get_att_text(id, a, "units", (char[4]){0}));
  MUST(ncmpi_get_att_double(id, a, "levels", data));
  MUST(ncmpi_enddef(id));
  MUST(ncmpi_put_vara_double_all(id, a, start, count, data));
  MUST(ncmpi_put_vara_all(id, a, start, count, data, 8, MPI_DOUBLE));
  MUST(ncmpi_put_varn_double_all(id, a, 2, starts, counts, data));
  MUST(ncmpi_mput_vara_double_all(id, rank == 0 ? 2 : 1, (int[]){a, b}, many_starts, many_counts, many));
  MUST(ncmpi_begin_indep_data(id));
  MUST(ncmpi_put_var1_int(id, b, (MPI_Offset[]){1, rank}, whole));
  MUST(ncmpi_end_indep_data(id));
  MUST(ncmpi_buffer_attach(id, 64));
  MUST(ncmpi_iput_vara_double(id, a, start, count, data, &requests[0]));
  MUST(ncmpi_bput_var1_double(id, a, start, data, &requests[1]));
  MUST(ncmpi_wait_all(id, 2, requests, statuses));
  MUST(ncmpi_buffer_detach(id));
  MUST(ncmpi_get_var_double_all(id, a, (double[64]){0}));
  MUST(ncmpi_iget_varn(id, a, 1, starts, counts, data, 4, MPI_DOUBLE, &requests[2]));
  MUST(ncmpi_wait(id, 0, NULL, NULL) == NC_ENOTINDEP ? 0 : 1);
  MUST(ncmpi_wait_all(id, 1, &requests[2], statuses));
  MUST(ncmpi_close(id));
}
