/* A library that needs a netCDF library and is loaded by a program that has none, as the extensions of R and Python. */
#include <netcdf.h>

int module_make(const char *path, int mode, double value) {
  int file, dim, variable, code = nc_create(path, mode, &file);
  if (code == NC_NOERR) code = nc_def_dim(file, "x", 2, &dim);
  if (code == NC_NOERR) code = nc_def_var(file, "v", NC_DOUBLE, 1, &dim, &variable);
  if (code == NC_NOERR) code = nc_enddef(file);
  if (code == NC_NOERR) code = nc_put_var_double(file, variable, (double[]){value, value + 1});
  const int closed = nc_close(file);
  return code != NC_NOERR ? code : closed;
}

int module_open(const char *path, int *file) { return nc_open(path, NC_NOWRITE, file); }

int module_dims(int file) {
  int dims = -1;
  return nc_inq_ndims(file, &dims) == NC_NOERR ? dims : -1;
}

int module_close(int file) { return nc_close(file); }

/* Text of the library that answers, in its own memory. */
const char *module_version(void) { return nc_inq_libvers(); }
