/* Ranks that define different things: each case is a file. PnetCDF goes on with the definitions of rank 0. The codes of
 * the calls are printed for each rank.
 *
 *   differing FOLDER */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

static int rank, file;
static char path[500];
static char said[4000];

static void report(const char *call, int code) {
  const size_t used = strlen(said);
  snprintf(said + used, sizeof said - used, "rank %d, %s: %s\n", rank, call, ncmpi_strerrno(code));
}

static void print(const char *title) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) printf("%s\n%s", title, said);
  for (int r = 1; r < ranks; ++r) {
    if (rank == r) MPI_Send(said, sizeof said, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    if (rank != 0) continue;
    MPI_Recv(said, sizeof said, MPI_CHAR, r, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fputs(said, stdout);
  }
  said[0] = '\0';
}

static void define(const char *which) {
  const int other = rank == 1; /* this rank differs */
  const int is = other ? 1 : 0;
  int x, y, v, w;
  double step = 0.5 + is;
  char stamp[40];
  snprintf(stamp, sizeof stamp, "12:00:0%d", is);
  report("def_dim x", ncmpi_def_dim(file, other && strcmp(which, "dimension name") == 0 ? "xx" : "x", 4, &x));
  report("def_dim y", ncmpi_def_dim(file, "y", other && strcmp(which, "dimension size") == 0 ? 2 : 3, &y));
  const nc_type type = other && strcmp(which, "variable type") == 0 ? NC_DOUBLE : NC_INT;
  const int ndims = other && strcmp(which, "variable dimensions") == 0 ? 1 : 2;
  const char *const name = other && strcmp(which, "variable name") == 0 ? "b" : "a";
  report("def_var a", ncmpi_def_var(file, name, type, ndims, (int[]){y, x}, &v));
  report("def_var w", ncmpi_def_var(file, "w", NC_INT, 1, &x, &w));
  if (other && strcmp(which, "one variable more") == 0)
    report("def_var z", ncmpi_def_var(file, "z", NC_INT, 1, &x, &w));
  if (strcmp(which, "attribute value") == 0) report("step", ncmpi_put_att_double(file, v, "step", NC_DOUBLE, 1, &step));
  if (strcmp(which, "attribute text") == 0) report("time", ncmpi_put_att_text(file, NC_GLOBAL, "time", 8, stamp));
  if (strcmp(which, "attribute name") == 0)
    report("named", ncmpi_put_att_int(file, v, other ? "other" : "one", NC_INT, 1, &(int){1}));
}

static void make(const char *which) {
  int values[12], w[4], v = 0;
  for (int i = 0; i < 12; ++i) values[i] = i + 1;
  report("create", ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file));
  define(which);
  report("enddef", ncmpi_enddef(file));
  report("put w", ncmpi_put_vara_int_all(file, 1, (MPI_Offset[]){rank}, (MPI_Offset[]){1}, &values[rank]));
  /* A put into the variable that differs: not compared with PnetCDF, which puts it somewhere. */
  report("get w", ncmpi_get_var_int_all(file, 1, w));
  /* Not compared with PnetCDF, which moves values to and from wherever they would be. */
  const int code = ncmpi_put_vara_int_all(file, v, (MPI_Offset[]){rank, 0}, (MPI_Offset[]){1, 4}, values);
  if (rank == 1) fprintf(stderr, "put into %s: %s\n", which, ncmpi_strerrno(code));
  if (rank == 1) fprintf(stderr, "got of %s: %d %d\n", which, w[0], w[1]);
  report("close", ncmpi_close(file));
  print(which);
}

/* In data mode, where an attribute does not grow. */
static void change(void) {
  char stamp[40];
  snprintf(stamp, sizeof stamp, "12:00:0%d", rank);
  report("create", ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file));
  report("time", ncmpi_put_att_text(file, NC_GLOBAL, "time", 8, "12:00:00"));
  report("enddef", ncmpi_enddef(file));
  report("changed", ncmpi_put_att_text(file, NC_GLOBAL, "time", 8, stamp));
  report("close", ncmpi_close(file));
  print("attribute in data mode");
}

int main(int argc, char **argv) {
  static const char *const cases[] = {"nothing",        "dimension name",      "dimension size",    "variable type",
                                      "variable name",  "variable dimensions", "one variable more", "attribute value",
                                      "attribute text", "attribute name"};
  MPI_Init(&argc, &argv);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    snprintf(path, sizeof path, "%s/%d.nc", argv[1], (int)i);
    make(cases[i]);
  }
  snprintf(path, sizeof path, "%s/changed.nc", argv[1]);
  change();
  return MPI_Finalize();
}
