/* Names of files that would be templates in Sverdrup's own interface, and names of 256 bytes; and a file that is closed
 * after main, by a function that existed before the first call. The codes of the calls are
 * printed.
 *
 *   names FOLDER */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const char *call, int code) { printf("%s: %s\n", call, ncmpi_strerrno(code)); }

static void make(const char *folder, const char *name) {
  char path[500];
  int file, x, v, value = 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  printf("%s\n", name);
  report("create", ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file));
  report("def_dim", ncmpi_def_dim(file, "x", 1, &x));
  report("def_var v", ncmpi_def_var(file, "v", NC_INT, 1, &x, &v));
  report("def_var w", ncmpi_def_var(file, "w", NC_INT, 1, &x, &v));
  report("enddef", ncmpi_enddef(file));
  report("put", ncmpi_put_var_int_all(file, v, &value));
  report("close", ncmpi_close(file));
  report("open", ncmpi_open(MPI_COMM_WORLD, path, NC_WRITE, MPI_INFO_NULL, &file));
  value = 0;
  report("get", ncmpi_get_var_int_all(file, v, &value));
  printf("%d\n", value);
  report("close", ncmpi_close(file));
}

static void make_long(const char *folder) {
  char path[500], name[NC_MAX_NAME + 2], found[NC_MAX_NAME + 1];
  int file, x, v, value = 3;
  memset(name, 'n', sizeof name);
  name[NC_MAX_NAME + 1] = '\0';
  snprintf(path, sizeof path, "%s/long.nc", folder);
  report("create", ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &file));
  report("def_dim of 257", ncmpi_def_dim(file, name, 1, &x));
  name[NC_MAX_NAME] = '\0';
  report("def_dim", ncmpi_def_dim(file, name, 1, &x));
  report("def_var", ncmpi_def_var(file, name, NC_INT, 1, &x, &v));
  report("put_att", ncmpi_put_att_int(file, v, name, NC_INT, 1, &value));
  report("enddef", ncmpi_enddef(file));
  report("put", ncmpi_put_var_int_all(file, v, &value));
  report("close", ncmpi_close(file));
  report("open", ncmpi_open(MPI_COMM_WORLD, path, NC_NOWRITE, MPI_INFO_NULL, &file));
  report("inq_varname", ncmpi_inq_varname(file, 0, found));
  report("inq_dimname", ncmpi_inq_dimname(file, 0, found));
  report("inq_attname", ncmpi_inq_attname(file, 0, 0, found));
  report("inq_varid", ncmpi_inq_varid(file, found, &v));
  report("get_att", ncmpi_get_att_int(file, v, found, &value));
  printf("%d %d\n", (int)strlen(found), value);
  report("close", ncmpi_close(file));
}

static int last = -1;
static void close_last(void) {
  report("close after main", ncmpi_close(last));
  MPI_Finalize();
}

int main(int argc, char **argv) {
  static const char *const names[] = {"_%f_%v.nc", "%v", "100%.nc", "%Y-%m-%d.nc", "%s%n%d.nc", "%%v.nc", "%v.nc.%v"};
  char path[500];
  MPI_Init(&argc, &argv);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  atexit(close_last);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) make(argv[1], names[i]);
  make_long(argv[1]);
  snprintf(path, sizeof path, "%s/last.nc", argv[1]);
  report("create", ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER, MPI_INFO_NULL, &last));
  report("enddef", ncmpi_enddef(last));
  return 0;
}
