/* A program that looks up PnetCDF's functions by a handle, as ctypes and Julia do: writes a file, and reads it again.
 * Arguments: PnetCDF's library, the file. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void *library;
static void check(int code, const char *what) {
  if (code == 0) return;
  fprintf(stderr, "handle: %s: %d\n", what, code);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define LOOK_UP(result, name, ...)                      \
  result (*name)(__VA_ARGS__);                          \
  do {                                                  \
    void *const found = dlsym(library, "ncmpi_" #name); \
    memcpy(&name, &found, sizeof found);                \
  } while (0)

int main(int argc, char **argv) {
  int file = -1, dim = -1, variable = -1, dims = -1;
  double values[2] = {1.5, 2.5}, found[2] = {0, 0};
  MPI_Init(&argc, &argv);
  if (argc < 3) return 2;
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  check(library == NULL, "dlopen");
  LOOK_UP(int, create, MPI_Comm, const char *, int, MPI_Info, int *);
  LOOK_UP(int, open, MPI_Comm, const char *, int, MPI_Info, int *);
  LOOK_UP(int, def_dim, int, const char *, MPI_Offset, int *);
  LOOK_UP(int, def_var, int, const char *, int, int, const int *, int *);
  LOOK_UP(int, enddef, int);
  LOOK_UP(int, put_var_double_all, int, int, const double *);
  LOOK_UP(int, get_var_double_all, int, int, double *);
  LOOK_UP(int, inq_ndims, int, int *);
  LOOK_UP(int, close, int);
  check(create(MPI_COMM_WORLD, argv[2], 0, MPI_INFO_NULL, &file), "create");
  check(def_dim(file, "x", 2, &dim), "def_dim");
  check(def_var(file, "v", 6, 1, &dim, &variable), "def_var");
  check(enddef(file), "enddef");
  check(put_var_double_all(file, variable, values), "put_var_double_all");
  check(close(file), "close");
  check(open(MPI_COMM_WORLD, argv[2], 0, MPI_INFO_NULL, &file), "open");
  check(inq_ndims(file, &dims), "inq_ndims");
  check(get_var_double_all(file, variable, found), "get_var_double_all");
  check(close(file), "close");
  check(dims != 1 || found[0] != values[0] || found[1] != values[1], "values");
  return MPI_Finalize();
}
