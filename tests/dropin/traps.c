/* A program that has invalid operations, overflows and divisions by zero end it, and puts and gets a NaN, infinities
 * and numbers that do not fit into variables and attributes of each type: traps FILE */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>

#define MUST(call)                                              \
  do {                                                          \
    const int code = (call);                                    \
    if (code != NC_NOERR && code != NC_ERANGE) {                \
      fprintf(stderr, "%s: %s\n", #call, ncmpi_strerror(code)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                             \
    }                                                           \
  } while (0)

enum { cells = 6 };

int main(int argc, char **argv) {
  static const nc_type types[] = {NC_BYTE,  NC_SHORT,  NC_INT,  NC_FLOAT, NC_DOUBLE,
                                  NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64};
  const int n = sizeof types / sizeof *types;
  const double odd[cells] = {NAN, INFINITY, -INFINITY, 1e300, -1e300, 1e-310};
  const float narrow[cells] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1};
  MPI_Init(&argc, &argv);
  int file = -1, dim = -1, vars[16];
  MUST(ncmpi_create(MPI_COMM_WORLD, argv[1], NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
  MUST(ncmpi_def_dim(file, "x", cells, &dim));
  for (int v = 0; v < n; ++v) {
    char name[8];
    snprintf(name, sizeof name, "v%d", v);
    MUST(ncmpi_def_var(file, name, types[v], 1, &dim, &vars[v]));
  }
#ifdef __GLIBC__
  feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
#endif
  for (int v = 0; v < n; ++v) MUST(ncmpi_put_att_double(file, vars[v], "odd", types[v], cells, odd));
  MUST(ncmpi_enddef(file));
  for (int v = 0; v < n; ++v) {
    double doubles[cells];
    float floats[cells];
    signed char bytes[cells];
    MUST(ncmpi_put_var_double_all(file, vars[v], odd));
    MUST(ncmpi_get_var_double_all(file, vars[v], doubles));
    MUST(ncmpi_get_var_schar_all(file, vars[v], bytes));
    MUST(ncmpi_put_var_float_all(file, vars[v], narrow));
    MUST(ncmpi_get_var_float_all(file, vars[v], floats));
    MUST(ncmpi_get_att_float(file, vars[v], "odd", floats));
  }
  MUST(ncmpi_close(file));
  return MPI_Finalize();
}
