/* The definitions of serial programs: made, made again with data that move, renamed, filled and not, given up;
 * attributes of all types; wrong arguments everywhere. The results go into LOG, and the files into the working
 * directory, as NAME*.nc; the test runs it with the drop-in and without, and compares both.
 *
 *   netcdf_definitions NAME LOG [filled]     filled: the library has fill values where values do not fit: not compared
 */
#include <netcdf.h>
#if __has_include(<netcdf_filter.h>)
#include <netcdf_filter.h>
#define HAS_FILTERS
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *out;
static const char *name;
static int file, code, filled;

#define DO(call) (code = (call), fprintf(out, "%d %s %d\n", __LINE__, #call, code), fflush(out), code)

static int make(const char *which, int mode) {
  char path[256];
  snprintf(path, sizeof path, "%s%s.nc", name, which);
  return DO(nc_create(path, mode, &file));
}
static int again(const char *which, int mode) {
  char path[256];
  snprintf(path, sizeof path, "%s%s.nc", name, which);
  return DO(nc_open(path, mode, &file));
}

static void tell(void) { /* everything that can be asked */
  int ndims, nvars, natts, record, format, dims[NC_MAX_VAR_DIMS], n, no_fill;
  char text[NC_MAX_NAME + 1];
  size_t length;
  nc_type type;
  double value = 0;
  DO(nc_inq(file, &ndims, &nvars, &natts, &record));
  if (code != NC_NOERR) return;
  fprintf(out, "%d %d %d %d\n", ndims, nvars, natts, record);
  DO(nc_inq_format(file, &format));
  for (int d = 0; d < ndims; ++d) {
    DO(nc_inq_dim(file, d, text, &length));
    fprintf(out, "%s %zu\n", text, length);
  }
  for (int v = -1; v < nvars; ++v) {
    DO(nc_inq_varnatts(file, v, &natts));
    if (v >= 0) {
      DO(nc_inq_var(file, v, text, &type, &n, dims, &natts));
      DO(nc_inq_var_fill(file, v, &no_fill, &value));
      fprintf(out, "%s %d %d %d\n", text, type, n, no_fill);
    }
    for (int a = 0; a < natts; ++a) {
      DO(nc_inq_attname(file, v, a, text));
      DO(nc_inq_att(file, v, text, &type, &length));
      fprintf(out, "%s %d %zu\n", text, type, length);
      if (type == NC_CHAR || length > 4) continue;
      double values[4] = {0};
      DO(nc_get_att_double(file, v, text, values));
      for (size_t i = 0; i < length; ++i) fprintf(out, " %g", values[i]);
    }
  }
}

static void put_all(int first) { /* into the odd variables, of some records */
  int nvars, ndims, dims[4], record;
  nc_inq(file, NULL, &nvars, NULL, &record);
  for (int v = first; v < nvars; v += 2) {
    size_t start[4] = {0}, count[4] = {1, 1, 1, 1}, cells = 1;
    nc_type type;
    double values[4096];
    nc_inq_var(file, v, NULL, &type, &ndims, dims, NULL);
    for (int d = 0; d < ndims; ++d) {
      nc_inq_dimlen(file, dims[d], &count[d]);
      if (dims[d] == record) count[d] = 2;
      cells *= count[d];
    }
    for (size_t i = 0; i < cells; ++i) values[i] = (double)((i * 7 + (size_t)v) % 100);
    if (type == NC_CHAR)
      DO(nc_put_vara_text(file, v, start, count, "some text that is long enough for all"));
    else
      DO(nc_put_vara_double(file, v, start, count, values));
  }
}

static void define(int extra) {
  int t, y, x, v, dims[3];
  DO(nc_def_dim(file, "t", NC_UNLIMITED, &t));
  DO(nc_def_dim(file, "y", 3, &y));
  DO(nc_def_dim(file, "x", 5, &x));
  dims[0] = t, dims[1] = y, dims[2] = x;
  DO(nc_def_var(file, "time", NC_DOUBLE, 1, dims, &v));
  DO(nc_def_var(file, "area", NC_FLOAT, 2, dims + 1, &v));
  DO(nc_def_var(file, "flag", NC_BYTE, 2, dims + 1, &v));
  DO(nc_def_var(file, "text", NC_CHAR, 1, dims + 2, &v));
  DO(nc_def_var(file, "sst", NC_SHORT, 3, dims, &v));
  DO(nc_put_att_short(file, v, "_FillValue", NC_SHORT, 1, (short[]){-99}));
  DO(nc_def_var(file, "ice", NC_BYTE, 3, dims, &v));
  DO(nc_def_var(file, "one", NC_INT, 0, NULL, &v));
  if (extra) DO(nc_def_var(file, "wrong", NC_INT, 3, (int[]){x, t, y}, &v));
  DO(nc_put_att_text(file, NC_GLOBAL, "title", 9, "some file"));
}

static void wrong(void) {
  int v = -1;
  DO(nc_def_dim(file, "x", 4, &v));
  DO(nc_def_dim(file, "u", NC_UNLIMITED, &v));
  DO(nc_def_dim(file, "a/b", 4, &v));
  DO(nc_def_dim(file, "", 4, &v));
  DO(nc_def_dim(file, "huge", (size_t)1 << 40, &v));
  DO(nc_def_var(file, "x y ", NC_INT, 0, NULL, &v));
  DO(nc_def_var(file, "area", NC_INT, 0, NULL, &v));
  DO(nc_def_var(file, "no", 77, 0, NULL, &v));
  DO(nc_def_var(file, "no", NC_UINT, 0, NULL, &v));
  DO(nc_def_var(file, "no", NC_INT, 1, (int[]){9}, &v));
  DO(nc_def_var(file, "no", NC_INT, -1, NULL, &v));
  DO(nc_rename_dim(file, 1, "x"));
  DO(nc_rename_dim(file, 1, "y"));
  DO(nc_rename_dim(file, 9, "z"));
  DO(nc_rename_var(file, 1, "time"));
  DO(nc_rename_var(file, 99, "z"));
  DO(nc_rename_att(file, NC_GLOBAL, "none", "z"));
  DO(nc_del_att(file, NC_GLOBAL, "none"));
  DO(nc_del_att(file, 99, "none"));
  DO(nc_inq_attid(file, 0, "none", &v));
  DO(nc_inq_dimid(file, "none", &v));
  DO(nc_inq_varid(file, "none", &v));
  DO(nc_inq_att(file, 77, "none", NULL, NULL));
  DO(nc_put_att_int(file, 1, "_FillValue", NC_INT, 1, (int[]){1}));
  DO(nc_put_att_float(file, 1, "_FillValue", NC_FLOAT, 2, (float[]){1, 2}));
  DO(nc_put_att_int(file, 1, "large", NC_BYTE, 2, (int[]){1000, 2}));
  if (filled) DO(nc_del_att(file, 1, "large"));
  DO(nc_put_att_text(file, 1, "text", 0, NULL));
  DO(nc_put_att_int(file, 1, "text", NC_CHAR, 1, (int[]){1}));
  DO(nc_put_att_int(file, 1, "null", NC_INT, 1, NULL));
  DO(nc_put_att_uchar(file, 1, "bytes", NC_BYTE, 3, (unsigned char[]){1, 200, 255}));
  DO(nc_put_var_int(file, 1, (int[]){1}));
  DO(nc_get_var_int(file, 1, (int[20]){1}));
  DO(nc_redef(file));
  DO(nc_sync(file));
  DO(nc_def_grp(file, "g", &v));
  DO(nc_set_fill(file, 7, &v));
}

/* Definitions that grow while there are data: fixed variables, records, both, and the header alone. */
static void grow(const char *which, int mode, int fill, int sync) {
  int dims[3] = {0, 1, 2}, v, before;
  if (make(which, mode) != NC_NOERR) return;
  DO(nc_set_fill(file, fill, &before));
  define(0);
  DO(nc_enddef(file));
  put_all(0);
  if (sync) DO(nc_sync(file));
  DO(nc_redef(file));
  DO(nc_put_att_double(file, 0, "numbers", NC_DOUBLE, 4, (double[]){1, 2, 3, 4}));
  DO(nc_enddef(file));
  DO(nc_redef(file));
  DO(nc_def_var(file, "fixed", NC_DOUBLE, 2, dims + 1, &v));
  DO(nc_enddef(file));
  put_all(1);
  if (sync) DO(nc_sync(file));
  DO(nc_redef(file));
  DO(nc_def_var(file, "record", NC_DOUBLE, 3, dims, &v));
  DO(nc_def_var(file, "other", NC_CHAR, 2, (int[]){0, 2}, &v));
  DO(nc_enddef(file));
  put_all(0);
  DO(nc_put_var1_double(file, v - 1, (size_t[]){4, 1, 1}, (double[]){5}));
  tell();
  DO(nc_close(file));
  if (again(which, NC_WRITE) != NC_NOERR) return;
  DO(nc_redef(file));
  DO(nc_put_att_text(
      file, NC_GLOBAL, "history", 100,
      "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"));
  DO(nc_def_var(file, "last", NC_SHORT, 1, dims + 2, &v));
  DO(nc_enddef(file));
  DO(nc_put_var_short(file, v, (short[]){1, 2, 3, 4, 5}));
  DO(nc_rename_var(file, 1, "AREA"));
  DO(nc_rename_var(file, 1, "area that is longer"));
  DO(nc_rename_dim(file, 1, "Y"));
  DO(nc_rename_att(file, NC_GLOBAL, "history", "HISTORY"));
  DO(nc_put_att_text(file, NC_GLOBAL, "title", 4, "four"));
  DO(nc_put_att_text(file, NC_GLOBAL, "title", 40, "0123456789012345678901234567890123456789"));
  DO(nc_put_att_text(file, NC_GLOBAL, "new", 1, "n"));
  DO(nc_put_att_short(file, 4, "_FillValue", NC_SHORT, 1, (short[]){-98}));
  DO(nc_put_var1_double(file, 4, (size_t[]){6, 1, 1}, (double[]){5}));
  tell();
  DO(nc_close(file));
  again(which, NC_NOWRITE);
  tell();
  DO(nc_redef(file));
  DO(nc_put_var1_int(file, 6, NULL, (int[]){3}));
  DO(nc_put_att_text(file, NC_GLOBAL, "title", 1, "f"));
  DO(nc_set_fill(file, NC_FILL, &before));
  DO(nc_sync(file));
  DO(nc_abort(file));
}

static void alignments(const char *which, size_t header, size_t align, size_t fixed, size_t record) {
  int v;
  make(which, NC_CLOBBER);
  define(1);
  DO(nc__enddef(file, header, align, fixed, record));
  put_all(1);
  DO(nc_redef(file));
  DO(nc_def_var(file, "fixed", NC_DOUBLE, 1, (int[]){1}, &v));
  DO(nc__enddef(file, header / 2, align, 0, record));
  DO(nc_redef(file));
  DO(nc_def_var(file, "record", NC_DOUBLE, 1, (int[]){0}, &v));
  DO(nc_enddef(file));
  put_all(0);
  DO(nc_close(file));
}

static void ends(void) {
  int v;
  make("given_up", NC_CLOBBER);
  define(0);
  DO(nc_abort(file));
  again("given_up", NC_NOWRITE);
  make("kept", NC_CLOBBER);
  define(0);
  DO(nc_enddef(file));
  put_all(0);
  DO(nc_redef(file));
  DO(nc_def_var(file, "gone", NC_DOUBLE, 0, NULL, &v));
  DO(nc_enddef(file));
  DO(nc_redef(file));
  DO(nc_def_var(file, "gone2", NC_DOUBLE, 0, NULL, &v));
  DO(nc_sync(file));
  DO(nc_close(file));
  DO(nc_close(file));
  make("kept", NC_NOCLOBBER);
  make("dims", NC_CLOBBER | NC_64BIT_OFFSET);
  DO(nc_def_dim(file, "x", 3, &v));
  DO(nc_enddef(file));
  DO(nc_enddef(file));
  DO(nc_close(file));
  make("both", NC_64BIT_OFFSET | NC_64BIT_DATA);
  DO(nc_open("nowhere.nc", NC_NOWRITE, &file));
  DO(nc_create("no/where.nc", NC_CLOBBER, &file));
  FILE *const other = fopen("other.nc", "w");
  fputs("CDX this is not a netCDF file", other);
  fclose(other);
  DO(nc_open("other.nc", NC_NOWRITE, &file));
}

/* Reading where no records are, in a file that may be written and in one that may not. */
static void beyond(void) {
  const int modes[] = {NC_WRITE, NC_NOWRITE};
  int dims[2], v, values[9] = {0};
  make("beyond", NC_CLOBBER);
  DO(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  DO(nc_def_dim(file, "x", 3, &dims[1]));
  DO(nc_def_var(file, "v", NC_INT, 2, dims, &v));
  DO(nc_enddef(file));
  DO(nc_put_vara_int(file, v, (size_t[]){0, 0}, (size_t[]){2, 3}, values));
  DO(nc_close(file));
  for (int m = 0; m < 2; ++m) {
    again("beyond", modes[m]);
    for (size_t record = 1; record < 4; ++record) {
      const size_t start[] = {record, 0};
      DO(nc_get_var1_int(file, v, start, values));
      DO(nc_get_vara_int(file, v, start, (size_t[]){0, 3}, values));
      DO(nc_get_vara_int(file, v, start, (size_t[]){2, 3}, values));
      DO(nc_get_vars_int(file, v, start, (size_t[]){1, 2}, (ptrdiff_t[]){1, 2}, values));
    }
    DO(nc_close(file));
  }
}

/* A variable of more dimensions than Fortran arrays have. */
static void many_dims(void) {
  enum { many = 17 };
  int dims[many], v, values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  char text[8];
  size_t start[many] = {1}, count[many];
  make("many", NC_CLOBBER);
  for (int d = 0; d < many; ++d) {
    snprintf(text, sizeof text, "d%d", d);
    DO(nc_def_dim(file, text, d < 3 ? 2 : 1, &dims[d]));
    count[d] = 1;
  }
  DO(nc_def_var(file, "v", NC_INT, many, dims, &v));
  DO(nc_enddef(file));
  DO(nc_put_var_int(file, v, values));
  DO(nc_get_vara_int(file, v, start, count, values));
  fprintf(out, "%d\n", values[0]);
  DO(nc_close(file));
  again("many", NC_WRITE);
  DO(nc_put_vara_int(file, v, start, count, values + 1));
  DO(nc_get_var_int(file, v, values));
  for (int i = 0; i < 8; ++i) fprintf(out, "%d\n", values[i]);
  DO(nc_close(file));
}

/* Of which classic files have none. */
static void filters(void) {
#ifdef HAS_FILTERS
  int dim, v, has = 7, level = 7;
  unsigned filter = 7;
  size_t count = 7;
  make("filters", NC_CLOBBER);
  DO(nc_def_dim(file, "x", 3, &dim));
  DO(nc_def_var(file, "v", NC_INT, 1, &dim, &v));
  DO(nc_inq_var_filter(file, v, &filter, &count, NULL));
  DO(nc_inq_var_filter(file, 99, NULL, NULL, NULL));
  fprintf(out, "%u %zu\n", filter, count);
  DO(nc_inq_var_filter_ids(file, v, &count, NULL));
  fprintf(out, "%zu\n", count);
  DO(nc_inq_var_filter_info(file, v, 1, &count, NULL));
  DO(nc_inq_filter_avail(file, 1));
  DO(nc_def_var_bzip2(file, v, 1));
  DO(nc_inq_var_bzip2(file, v, &has, &level));
  DO(nc_def_var_zstandard(file, v, 1));
  DO(nc_close(file));
#endif
}

static void fills(void) {
  int dims[2], v[4], before;
  make("fills", NC_CLOBBER);
  DO(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  DO(nc_def_dim(file, "x", 7, &dims[1]));
  DO(nc_def_var(file, "yes", NC_SHORT, 2, dims, &v[0]));
  DO(nc_def_var(file, "no", NC_BYTE, 2, dims, &v[1]));
  DO(nc_def_var(file, "own", NC_FLOAT, 2, dims, &v[2]));
  DO(nc_def_var(file, "fixed", NC_BYTE, 1, dims + 1, &v[3]));
  DO(nc_def_var_fill(file, v[1], NC_NOFILL, NULL));
  DO(nc_def_var_fill(file, v[2], NC_FILL, (float[]){3.5f}));
  DO(nc_def_var_fill(file, 99, NC_FILL, NULL));
  DO(nc_def_var_fill(file, NC_GLOBAL, NC_FILL, NULL));
  DO(nc_enddef(file));
  DO(nc_def_var_fill(file, NC_GLOBAL, NC_FILL, NULL));
  DO(nc_def_var_fill(file, v[2], NC_FILL, (float[]){3.5f}));
  DO(nc_put_var1_int(file, v[1], (size_t[]){3, 2}, (int[]){1}));
  DO(nc_set_fill(file, NC_NOFILL, &before));
  DO(nc_put_var1_int(file, v[0], (size_t[]){6, 2}, (int[]){1}));
  DO(nc_set_fill(file, NC_FILL, &before));
  DO(nc_put_var1_int(file, v[0], (size_t[]){8, 2}, (int[]){1}));
  tell();
  DO(nc_close(file));
  make("single", NC_CLOBBER); /* one variable with records, which are not padded */
  DO(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  DO(nc_def_dim(file, "x", 4, &dims[1]));
  DO(nc_def_var(file, "b", NC_BYTE, 2, dims, &v[0]));
  DO(nc_enddef(file));
  DO(nc_put_var1_int(file, v[0], (size_t[]){4, 1}, (int[]){1}));
  DO(nc_redef(file));
  DO(nc_def_var(file, "c", NC_SHORT, 2, dims, &v[1]));
  DO(nc_def_var(file, "d", NC_INT, 2, dims, &v[2]));
  DO(nc_def_var_fill(file, v[2], NC_NOFILL, NULL));
  DO(nc_enddef(file));
  DO(nc_put_var1_int(file, v[1], (size_t[]){5, 1}, (int[]){1}));
  DO(nc_close(file));
}

/* Fill values that change: cells that were filled before keep the old ones, also where it is put or moved later. */
static void fills_change(void) {
  int dims[2], v[4], late;
  make("refilled", NC_CLOBBER);
  DO(nc_def_dim(file, "t", NC_UNLIMITED, &dims[0]));
  DO(nc_def_dim(file, "x", 7, &dims[1]));
  DO(nc_def_var(file, "fixed", NC_SHORT, 1, dims + 1, &v[0]));
  DO(nc_def_var(file, "record", NC_SHORT, 2, dims, &v[1]));
  DO(nc_def_var(file, "other", NC_FLOAT, 2, dims, &v[2]));
  DO(nc_def_var(file, "renamed", NC_BYTE, 2, dims, &v[3]));
  DO(nc_put_att_short(file, v[1], "_FillValue", NC_SHORT, 1, (short[]){-1}));
  DO(nc_put_att_schar(file, v[3], "_FillValue", NC_BYTE, 1, (signed char[]){-1}));
  DO(nc_enddef(file));
  DO(nc_put_var1_int(file, v[0], (size_t[]){2}, (int[]){1}));
  DO(nc_put_var1_int(file, v[2], (size_t[]){1, 2}, (int[]){1}));
  DO(nc_redef(file));
  DO(nc_put_att_short(file, v[0], "_FillValue", NC_SHORT, 1, (short[]){-5}));
  DO(nc_def_var_fill(file, v[1], NC_FILL, (short[]){-6}));
  DO(nc_def_var(file, "late", NC_DOUBLE, 1, dims + 1, &late));
  DO(nc_enddef(file));
  DO(nc_put_var1_int(file, v[2], (size_t[]){3, 2}, (int[]){1}));
  DO(nc_put_att_short(file, v[1], "_FillValue", NC_SHORT, 1, (short[]){-7}));
  DO(nc_put_var1_int(file, v[2], (size_t[]){4, 2}, (int[]){1}));
  DO(nc_rename_att(file, v[3], "_FillValue", "xFillValue"));
  DO(nc_put_var1_int(file, v[2], (size_t[]){5, 2}, (int[]){1}));
  DO(nc_redef(file));
  DO(nc_def_var(file, "last", NC_DOUBLE, 2, dims, &late));
  DO(nc_del_att(file, v[1], "_FillValue"));
  DO(nc_enddef(file));
  DO(nc_put_var1_int(file, v[2], (size_t[]){6, 2}, (int[]){1}));
  tell();
  DO(nc_close(file));
}

/* A reader sees what the writer has defined meanwhile. */
static void read_beside(void) {
  int x, v;
  make("beside", NC_CLOBBER);
  const int writer = file;
  DO(nc_def_dim(file, "x", 7, &x));
  DO(nc_def_var(file, "a", NC_SHORT, 1, &x, &v));
  DO(nc_enddef(file));
  DO(nc_sync(file));
  again("beside", NC_NOWRITE);
  const int reader = file;
  tell();
  file = writer;
  DO(nc_redef(file));
  DO(nc_def_var(file, "b", NC_SHORT, 1, &x, &v));
  DO(nc_enddef(file));
  DO(nc_sync(file));
  file = reader;
  DO(nc_sync(file));
  tell();
  DO(nc_close(file));
  file = writer;
  DO(nc_close(file));
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  name = argv[1];
  out = fopen(argv[2], "w");
  filled = argc > 3;
  if (out == NULL) return 2;
  make("wrong", NC_CLOBBER);
  define(1);
  wrong();
  tell();
  DO(nc_close(file));
  const int modes[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA};
  for (int m = 0; m < 3; ++m)
    for (int fill = 0; fill < 2; ++fill)
      for (int sync = 0; sync < 2; ++sync) {
        char which[32];
        snprintf(which, sizeof which, "grown%d%d%d", m, fill, sync);
        grow(which, modes[m], fill ? NC_FILL : NC_NOFILL, sync);
      }
  alignments("aligned", 0, 512, 0, 4096);
  alignments("roomy", 1000, 4, 100, 4);
  alignments("odd", 16384, 4, 0, 4);
  ends();
  many_dims();
  filters();
  beyond();
  fills();
  fills_change();
  read_beside();
  fclose(out);
  return 0;
}
