/* Files of netCDF-4, made or opened in parallel, or with -DSERIAL made by one process without MPI: definitions,
 * inquiry, puts and gets, and the code of each call. Arguments: cases, one after the other. Each has its file,
 * CASE.nc, and a list of each rank, CASE.list.RANK. */
#include "netcdf_answers.h"
#ifndef SERIAL
#include "netcdf_opened.h"
#endif

static int grid(int file, int *dims) {
  MUST(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  MUST(nc_def_dim(file, "y", 4 * (size_t)ranks, &dims[1]));
  MUST(nc_def_dim(file, "x", 6, &dims[2]));
  return file;
}

#define ALL_TYPES(EACH)        \
  EACH(schar, signed char)     \
  EACH(uchar, unsigned char)   \
  EACH(short, short)           \
  EACH(int, int)               \
  EACH(long, long)             \
  EACH(float, float)           \
  EACH(double, double)         \
  EACH(ushort, unsigned short) \
  EACH(uint, unsigned)         \
  EACH(longlong, long long)    \
  EACH(ulonglong, unsigned long long)

/* Puts and gets of a block of this rank by each type in memory, in all kinds of access. */
#define MOVE(name, type)                                                                           \
  static void move_##name(int file, int v, size_t record) {                                        \
    type values[24], got[48];                                                                      \
    const size_t start[] = {record, 4 * (size_t)rank, 0}, count[] = {1, 4, 6}, half[] = {1, 2, 3}; \
    const ptrdiff_t stride[] = {1, 2, 2}, map[] = {6, 1, 2};                                       \
    for (int i = 0; i < 24; ++i) values[i] = (type)(i * 3 + rank - 5);                             \
    SAY(nc_put_vara_##name(file, v, start, count, values));                                        \
    SAY(nc_put_vars_##name(file, v, start, half, stride, values));                                 \
    memset(got, 0, sizeof got);                                                                    \
    SAY(nc_get_vara_##name(file, v, start, count, got));                                           \
    for (int i = 0; i < 24; ++i) fprintf(list, " %g", (double)got[i]);                             \
    SAY(nc_get_varm_##name(file, v, start, half, NULL, map, got));                                 \
    for (int i = 0; i < 6; ++i) fprintf(list, " %g", (double)got[i]);                              \
    SAY(nc_get_vars_##name(file, v, start, half, stride, got));                                    \
    SAY(nc_get_var1_##name(file, v, start, got));                                                  \
    fprintf(list, " %g\n", (double)got[0]);                                                        \
  }
ALL_TYPES(MOVE)

static void storage(int classic) {
  const int file = make(classic ? NC_CLASSIC_MODEL : 0);
  const int types[] = {NC_BYTE,  NC_SHORT,  NC_INT,  NC_FLOAT, NC_DOUBLE,
                       NC_UBYTE, NC_USHORT, NC_UINT, NC_INT64, NC_UINT64};
  const int n = classic ? 5 : 10;
  const size_t chunk[] = {1, 2, 6};
  const float missing = -7;
  int dims[3], made[16], one, scalar;
  grid(file, dims);
  for (int v = 0; v < n; ++v) {
    char name[8];
    snprintf(name, sizeof name, "v%d", v);
    MUST(nc_def_var(file, name, types[v], 3, dims, &made[v]));
    MUST(nc_put_att_text(file, made[v], "units", 2, "m "));
    MUST(nc_put_att_double(file, made[v], "range", types[v], 2, (double[]){1, 9}));
  }
  MUST(nc_def_var_chunking(file, made[0], NC_CHUNKED, chunk));
  MUST(nc_def_var_deflate(file, made[1], 1, 1, 3));
  MUST(nc_def_var_fletcher32(file, made[2], NC_FLETCHER32));
  MUST(nc_def_var_fill(file, made[3], NC_FILL, &missing));
  MUST(nc_def_var_deflate(file, made[3], 0, 1, 1));
  MUST(nc_def_var_chunking(file, made[3], NC_CHUNKED, chunk));
  MUST(nc_def_var_endian(file, made[4], NC_ENDIAN_BIG));
  MUST(nc_def_var(file, "fixed", NC_DOUBLE, 2, dims + 1, &one));
  MUST(nc_def_var(file, "scalar", NC_INT, 0, NULL, &scalar));
  SAY(nc_def_var(file, "scalar", NC_INT, 0, NULL, &scalar));
  SAY(nc_def_var_deflate(file, 77, 0, 1, 1));
  SAY(nc_def_var_deflate(file, one, 0, 1, 11));
  SAY(nc_def_dim(file, "x", 2, &scalar));
  MUST(nc_put_att_text(file, NC_GLOBAL, "title", 4, "none"));
  MUST(nc_inq_varid(file, "scalar", &scalar));
  ask(file);
  SAY(nc_var_par_access(file, made[1], 0));
  SAY(nc_var_par_access(file, 77, 1));
  SAY(nc_enddef(file));
  ask(file);
  for (int v = 0; v < n; ++v) put_together(file, made[v]);
  put_together(file, one);
  for (int v = 0; v < n; ++v) {
    size_t record = 0;
#define EACH(name, type) \
  if ((record++ + (size_t)v) % 6 == 0) move_##name(file, made[v], record % 3);
    ALL_TYPES(EACH)
#undef EACH
  }
  double row[24];
  for (int i = 0; i < 24; ++i) row[i] = i + 0.5 * rank;
  SAY(nc_put_vara_double(file, one, (size_t[]){4 * (size_t)rank, 0}, (size_t[]){4, 6}, row));
  if (rank == 0) SAY(nc_put_var_int(file, scalar, (int[]){42}));
  SAY(nc_sync(file));
  ask(file);
  SAY(nc_close(file));
}

/* All kinds of quantization, in variables with and without filters: put whole, by parts, with a stride, converted, and
 * with fill values. One is not filled besides. */
static void quantized(void) {
  const int file = make(0), kinds[] = {1, 2, 3}, types[] = {NC_FLOAT, NC_DOUBLE};
  const size_t start[] = {0, 4 * (size_t)rank, 0}, count[] = {1, 4, 6}, half[] = {1, 2, 3};
  int dims[3], made[12], n = 0;
  double values[24];
  grid(file, dims);
  for (int kind = 0; kind < 3; ++kind)
    for (int type = 0; type < 2; ++type)
      for (int deflates = 0; deflates < 2; ++deflates, ++n) {
        char name[8];
        snprintf(name, sizeof name, "q%d", n);
        MUST(nc_def_var(file, name, types[type], deflates ? 3 : 2, deflates ? dims : dims + 1, &made[n]));
        SAY(nc_def_var_quantize(file, made[n], kinds[kind], 3 + type));
        if (deflates) MUST(nc_def_var_deflate(file, made[n], 1, 1, 1));
        if (kind == 1) MUST(nc_put_att_double(file, made[n], "_FillValue", types[type], 1, (double[]){3.3333}));
      }
  MUST(nc_def_var_fill(file, made[0], NC_NOFILL, NULL));
  MUST(nc_enddef(file));
  ask(file);
  for (int v = 0; v < n; ++v) {
    const int skipped = 1 - v % 2; /* the record dimension */
    put_together(file, made[v]);
    for (int i = 0; i < 24; ++i)
      values[i] = i == 5 ? 3.3333 : (i - 12) / 7.0 * (rank + 1) * (v + 1) * (i % 3 ? 1e-3 : 1e3);
    SAY(nc_put_vara_double(file, made[v], start + skipped, count + skipped, values));
    float some[6] = {1.00001f, -2.71828f, 0, 9.96921e36f, 3.3333f, 1e-20f};
    SAY(nc_put_vars_float(file, made[v], start + skipped, half + skipped, (ptrdiff_t[]){1, 2, 2} + skipped, some));
    SAY(nc_put_vara_int(file, made[v], start + skipped, (size_t[]){1, 1, 5} + skipped,
                        (int[]){1234567, 2, 3, -7654321, 0}));
  }
  SAY(nc_redef(file));
  SAY(nc_def_var_quantize(file, made[1], 1, 2));
  SAY(nc_enddef(file));
  ask(file);
  SAY(nc_close(file));
}

/* Each rank by itself, in the order that it likes. */
static void independent(void) {
  const int file = make(0);
  int dims[3], field, times, numbers, got[6];
  grid(file, dims);
  MUST(nc_def_var(file, "field", NC_INT, 2, dims + 1, &field));
  MUST(nc_def_var(file, "times", NC_DOUBLE, 1, dims, &times));
  MUST(nc_def_var(file, "numbers", NC_INT, 1, dims + 2, &numbers));
  MUST(nc_enddef(file));
  for (int r = 0; r <= rank; ++r) {
    const int row[] = {rank, r, 2, 3, 4, 5};
    SAY(nc_put_vara_int(file, field, (size_t[]){4 * (size_t)rank + (size_t)r % 4, 0}, (size_t[]){1, 6}, row));
    SAY(nc_get_vara_int(file, field, (size_t[]){4 * (size_t)rank + (size_t)r % 4, 0}, (size_t[]){1, 6}, got));
    for (int i = 0; i < 6; ++i) fprintf(list, " %d", got[i]);
  }
  SAY(nc_put_var1_double(file, times, (size_t[]){0}, (double[]){1}));  // a record more
  put_together(file, times);
  SAY(nc_put_vara_double(file, times, (size_t[]){0}, (size_t[]){2}, (double[]){1, 2}));
  if (rank == ranks - 1) SAY(nc_put_var_int(file, numbers, (int[]){5, 4, 3, 2, 1, 0}));
  SAY(nc_put_vara_int(file, field, (size_t[]){0, 5}, (size_t[]){1, 2}, got));
  SAY(nc_put_vara_int(file, field, (size_t[]){4 * (size_t)ranks, 0}, (size_t[]){1, 1}, got));
  SAY(nc_close(file));
}

/* Several unlimited dimensions, which grow with the puts. */
static void unlimited(void) {
  const int file = make(0);
  int dims[3], v;
  size_t length;
  MUST(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  MUST(nc_def_dim(file, "station", NC_UNLIMITED, &dims[1]));
  MUST(nc_def_dim(file, "x", 3, &dims[2]));
  MUST(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  MUST(nc_def_var_chunking(file, v, NC_CHUNKED, (size_t[]){1, 4, 3}));
  MUST(nc_def_var_deflate(file, v, 1, 1, 1));
  for (size_t t = 0; t < 3; ++t) {
    const float row[] = {(float)t, (float)rank, 7};
    SAY(nc_put_vara_float(file, v, (size_t[]){t, t * (size_t)ranks + (size_t)rank, 0}, (size_t[]){1, 1, 3}, row));
    MUST(nc_inq_dimlen(file, dims[1], &length));
    fprintf(list, "%zu stations\n", length);
  }
  ask(file);
  SAY(nc_close(file));
}

/* Unsupported definitions after supported ones, and in `late` cases after data: 1, which are synchronised, or 2. */
static void left(const char *what, int late) {
  const int file = make(0);
  int dims[3], v, w = -1, group = -1, type = -1;
  grid(file, dims);
  MUST(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  MUST(nc_def_var_deflate(file, v, 1, 1, 2));
  MUST(nc_put_att_text(file, v, "units", 1, "m"));
  asks_endian = !late;
  if (late) {
    MUST(nc_enddef(file));
    move_float(file, v, 0);
    if (late == 1) SAY(nc_sync(file)); /* a small serial file is decided upon now */
    MUST(nc_redef(file));
  }
  if (strstr(what, "group")) {
    SAY(nc_def_grp(file, "inner", &group));
    SAY(nc_def_var(group, "w", NC_INT, 2, dims + 1, &w));
  } else if (strstr(what, "string")) {
    SAY(nc_put_att_string(file, v, "names", 2, (const char *[]){"one", "two"}));
  } else {
    SAY(nc_def_compound(file, 8, "pair", &type));
    SAY(nc_insert_compound(file, type, "one", 0, NC_INT));
    SAY(nc_insert_compound(file, type, "two", 4, NC_FLOAT));
  }
  SAY(nc_enddef(file));
  ask(file);
  move_float(file, v, 1);
  if (group >= 0) {
    int row[24] = {rank};
    SAY(nc_put_vara_int(group, w, (size_t[]){4 * (size_t)rank, 0}, (size_t[]){4, 6}, row));
  }
  SAY(nc_close(file));
}

/* A record of a group's variable, whose last dimensions are those of the grid. */
static void put_record(int group, int v, size_t record) {
  const size_t start[] = {record, 4 * (size_t)rank, 0}, count[] = {1, 4, 6};
  int values[24], got[24] = {0};
  for (int i = 0; i < 24; ++i) values[i] = (int)record * 100 + i + rank;
  SAY(nc_put_vara_int(group, v, start, count, values));
  SAY(nc_get_vara_int(group, v, start, count, got));
  for (int i = 0; i < 24; ++i) fprintf(list, " %d", got[i]);
}

/* A type that Sverdrup does not write, after data. */
static void define_opaque(int file) {
  int type;
  asks_endian = 0;
  SAY(nc_redef(file));
  SAY(nc_def_opaque(file, 7, "seven", &type));
  SAY(nc_enddef(file));
}

/* Groups in groups, with dimensions of their own and of those around them: all defined before data, some after them,
 * and a type at the end that leaves the file to netCDF, if `leaves`. */
static void grouped(int leaves) {
  const int file = make(0);
  int dims[3], own[3], ocean, deep, ice, late, later, v[6];
  grid(file, dims);
  SAY(nc_def_grp(file, "ocean", &ocean));
  MUST(nc_def_grp(file, "ice", &ice));
  MUST(nc_def_grp(ocean, "deep", &deep));
  SAY(nc_def_grp(file, "ice", &late));
  SAY(nc_def_grp(file, "a/b", &late));
  SAY(nc_def_grp(ocean, "x", &late));
  MUST(nc_def_dim(ocean, "time", NC_UNLIMITED, &own[0]));
  MUST(nc_def_dim(deep, "x", 6, &own[2]));
  own[1] = dims[1];
  MUST(nc_def_var(ocean, "temp", NC_INT, 3, dims, &v[0]));
  MUST(nc_def_var(deep, "temp", NC_SHORT, 3, own, &v[1]));
  MUST(nc_def_var(file, "temp", NC_DOUBLE, 3, dims, &v[2]));
  MUST(nc_def_var(ice, "x", NC_FLOAT, 1, &dims[2], &v[3]));
  MUST(nc_def_var_deflate(deep, v[1], 1, 1, 2));
  MUST(nc_put_att_text(deep, v[1], "units", 1, "K"));
  MUST(nc_put_att_text(ocean, NC_GLOBAL, "title", 5, "ocean"));
  MUST(nc_put_att_int(file, NC_GLOBAL, "version", NC_INT, 1, (int[]){3}));
  SAY(nc_def_var(deep, "wrong", NC_INT, 1, (int[]){99}, &v[4]));
  ask(file);
  SAY(nc_close(ocean));
  SAY(nc_enddef(deep));
  put_together(ocean, v[0]), put_together(deep, v[1]), put_together(file, v[2]), put_together(ice, v[3]);
  for (size_t record = 0; record < 2; ++record) put_record(ocean, v[0], record);
  for (size_t record = 0; record < 3; ++record) put_record(deep, v[1], record);
  put_record(file, v[2], 0);
  SAY(nc_put_var_float(ice, v[3], (float[]){1, 2, 3, 4, 5, 6}));
  SAY(nc_put_var_float(ice, 1, (float[]){1}));
  SAY(nc_sync(ocean));
  ask(file);
  SAY(nc_redef(ice));
  MUST(nc_def_grp(ocean, "late", &late));
  MUST(nc_def_grp(late, "later", &later));
  MUST(nc_def_dim(late, "y", 4 * (size_t)ranks, &own[1]));
  own[2] = dims[2];
  MUST(nc_def_var(later, "temp", NC_INT64, 3, own, &v[4]));
  MUST(nc_def_var(file, "more", NC_INT, 3, dims, &v[5]));
  MUST(nc_put_att_double(later, NC_GLOBAL, "depth", NC_DOUBLE, 1, (double[]){3.5}));
  MUST(nc_put_att_text(ocean, NC_GLOBAL, "title", 3, "sea"));
  SAY(nc_enddef(file));
  put_together(later, v[4]), put_together(file, v[5]);
  put_record(later, v[4], 3);
  put_record(file, v[5], 1);
  put_record(ocean, v[0], 2);
  SAY(nc_redef(file));
  MUST(nc_put_att_text(late, NC_GLOBAL, "title", 4, "late"));
  SAY(nc_enddef(file));
  put_record(ocean, v[0], 3);
  ask(file);
  if (leaves) {
    define_opaque(file);
    put_record(later, v[4], 4);
    put_record(deep, v[1], 1);
    ask(file);
  }
  SAY(nc_close(file));
}

/* Variables of strings, in a group and outside, with records: put and got in all kinds of access. */
static void strings(void) {
  const int file = make(0);
  const char *const names[] = {"one", "", "three and more", "IV", "a somewhat longer string, of several words", "six"};
  char *got[12] = {NULL};
  int dims[2], group, plain, many, one, numbers;
  MUST(nc_def_grp(file, "stations", &group));
  MUST(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  MUST(nc_def_dim(group, "station", 6, &dims[1]));
  MUST(nc_def_var(group, "name", NC_STRING, 1, dims + 1, &plain));
  MUST(nc_def_var(group, "note", NC_STRING, 2, dims, &many));
  MUST(nc_def_var(file, "title", NC_STRING, 0, NULL, &one));
  MUST(nc_def_var(file, "number", NC_INT, 1, dims, &numbers));
  SAY(nc_enddef(file));
  ask(file);
  SAY(nc_put_var_string(group, plain, (const char **)names));
  for (size_t record = 0; record < 5; ++record) /* ncdump does not read strings that are not there */
    SAY(nc_put_vara_string(group, many, (size_t[]){record, 0}, (size_t[]){1, 6}, (const char **)names));
  SAY(nc_put_vara_string(group, many, (size_t[]){1, 1}, (size_t[]){2, 3}, (const char **)names));
  SAY(nc_put_vars_string(group, many, (size_t[]){3, 1}, (size_t[]){1, 3}, (ptrdiff_t[]){1, 2}, (const char **)names));
  SAY(nc_put_var1(file, one, NULL, names + 2));
  SAY(nc_put_vara_int(file, numbers, (size_t[]){0}, (size_t[]){5}, (int[]){1, 2, 3, 4, 5}));
  SAY(nc_put_var_int(group, plain, (int[]){1, 2, 3, 4, 5, 6}));
  SAY(nc_put_var_text(group, plain, "text"));
  SAY(nc_put_vara_string(file, numbers, (size_t[]){0}, (size_t[]){5}, (const char **)names));
  SAY(nc_put_vara_string(group, plain, (size_t[]){5}, (size_t[]){2}, (const char **)names));
#define LIST(call, n)                                                                          \
  SAY(call);                                                                                   \
  for (int i = 0; i < n; ++i) fprintf(list, " '%s'", got[i] == NULL ? "none at all" : got[i]); \
  SAY(nc_free_string(n, got))
  LIST(nc_get_var_string(group, plain, got), 6);
  LIST(nc_get_vars_string(group, many, (size_t[]){1, 0}, (size_t[]){3, 2}, (ptrdiff_t[]){1, 2}, got), 6);
  LIST(nc_get_varm_string(group, many, (size_t[]){1, 0}, (size_t[]){2, 3}, NULL, (ptrdiff_t[]){1, 2}, got), 6);
  LIST(nc_get_var1(file, one, NULL, got), 1);
  SAY(nc_sync(file));
  SAY(nc_redef(file));
  MUST(nc_def_var(group, "late", NC_STRING, 2, dims, &one));
  SAY(nc_enddef(file));
  for (size_t record = 0; record < 5; ++record)
    SAY(nc_put_vara_string(group, one, (size_t[]){record, 0}, (size_t[]){1, 6}, (const char **)names));
  SAY(nc_put_var1_string(group, plain, (size_t[]){3}, (const char **)names));
  LIST(nc_get_vara_string(group, one, (size_t[]){2, 0}, (size_t[]){1, 4}, got), 4);
  ask(file);
  SAY(nc_close(file));
}

/* Integers with names: variables of enumerations, one of them with a fill value. If `leaves`, a further enumeration
 * after data, and a compound type. */
static void enumerated(int leaves) {
  const int file = make(0);
  const signed char values[] = {0, 1, 127}, one = 1;
  int dims[3], cloud, flag, type, other, v[3], late = -1;
  signed char row[24], got[24] = {0};
  grid(file, dims);
  MUST(nc_def_enum(file, NC_INT64, "flag_t", &other));
  MUST(nc_def_enum(file, NC_BYTE, "cloud_t", &type));
  for (int i = 0; i < 3; ++i)
    MUST(nc_insert_enum(file, type, (const char *[]){"clear", "stratus", "missing"}[i], &values[i]));
  MUST(nc_insert_enum(file, other, "large", &(long long){1LL << 40}));
  MUST(nc_def_var(file, "flag", other, 3, dims, &flag));
  MUST(nc_def_var(file, "cloud", type, 2, dims + 1, &cloud));
  MUST(nc_def_var(file, "again", type, 3, dims, &v[0]));
  SAY(nc_def_var_fill(file, v[0], NC_FILL, &values[2]));
  MUST(nc_def_var_deflate(file, v[0], 0, 1, 1));
  SAY(nc_enddef(file));
  ask(file);
  for (int i = 0; i < 24; ++i) row[i] = values[(i + rank) % 3];
  put_together(file, cloud), put_together(file, flag), put_together(file, v[0]);
  long long large[24];
  for (int i = 0; i < 24; ++i) large[i] = 1LL << 40; /* ncdump takes members only */
  const size_t start[] = {0, 4 * (size_t)rank, 0}, count[] = {1, 4, 6};
  SAY(nc_put_vara(file, cloud, start + 1, count + 1, row));
  SAY(nc_put_vara(file, v[0], start, count, row));
  SAY(nc_put_vara_int(file, cloud, start + 1, count + 1, (int[24]){1}));
  SAY(nc_put_vara(file, flag, start, count, large));
  SAY(nc_get_vara(file, cloud, start + 1, count + 1, got));
  for (int i = 0; i < 24; ++i) fprintf(list, " %d", got[i]);
  SAY(nc_get_vara_int(file, v[0], start, count, (int[24]){1}));
  if (leaves) {
    SAY(nc_redef(file));
    SAY(nc_def_enum(file, NC_BYTE, "late_t", &late));
    SAY(nc_insert_enum(file, late, "one", &one));
    SAY(nc_def_var(file, "late", late, 2, dims + 1, &v[1]));
    SAY(nc_enddef(file));
    put_together(file, v[1]);
    memset(row, one, sizeof row);
    SAY(nc_put_vara(file, v[1], start + 1, count + 1, row));
    SAY(nc_put_vara(file, v[0], start, count, row));
  }
  ask(file);
  SAY(nc_close(file));
}

/* Definitions that change after data. */
static void redefine(void) {
  const int file = make(0);
  int dims[3], v, w;
  grid(file, dims);
  MUST(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  MUST(nc_put_att_text(file, v, "gone", 1, "m"));
  SAY(nc_rename_var(file, v, "u"));
  SAY(nc_rename_dim(file, dims[1], "row"));
  MUST(nc_enddef(file));
  put_together(file, v);
  move_float(file, v, 0);
  SAY(nc_sync(file));
  SAY(nc_redef(file));
  SAY(nc_def_var(file, "w", NC_SHORT, 2, dims + 1, &w));
  SAY(nc_put_att_text(file, v, "units", 1, "m"));
  SAY(nc_del_att(file, v, "gone"));
  SAY(nc_rename_att(file, v, "units", "unit"));
  SAY(nc_enddef(file));
  SAY(nc_put_att_int(file, NC_GLOBAL, "late", NC_INT, 1, (int[]){3}));
  move_float(file, v, 1);
  short row[24];
  for (int i = 0; i < 24; ++i) row[i] = (short)(i + rank);
  SAY(nc_put_vara_short(file, w, (size_t[]){4 * (size_t)rank, 0}, (size_t[]){4, 6}, row));
  ask(file);
  SAY(nc_close(file));
}

/* Names that change after data. */
static void rename_late(void) {
  const int file = make(0);
  int dims[3], v;
  asks_endian = 0;
  grid(file, dims);
  MUST(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  MUST(nc_enddef(file));
  put_together(file, v);
  move_float(file, v, 0);
  SAY(nc_sync(file));
  SAY(nc_rename_var(file, v, "u"));
  move_float(file, v, 1);
  ask(file);
  SAY(nc_close(file));
}

#ifndef SERIAL
/* All ranks end in the middle of a step, after others were synchronised. */
static void killed(void) {
  const int file = make(0);
  int dims[3], v;
  float values[24];
  grid(file, dims);
  MUST(nc_def_var(file, "v", NC_FLOAT, 3, dims, &v));
  MUST(nc_def_var_deflate(file, v, 1, 1, 1));
  MUST(nc_def_var_chunking(file, v, NC_CHUNKED, (size_t[]){1, 4, 6}));
  for (size_t record = 0; record < 3; ++record) {
    for (int i = 0; i < 24; ++i) values[i] = (float)record + 1;
    MUST(nc_put_vara_float(file, v, (size_t[]){record, 4 * (size_t)rank, 0}, (size_t[]){1, 4, 6}, values));
    if (record == 1) MUST(nc_sync(file));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  raise(SIGKILL);
}
#endif

/* A case whose file and list have its name. */
static void run(const char *chosen) {
  char file[4096], name[4096];
  snprintf(file, sizeof file, "%s.nc", chosen);
  snprintf(name, sizeof name, "%s.list.%d", chosen, rank);
  path = file;
  list = fopen(name, "w");
  asks_endian = 1;
  if (!strcmp(chosen, "storage")) storage(0);
  if (!strcmp(chosen, "classic")) storage(1);
  if (!strcmp(chosen, "quantized")) quantized();
  if (!strcmp(chosen, "independent")) independent();
  if (!strcmp(chosen, "unlimited")) unlimited();
  if (!strncmp(chosen, "grouped", 7)) grouped(strstr(chosen, "left") != NULL);
  if (!strcmp(chosen, "strings")) strings();
  if (!strncmp(chosen, "enum", 4)) enumerated(strstr(chosen, "left") != NULL);
  if (!strcmp(chosen, "redefine")) redefine();
  if (!strcmp(chosen, "rename")) rename_late();
  if (!strncmp(chosen, "left", 4)) left(chosen, 0);
  if (!strncmp(chosen, "late", 4)) left(chosen, 1);
  if (!strncmp(chosen, "small", 5)) left(chosen, 2);
#ifndef SERIAL
  if (!strcmp(chosen, "opened.early")) rename_before_opening();
  if (!strncmp(chosen, "opened", 6)) opened(strstr(chosen, "write") != NULL);
  if (!strcmp(chosen, "given")) given();
  if (!strcmp(chosen, "killed")) killed();
#endif
  fclose(list);
}

int main(int argc, char **argv) {
#ifdef SERIAL
  ranks = 1;
#else
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
#endif
  for (int i = 1; i < argc; ++i) run(argv[i]);
#ifdef SERIAL
  return 0;
#else
  return MPI_Finalize();
#endif
}
