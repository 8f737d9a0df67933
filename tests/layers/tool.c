/* A tool as many are: its MPI_X is called first, and calls PMPI_X. The tracer must count one call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

__attribute__((visibility("default"))) int MPI_File_get_size(void *file, int64_t *bytes);

int MPI_File_get_size(void *file, int64_t *bytes) {
  int (*const next)(void *, int64_t *) = (int (*)(void *, int64_t *))dlsym(RTLD_DEFAULT, "PMPI_File_get_size");
  return next(file, bytes);
}
