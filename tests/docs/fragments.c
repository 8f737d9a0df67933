/* The frame of the C fragments in the documents (blocks.py). */
#include <stdlib.h>
#include <sverdrup/grid.h>
#include <sverdrup/streams.h>
#include <sverdrup/sverdrup.h>

static void check(int status) {
  if (status != SV_OK) abort();
}

/* Of a model with streams. */
extern sv_context *io;
extern sv_streams *streams;
extern int64_t ny, nx, steps;
extern double lat[], lon[], nav_lon[];
extern float block[];
extern int sst, wanted, date[6];
void advance(float *values, int *end);

void fragment(sv_file *file, sv_decomp *grid, int nvars, const int *var, int64_t n, float **field);
void fragment(sv_file *file, sv_decomp *grid, int nvars, const int *var, int64_t n, float **field) {
  (void)file, (void)grid, (void)nvars, (void)var, (void)n, (void)field, (void)check;
  /* HERE */
}
