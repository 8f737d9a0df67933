/* A serial model's history as FMS writes it: axes, fields with records, definitions that are made again for attributes
 * and for a variable, computing between the records. Prints the time of the calls, and that of one copy of the values.
 *
 *   netcdf_history FILE MB RECORDS COMPUTE_SECONDS [pad | grow]      pad: room in the header, as FMS asks for; grow:
 * without */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { fields = 5, nz = 10 };
static double waited[4]; /* define, put, sync, close */
static const char *const parts[] = {"define", "put", "sync", "close"};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* An error ends the program with 3, as models do; the test wants to see it. */
#define TIMED(part, call)                                                             \
  do {                                                                                \
    const double begin = now();                                                       \
    const int code = (call);                                                          \
    waited[part] += now() - begin;                                                    \
    if (code != NC_NOERR) {                                                           \
      fprintf(stderr, "netcdf_history: %s: %d %s\n", #call, code, nc_strerror(code)); \
      exit(3);                                                                        \
    }                                                                                 \
  } while (0)

static void define(int file, size_t n, int pad, int *ids) {
  int dims[4];
  char name[32];
  TIMED(0, nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  TIMED(0, nc_def_dim(file, "z", nz, &dims[1]));
  TIMED(0, nc_def_dim(file, "cell", n, &dims[2]));
  TIMED(0, nc_def_var(file, "cell", NC_DOUBLE, 1, &dims[2], &ids[fields]));
  TIMED(0, nc_def_var(file, "time", NC_DOUBLE, 1, &dims[0], &ids[fields + 1]));
  for (int f = 0; f < fields; ++f) {
    snprintf(name, sizeof name, "field_%d", f);
    TIMED(0, nc_def_var(file, name, NC_DOUBLE, 3, dims, &ids[f]));
    TIMED(0, nc_put_att_text(file, ids[f], "units", 5, "m s-1"));
    TIMED(0, nc_put_att_double(file, ids[f], "missing_value", NC_DOUBLE, 1, (double[]){-1e20}));
  }
  TIMED(0, nc__enddef(file, pad ? 16384 : 0, 4, 0, 4));
}

static void annotate(int file, int record) {
  char name[32];
  snprintf(name, sizeof name, "checksum_%d", record);
  TIMED(0, nc_redef(file));
  TIMED(0, nc_put_att_text(file, record % fields, name, 16, "0123456789abcdef"));
  TIMED(0, nc_enddef(file));
}

/* Each field into memory that is there already: of one field, which caches may hold, or of the fields of a record. */
static double copy_seconds(const double *values, size_t cells, int records, int kept) {
  const size_t bytes = cells * sizeof *values;
  char *const to = malloc((size_t)kept * bytes);
  double total = 0;
  memset(to, 1, (size_t)kept * bytes);
  for (int i = 0; i < records * fields; ++i) {
    const double begin = now();
    memcpy(to + (size_t)(i % kept) * bytes, values + (size_t)(i % fields) * cells, bytes);
    total += now() - begin;
    if (to[(size_t)i % bytes] == 7) total += 1e-12; /* it is used */
  }
  free(to);
  return total;
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const int records = atoi(argv[3]), pad = argc < 6 || strcmp(argv[5], "grow") != 0;
  const size_t cells = (size_t)(atof(argv[2]) * 1e6) / (size_t)(records * fields) / 8, n = cells / nz;
  const useconds_t computing = (useconds_t)(atof(argv[4]) * 1e6);
  double *const values = malloc(fields * cells * sizeof *values);
  int file, ids[fields + 3];
  for (size_t i = 0; i < fields * cells; ++i) values[i] = (double)i * 0.5;
  TIMED(0, nc_create(argv[1], NC_CLOBBER | NC_64BIT_OFFSET, &file));
  define(file, n, pad, ids);
  TIMED(1, nc_put_var_double(file, ids[fields], values));
  for (int r = 0; r < records; ++r) {
    const size_t start[3] = {(size_t)r, 0, 0}, count[3] = {1, nz, n};
    if (r % 4 == 1) annotate(file, r);
    TIMED(1, nc_put_var1_double(file, ids[fields + 1], start, (double[]){r + 0.5}));
    for (int f = 0; f < fields; ++f) {
      double *const field = values + (size_t)f * cells;
      field[0] = r * 100 + f;
      TIMED(1, nc_put_vara_double(file, ids[f], start, count, field));
    }
    usleep(computing);
    if (r == records / 2) TIMED(2, nc_sync(file));
  }
  if (!pad) {
    int dim = 2;
    TIMED(0, nc_redef(file));
    TIMED(0, nc_def_var(file, "late", NC_DOUBLE, 1, &dim, &ids[fields + 2]));
    TIMED(0, nc_enddef(file));
    TIMED(1, nc_put_var_double(file, ids[fields + 2], values));
  }
  TIMED(3, nc_close(file));
  const double copy = copy_seconds(values, cells, records, 1), record = copy_seconds(values, cells, records, fields);
  double total = 0;
  for (int p = 0; p < 4; ++p) {
    printf("%s %.4f ", parts[p], waited[p]);
    total += waited[p];
  }
  printf("total %.4f copy %.4f ratio %.2f record %.4f ratio %.2f\n", total, copy, total / copy, record, total / record);
  free(values);
  return 0;
}
