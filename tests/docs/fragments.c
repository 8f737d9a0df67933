/* The frame of the C fragments in the documents (blocks.py). */
#include <stdlib.h>
#include <sverdrup/grid.h>
#include <sverdrup/sverdrup.h>

static void check(int status) {
  if (status != SV_OK) abort();
}

void fragment(sv_file *file, sv_decomp *grid, int nvars, const int *var, int64_t n, float **field);
void fragment(sv_file *file, sv_decomp *grid, int nvars, const int *var, int64_t n, float **field) {
  (void)file, (void)grid, (void)nvars, (void)var, (void)n, (void)field, (void)check;
  /* HERE */
}
