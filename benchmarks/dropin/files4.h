/* Values and files that several programs of netCDF-4 here make. It is included behind timing.h. */
#include <math.h>
#include <string.h>

enum { many_variables = 1000, many_cells = 100 };

/* They are compressed as those of models are. The caller frees them. */
static inline float *smooth_values(size_t cells) {
  float *const values = malloc(cells * sizeof *values);
  for (size_t i = 0; i < cells; ++i) values[i] = (float)sin(1e-3 * (double)i) + (float)(i % 16) * 1e-5F;
  return values;
}

/* Whether the arguments of the program name this kind, behind a folder and a size, or no kind. */
static inline int is_wanted(int argc, char **argv, const char *kind) {
  for (int i = 3; i < argc; ++i)
    if (strcmp(argv[i], kind) == 0) return 1;
  return argc < 4;
}

/* A file of many small variables, of which the last one has values, all 1. */
static inline void make_many(void) {
  float values[many_cells];
  int file, dim, v;
  for (int i = 0; i < many_cells; ++i) values[i] = 1;
  must(nc_create("many.nc", NC_NETCDF4, &file));
  must(nc_def_dim(file, "x", many_cells, &dim));
  for (int n = 0; n < many_variables; ++n) must(nc_def_var(file, numbered("v", n), NC_FLOAT, 1, &dim, &v));
  must(nc_put_var_float(file, v, values));
  must(nc_close(file));
}

/* The value that the last variable of it has there. */
static inline void check_one_of_many(int file) {
  float value = 0;
  must(nc_get_var1_float(file, many_variables - 1, (size_t[]){1}, &value));
  must(nc_close(file));
  if (value != 1) exit(1);
}
