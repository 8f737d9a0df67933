/* Points: unstructured grids. */
#include <stdlib.h>

#include "values.h"

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Indices from 1 as C wants them, `room` of them or more, for the caller to free; NULL without memory. */
static int64_t *from_zero(const CFI_cdesc_t *indices, int64_t room) {
  const int64_t n = svf_size(indices);
  int64_t *const all = calloc((size_t)larger(1, larger(n, room)), sizeof *all);
  if (all == NULL) return NULL;
  svf_integers(indices, n, all);
  for (int64_t i = 0; i < n; ++i) all[i] -= 1;
  return all;
}

/* Without memory, or for arrays that do not go together, the call fails on every rank. */
static void refuse(sv_context *io, int status, const char *cause, const char *remedy) {
  if (io != NULL) sv_refuse(io, status, cause, remedy);
}

void svf_points(const svf_io *io, svf_decomp *points, const CFI_cdesc_t *shape, const CFI_cdesc_t *indices,
                const int *flags, int *ierr) {
  int64_t grid[SV_MAX_GRID_DIMS], n = svf_size(indices);
  const int64_t ndims = svf_integers(shape, SV_MAX_GRID_DIMS, grid);
  *points = (svf_decomp){
      .context = io->handle, .comm = io->comm, .ndims = (int)ndims, .own_ndims = 1, .empty = n == 0, .extent = {n}};
  for (int64_t d = 0; d < ndims && ndims <= SV_MAX_GRID_DIMS; ++d) points->shape[d] = grid[ndims - 1 - d];
  int64_t *const all = from_zero(indices, n);
  if (all == NULL) refuse(io->handle, SV_ENOMEM, "no memory for the indices of the points", "Use more ranks");
  svf_end(sv_def_points(io->handle, (int)ndims, points->shape, n, all, flags == NULL ? 0 : *flags, &points->handle),
          io->comm, ierr);
  free(all);
}

/* Ordered points have the arrays of their cells. The call is made in any case, with as many values as it reads. */
static void begin_order(const svf_decomp *points, const CFI_cdesc_t *values, svf_decomp *ordered) {
  *ordered = *points;
  ordered->handle = NULL;
  if (points->handle != NULL && svf_size(values) != points->extent[0])
    refuse(points->context, SV_EINVAL, "as many values are needed as this rank has points",
           "Pass one for each index of sv_def_points, without a halo");
}

void svf_order_points(const svf_decomp *points, const CFI_cdesc_t *positions, svf_decomp *ordered, int *ierr) {
  int64_t *const all = from_zero(positions, points->extent[0]);
  begin_order(points, positions, ordered);
  if (all == NULL) refuse(points->context, SV_ENOMEM, "no memory for the positions of the points", "Use more ranks");
  svf_end(sv_order_points(points->handle, all, &ordered->handle), points->comm, ierr);
  free(all);
}

void svf_order_points_along_curve(const svf_decomp *points, const CFI_cdesc_t *longitude, const CFI_cdesc_t *latitude,
                                  svf_decomp *ordered, int *ierr) {
  const int64_t n = svf_size(longitude), room = larger(1, larger(n, points->extent[0]));
  double *const all = calloc((size_t)(2 * room), sizeof *all);
  begin_order(points, longitude, ordered);
  if (svf_size(latitude) != n)
    refuse(points->context, SV_EINVAL, "longitude and latitude are not of one length", "Pass both for every point");
  else if (all == NULL)
    refuse(points->context, SV_ENOMEM, "no memory for the coordinates of the points", "Use more ranks");
  else if (n > 0) {
    svf_gather(longitude, n, all);
    svf_gather(latitude, n, all + room);
  }
  svf_end(sv_order_points_along_curve(points->handle, all, all == NULL ? NULL : all + room, &ordered->handle),
          points->comm, ierr);
  free(all);
}

void svf_def_order(const svf_file *file, int dim, const CFI_cdesc_t *name, const svf_decomp *ordered, int *var,
                   int *ierr) {
  char *const text = svf_text(name);
  svf_end(sv_def_order(file->handle, dim, text, ordered->handle, var), file->comm, ierr);
  free(text);
}

void svf_inq_points(const svf_decomp *points, int64_t *cells, int64_t *owned, int64_t *runs, double *seconds,
                    int64_t *bytes, int *ierr) {
  svf_end(sv_inq_points(points->handle, cells, owned, runs, seconds, bytes), points->comm, ierr);
}
