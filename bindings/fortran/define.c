/* Files and their definitions. */
#include <stdlib.h>
#include <string.h>

#include "define.h"

void svf_create(const svf_io *io, const CFI_cdesc_t *path, svf_file *file, const int *flags, int *ierr) {
  char *const name = svf_text(path);
  *file = (svf_file){NULL, io->handle, io->comm};
  svf_end(sv_create(io->handle, name, flags == NULL ? 0 : *flags, &file->handle), io->comm, ierr);
  free(name);
}

void svf_open(const svf_io *io, const CFI_cdesc_t *path, svf_file *file, const int *flags, int *ierr) {
  char *const name = svf_text(path);
  *file = (svf_file){NULL, io->handle, io->comm};
  svf_end(sv_open(io->handle, name, flags == NULL ? 0 : *flags, &file->handle), io->comm, ierr);
  free(name);
}

void svf_enddef(const svf_file *file, int *ierr) { svf_end(sv_enddef(file->handle), file->comm, ierr); }

void svf_sync(const svf_file *file, int *ierr) { svf_end(sv_sync(file->handle), file->comm, ierr); }

static void end_file(svf_file *file, int (*end)(sv_file *), int *ierr) {
  const int status = end(file->handle);
  file->handle = NULL;
  svf_end(status, file->comm, ierr);
}

void svf_close(svf_file *file, int *ierr) { end_file(file, sv_close, ierr); }
void svf_abort(svf_file *file, int *ierr) { end_file(file, sv_abort, ierr); }

void svf_def_dim(const svf_file *file, const CFI_cdesc_t *name, const CFI_cdesc_t *length, int *dim, int *ierr) {
  char *const text = svf_text(name);
  int64_t cells = -1;
  svf_integers(length, 1, &cells);
  svf_end(sv_def_dim(file->handle, text, cells, dim), file->comm, ierr);
  free(text);
}

void svf_def_var(const svf_file *file, const CFI_cdesc_t *name, int type, const CFI_cdesc_t *dims, int *var,
                 int *ierr) {
  char *const text = svf_text(name);
  int64_t ids[SV_MAX_DIMS] = {0};
  int reversed[SV_MAX_DIMS] = {0};
  const int n = svf_integers(dims, SV_MAX_DIMS, ids);
  for (int d = 0; d < n && n <= SV_MAX_DIMS; ++d) reversed[d] = (int)ids[n - 1 - d];
  int status;
  if (n > SV_MAX_DIMS)
    status = svf_fail(SV_ELIMIT, "variable '%s': %d dimensions are more than %d", text, n, SV_MAX_DIMS);
  else
    status = sv_def_var(file->handle, text, type, n, reversed, var);
  svf_end(status, file->comm, ierr);
  free(text);
}

static int is_integer(int type) { return type != SV_CHAR && type != SV_FLOAT && type != SV_DOUBLE; }

static int bytes_of(int type) {
  static const int bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return type >= SV_BYTE && type <= SV_UINT64 ? bytes[type] : 0;
}

/* Fortran has no unsigned kinds: their bits travel in integers of the same size. */
static int same_bits(int memory, int file) {
  return memory == file || (is_integer(memory) && is_integer(file) && bytes_of(memory) == bytes_of(file));
}

int svf_is_one(const CFI_cdesc_t *value, int type) {
  return same_bits(svf_type(value), type) && svf_size(value) == 1 && value->elem_len == (size_t)bytes_of(type);
}

void svf_def_fill(const svf_file *file, int var, const CFI_cdesc_t *value, int *ierr) {
  char name[SV_MAX_NAME] = "";
  int type = 0;
  int status = sv_inq_var(file->handle, var, name, &type, NULL, NULL, NULL);
  if (status == SV_OK && !svf_is_one(value, type))
    status =
        svf_fail(SV_ETYPE, "variable '%s': the fill value is not one value of the variable's type. Pass one", name);
  if (status == SV_OK) status = sv_def_fill(file->handle, var, value->base_addr);
  svf_end(status, file->comm, ierr);
}

void svf_def_packing(const svf_file *file, int var, double scale_factor, double add_offset, int *ierr) {
  svf_end(sv_def_packing(file->handle, var, scale_factor, add_offset), file->comm, ierr);
}

void svf_use_packing(const svf_file *file, int var, const CFI_cdesc_t *on, int *ierr) {
  int64_t flag = 0;
  int status = SV_OK;
  if (!svf_is_logical(on) || svf_integers(on, 1, &flag) != 1)
    status = svf_fail(SV_EINVAL, "sv_use_packing: 'on' is not a logical");
  if (status == SV_OK) status = sv_use_packing(file->handle, var, flag != 0);
  svf_end(status, file->comm, ierr);
}

/* In C the grid's first dimension counts from the slowest; in Fortran from the fastest. */
void svf_def_var_decomp_dim(const svf_file *file, int var, const svf_decomp *decomp, int first_dim, int *ierr) {
  int ndims = 0;
  int status = sv_inq_var(file->handle, var, NULL, NULL, &ndims, NULL, NULL);
  if (status == SV_OK) status = sv_def_var_decomp_dim(file->handle, var, ndims - (first_dim - 1) - decomp->ndims);
  svf_end(status, file->comm, ierr);
}

void svf_def_alignment(const svf_file *file, const int64_t *header_free, const int64_t *data_align,
                       const int64_t *variable_align, const int64_t *fixed_free, const int64_t *record_align,
                       int *ierr) {
  const int64_t *const given[] = {header_free, data_align, variable_align, fixed_free, record_align};
  int64_t bytes[5];
  for (int i = 0; i < 5; ++i) bytes[i] = given[i] != NULL ? *given[i] : -1;
  svf_end(sv_def_alignment(file->handle, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]), file->comm, ierr);
}

void svf_put_att_text(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *text, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_put_att(file->handle, var, own, SV_CHAR, (int64_t)text->elem_len, text->base_addr), file->comm, ierr);
  free(own);
}

static int put_att(const svf_file *file, int var, const char *name, const CFI_cdesc_t *values, const int *as) {
  const int64_t count = svf_size(values);
  const int type = as == NULL ? svf_type(values) : *as;
  if (values->rank > 1 || count < 0)
    return svf_fail(SV_EINVAL, "attribute '%s': its values are an array of rank %d. Pass a scalar or a vector", name,
                    values->rank);
  if (!same_bits(svf_type(values), type))
    return svf_fail(SV_ETYPE, "attribute '%s': values of type %d do not stand for type %d", name, svf_type(values),
                    type);
  void *const packed = malloc((size_t)count * values->elem_len + 1);
  if (packed == NULL) return svf_fail(SV_ENOMEM, "attribute '%s': no memory", name);
  svf_gather(values, count, packed);
  const int status = sv_put_att(file->handle, var, name, type, count, packed);
  free(packed);
  return status;
}

void svf_put_att(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *values, const int *as,
                 int *ierr) {
  char *const own = svf_text(name);
  svf_end(own == NULL ? svf_fail(SV_ENOMEM, "sv_put_att: no memory") : put_att(file, var, own, values, as), file->comm,
          ierr);
  free(own);
}
