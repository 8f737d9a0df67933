/* netCDF-C: a classic file of each rank. */
#include <netcdf.h>

#include "layers.h"

static int define(int id, int *a, int *b, int *s) {
  const double range[2] = {0, 1};
  int x = 0, y = 0, time = 0, before = 0;
  MUST(nc_def_dim(id, "time", NC_UNLIMITED, &time));
  MUST(nc_def_dim(id, "y", 4, &y));
  MUST(nc_def_dim(id, "x", 6, &x));
  MUST(nc_def_var(id, "a", NC_DOUBLE, 2, (int[]){y, x}, a));
  MUST(nc_def_var(id, "b", NC_INT, 2, (int[]){time, x}, b));
  MUST(nc_def_var(id, "s", NC_FLOAT, 0, NULL, s));
  MUST(nc_put_att_text(id, *a, "units", 1, "K"));
  MUST(nc_put_att_double(id, *a, "range", NC_DOUBLE, 2, range));
  MUST(nc_put_att(id, *a, "levels", NC_INT, 3, (int[]){1, 2, 3}));
  MUST(nc_set_fill(id, NC_NOFILL, &before));
  return nc_enddef(id);
}

void call_netcdf(int rank, int ranks) {
  char name[32];
  int id = 0, a = 0, b = 0, s = 0;
  double whole[24] = {0};
  float turned[24] = {0}, one = 1;
  int row[18] = {0};
  long long wide[6] = {0};
  (void)ranks;
  snprintf(name, sizeof name, "netcdf.%d.nc", rank);
  MUST(nc_create(name, NC_CLOBBER | NC_64BIT_OFFSET, &id));
  MUST(define(id, &a, &b, &s));
  MUST(nc_put_var_double(id, a, whole));
  MUST(nc_put_vara_double(id, a, (size_t[]){1, 2}, (size_t[]){2, 3}, whole));
  MUST(nc_put_varm_float(id, a, (size_t[]){0, 0}, (size_t[]){4, 6}, (ptrdiff_t[]){1, 1}, (ptrdiff_t[]){1, 4}, turned));
  MUST(nc_put_var1_int(id, b, (size_t[]){0, 5}, row));
  MUST(nc_put_vars_int(id, b, (size_t[]){0, 0}, (size_t[]){1, 3}, (ptrdiff_t[]){1, 2}, row));
  MUST(nc_put_vara(id, b, (size_t[]){1, 0}, (size_t[]){1, 6}, row));
  MUST(nc_put_var_float(id, s, &one));
  MUST(nc_sync(id));
  MUST(nc_redef(id));
  MUST(nc_rename_var(id, b, "c"));
  MUST(nc_enddef(id));
  MUST(nc_put_vara_longlong(id, b, (size_t[]){2, 0}, (size_t[]){1, 6}, wide));
  MUST(nc_put_var1_int(id, b, (size_t[]){0, 6}, row) == NC_EINVALCOORDS ? 0 : 1);
  MUST(nc_close(id));
  MUST(nc_open(name, NC_NOWRITE, &id));
  MUST(nc_get_var(id, b, row));
  MUST(nc_get_vara_int(id, b, (size_t[]){1, 0}, (size_t[]){2, 6}, row));
  MUST(nc_get_att_double(id, a, "range", whole));
  MUST(nc_close(id));
}
