/* sv_init to sv_finalize, decompositions. */
#include <stdlib.h>

#include "binding.h"

static void free_all(int n, char **texts) {
  for (int i = 0; i < n; ++i) free(texts[i]);
  free(texts);
}

/* The elements of a character array that are not blank. NULL without memory. */
static char **texts_of(const CFI_cdesc_t *array, int *n) {
  const int size = array == NULL ? 0 : (int)array->dim[0].extent;
  char **const texts = calloc((size_t)size + 1, sizeof *texts);
  *n = 0;
  for (int i = 0; texts != NULL && i < size; ++i) {
    char *const text = svf_copy((const char *)array->base_addr + i * array->dim[0].sm, array->elem_len);
    if (text == NULL) {
      free_all(*n, texts);
      return NULL;
    }
    if (text[0] == '\0')
      free(text);
    else
      texts[(*n)++] = text;
  }
  return texts;
}

void svf_init(svf_io *io, const MPI_Fint *comm, const CFI_cdesc_t *config, const CFI_cdesc_t *options, int *ierr) {
  int n = 0, status;
  char **const settings = texts_of(options, &n);
  char *const path = svf_text(config);
  io->comm = *comm;
  io->handle = NULL;
  if (settings == NULL || (config != NULL && path == NULL))
    status = svf_fail(SV_ENOMEM, "sv_init: no memory for the options");
  else
    status = sv_init_fortran(*comm, path != NULL && path[0] != '\0' ? path : NULL, n, (const char *const *)settings,
                             &io->handle);
  free(path);
  if (settings != NULL) free_all(n, settings);
  svf_end(status, io->comm, ierr);
}

_Bool svf_is_model(const svf_io *io, int *ierr) {
  int is_model = 0;
  svf_end(sv_is_model(io->handle, &is_model), io->comm, ierr);
  return is_model != 0;
}

void svf_model_comm(const svf_io *io, MPI_Fint *comm, int *ierr) {
  MPI_Comm found = MPI_COMM_NULL;
  const int status = sv_model_comm(io->handle, &found);
  *comm = MPI_Comm_c2f(found);
  svf_end(status, io->comm, ierr);
}

void svf_finalize(svf_io *io, int *ierr) {
  const int status = sv_finalize(io->handle);
  io->handle = NULL;
  svf_end(status, io->comm, ierr);
}

void svf_end_step(const svf_io *io, int *ierr) { svf_end(sv_end_step(io->handle), io->comm, ierr); }

void svf_write_summary(const svf_io *io, const CFI_cdesc_t *path, int *ierr) {
  char *const name = svf_text(path);
  svf_end(sv_write_summary(io->handle, name), io->comm, ierr);
  free(name);
}

void svf_inq_setting(const svf_io *io, const CFI_cdesc_t *path, const CFI_cdesc_t *key, const CFI_cdesc_t *value,
                     int *ierr) {
  char *const name = svf_text(path), *const asked = svf_text(key), *own = NULL;
  size_t length = 0;
  int status = sv_inq_setting(io->handle, name, asked, &length, NULL);
  if (status == SV_OK && (own = malloc(length + 1)) == NULL) status = svf_fail(SV_ENOMEM, "sv_inq_setting: no memory");
  if (status == SV_OK) status = sv_inq_setting(io->handle, name, asked, NULL, own);
  if (status == SV_OK && !svf_pad(own, length, value))
    status = svf_fail(SV_EINVAL, "sv_inq_setting: the value has %zu characters. Pass a longer variable", length);
  svf_end(status, io->comm, ierr);
  free(name);
  free(asked);
  free(own);
}

void svf_refuse(const svf_io *io, int status, const CFI_cdesc_t *cause, const CFI_cdesc_t *remedy, int *ierr) {
  char *const why = svf_text(cause), *const what = svf_text(remedy);
  svf_end(sv_refuse(io->handle, status, why, what), io->comm, ierr);
  free(why);
  free(what);
}

static void refuse(const svf_io *io, const char *cause) {
  if (io->handle != NULL)
    sv_refuse(io->handle, SV_EINVAL, cause, "All of a decomposition's arrays have one entry per dimension");
}

static void reverse(int n, int64_t *values) {
  for (int i = 0; i < n / 2; ++i) {
    const int64_t kept = values[i];
    values[i] = values[n - 1 - i];
    values[n - 1 - i] = kept;
  }
}

/* Halos in C's order (low and high of each dimension, slowest first) from one width per dimension or two. */
static void halo_of(int ndims, int given, const int64_t *widths, int64_t *halo) {
  for (int d = 0; d < ndims; ++d) {
    const int to = 2 * (ndims - 1 - d);
    halo[to] = given == 0 ? 0 : given == ndims ? widths[d] : widths[2 * d];
    halo[to + 1] = given == 0 ? 0 : given == ndims ? widths[d] : widths[2 * d + 1];
  }
}

typedef struct {
  int ndims, halo_given;
  int64_t start[SV_MAX_GRID_DIMS], count[SV_MAX_GRID_DIMS], halo[2 * SV_MAX_GRID_DIMS];
  int periodic[SV_MAX_GRID_DIMS];
} block;

/* The caller's description in C's order; NULL, or its error. */
static const char *block_of(const CFI_cdesc_t *start, const CFI_cdesc_t *count, const CFI_cdesc_t *halo,
                            const CFI_cdesc_t *periodic, block *to) {
  int64_t widths[2 * SV_MAX_GRID_DIMS], flags[SV_MAX_GRID_DIMS] = {0};
  const int n = to->ndims, widths_given = svf_integers(halo, 2 * SV_MAX_GRID_DIMS, widths);
  if (svf_integers(start, SV_MAX_GRID_DIMS, to->start) != n)
    return "'start' has not one entry per dimension of the grid";
  if (svf_integers(count, SV_MAX_GRID_DIMS, to->count) != n)
    return "'count' has not one entry per dimension of the grid";
  if (widths_given != 0 && widths_given != n && widths_given != 2 * n)
    return "'halo' has neither one entry per dimension of the grid nor two";
  halo_of(n, widths_given, widths, to->halo);
  if (periodic != NULL) {
    if (!svf_is_logical(periodic)) return "'periodic' is not logical";
    if (svf_integers(periodic, SV_MAX_GRID_DIMS, flags) != n)
      return "'periodic' has not one entry per dimension of the grid";
  }
  for (int d = 0; d < n; ++d) {
    to->start[d] -= 1;
    to->periodic[d] = flags[n - 1 - d] != 0;
  }
  reverse(n, to->start);
  reverse(n, to->count);
  return NULL;
}

void svf_def_decomp(const svf_io *io, svf_decomp *decomp, const CFI_cdesc_t *shape, const CFI_cdesc_t *start,
                    const CFI_cdesc_t *count, const CFI_cdesc_t *halo, const CFI_cdesc_t *periodic, const int *flags,
                    int *ierr) {
  block own = {.ndims = svf_integers(shape, SV_MAX_GRID_DIMS, decomp->shape)};
  const char *cause = NULL;
  *decomp = (svf_decomp){.comm = io->comm, .ndims = own.ndims, .own_ndims = own.ndims};
  if (own.ndims <= SV_MAX_GRID_DIMS) {
    svf_integers(shape, SV_MAX_GRID_DIMS, decomp->shape);
    reverse(own.ndims, decomp->shape);
    cause = block_of(start, count, halo, periodic, &own);
  }
  if (cause != NULL) refuse(io, cause);
  for (int d = 0; cause == NULL && d < own.ndims && d < SV_MAX_GRID_DIMS; ++d) {
    decomp->extent[d] = own.halo[2 * d] + own.count[d] + own.halo[2 * d + 1];
    decomp->empty = decomp->empty || own.count[d] == 0;
  }
  const sv_decomp_options options = {own.halo, own.periodic, flags == NULL ? 0 : *flags};
  svf_end(sv_def_decomp(io->handle, own.ndims, decomp->shape, own.start, own.count, &options, &decomp->handle),
          io->comm, ierr);
}

void svf_free_decomp(svf_decomp *decomp, int *ierr) {
  const int status = sv_free_decomp(decomp->handle);
  decomp->handle = NULL;
  svf_end(status, decomp->comm, ierr);
}

void svf_block(const CFI_cdesc_t *length, int parts, int part, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
               int *ierr) {
  int64_t cells = 0, first = 0, own = 0;
  svf_integers(length, 1, &cells);
  int status = sv_block(cells, parts, part, &first, &own);
  if (status == SV_OK && !(svf_store(start, first + 1) && svf_store(count, own)))
    status = svf_fail(SV_ERANGE, "sv_block: the part needs integer(int64)");
  svf_end(status, SVF_NO_COMM, ierr);
}

void svf_serve(const MPI_Fint *comm, const CFI_cdesc_t *config, const CFI_cdesc_t *options, int *ierr) {
  int n = 0, status;
  char **const settings = texts_of(options, &n);
  char *const path = svf_text(config);
  if (settings == NULL || (config != NULL && path == NULL))
    status = svf_fail(SV_ENOMEM, "sv_serve: no memory for the options");
  else
    status =
        sv_serve(MPI_Comm_f2c(*comm), path != NULL && path[0] != '\0' ? path : NULL, n, (const char *const *)settings);
  free(path);
  if (settings != NULL) free_all(n, settings);
  svf_end(status, *comm, ierr);
}

void svf_inq_servers(const svf_io *io, int *servers, int *ierr) {
  svf_end(sv_inq_servers(io->handle, servers), io->comm, ierr);
}

void svf_flush(const svf_io *io, int level, int *ierr) { svf_end(sv_flush(io->handle, level), io->comm, ierr); }

void svf_durable_step(const svf_io *io, int64_t *step, int *ierr) {
  svf_end(sv_durable_step(io->handle, step), io->comm, ierr);
}

void svf_request_stop(const svf_io *io, int *ierr) { svf_end(sv_request_stop(io->handle), io->comm, ierr); }

void svf_stop_on_signal(const svf_io *io, int signal_number, int *ierr) {
  svf_end(sv_stop_on_signal(io->handle, signal_number), io->comm, ierr);
}

_Bool svf_stopping(const svf_io *io, int *ierr) {
  int stopping = 0;
  svf_end(sv_stopping(io->handle, &stopping), io->comm, ierr);
  return stopping != 0;
}

void svf_pause_forwarding(const svf_io *io, int *ierr) { svf_end(sv_pause_forwarding(io->handle), io->comm, ierr); }

void svf_resume_forwarding(const svf_io *io, int *ierr) { svf_end(sv_resume_forwarding(io->handle), io->comm, ierr); }
