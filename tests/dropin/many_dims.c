/* A variable of more dimensions than Sverdrup has, made or read through PnetCDF.
 *
 *   many_dims make | read FILE        prints the code of ncmpi_def_var, or of ncmpi_open and the last value */
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

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int code = argc < 3 ? 2 : strcmp(argv[1], "make") == 0 ? make(argv[2]) : read(argv[2]);
  MPI_Finalize();
  return code != NC_NOERR;
}
