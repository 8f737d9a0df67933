/* A variable of more dimensions than Fortran arrays have, made or read through PnetCDF; and a record beyond those that
 * it has.
 *
 *   many_dims make | read FILE        prints the code of ncmpi_def_var, or of ncmpi_open and the last value
 *   many_dims records FILE            prints codes, and how many records the file has in the end */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

enum { many = 17 };

static int make(const char *path) {
  int file, dims[many], v, made;
  char name[8];
  int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int code = ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file);
  for (int d = 0; d < many && code == NC_NOERR; ++d) {
    snprintf(name, sizeof name, "d%d", d);
    code = ncmpi_def_dim(file, name, d < 3 ? 2 : 1, &dims[d]);
  }
  if (code != NC_NOERR) return code;
  made = ncmpi_def_var(file, "v", NC_INT, many, dims, &v);
  code = ncmpi_enddef(file);
  if (code == NC_NOERR && made == NC_NOERR) code = ncmpi_put_var_int_all(file, v, values);
  printf("%d\n", made);
  return code != NC_NOERR ? code : ncmpi_close(file);
}

static int read(const char *path) {
  int file, values[8] = {0};
  int code = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file);
  if (code == NC_NOERR) code = ncmpi_get_var_int_all(file, 0, values);
  if (code == NC_NOERR) code = ncmpi_close(file);
  printf("%d %d\n", code, values[7]);
  return code;
}

/* A call on two records, one of which is refused: none is put, also not later. And a stride that leaves the integers.
 */
static int put_records(const char *path) {
  int file, dims[2], v, w, values[3] = {1, 2, 3};
  MPI_Offset first = 0, far = 3000000000, one = 1, three = 3, stride = (MPI_Offset)1 << 62, records = -1;
  int code = ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &file);
  if (code == NC_NOERR) code = ncmpi_def_dim(file, "t", NC_UNLIMITED, &dims[0]);
  if (code == NC_NOERR) code = ncmpi_def_dim(file, "x", 8, &dims[1]);
  if (code == NC_NOERR) code = ncmpi_def_var(file, "v", NC_INT, 1, &dims[0], &v);
  if (code == NC_NOERR) code = ncmpi_def_var(file, "w", NC_INT, 1, &dims[1], &w);
  if (code == NC_NOERR) code = ncmpi_enddef(file);
  if (code != NC_NOERR) return code;
  printf("%d ", ncmpi_mput_vara_int_all(file, 2, (int[]){v, v}, (MPI_Offset *[]){&first, &far},
                                        (MPI_Offset *[]){&one, &one}, (int *[]){values, values + 1}));
  printf("%d ", ncmpi_put_vars_int_all(file, w, &first, &three, &stride, values));
  code = ncmpi_close(file);
  if (code == NC_NOERR) code = ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file);
  if (code == NC_NOERR) code = ncmpi_inq_dimlen(file, dims[0], &records);
  printf("%d\n", (int)records);
  return code != NC_NOERR ? code : ncmpi_close(file);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *const what = argc < 3 ? "" : argv[1];
  const int code = strcmp(what, "make") == 0      ? make(argv[2])
                   : strcmp(what, "read") == 0    ? read(argv[2])
                   : strcmp(what, "records") == 0 ? put_records(argv[2])
                                                  : 2;
  MPI_Finalize();
  return code != NC_NOERR;
}
