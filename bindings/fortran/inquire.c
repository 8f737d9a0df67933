/* Inquiry: the contents of files, and the values of attributes. */
#include <stdlib.h>
#include <string.h>

#include "binding.h"

static int too_short(const char *what) {
  return svf_fail(SV_EINVAL, "%s: the character variable is too short for it. Give it SV_MAX_NAME", what);
}

static int too_long(const char *what) {
  return svf_fail(SV_ERANGE, "%s: the length does not fit. Use integer(int64)", what);
}

void svf_inq(const svf_file *file, int *ndims, int *nvars, int *natts, int *record_dim, int *ierr) {
  svf_end(sv_inq(file->handle, ndims, nvars, natts, record_dim), file->comm, ierr);
}

void svf_inq_unlimdims(const svf_file *file, int *count, int *dims, int *ierr) {
  svf_end(sv_inq_unlimdims(file->handle, count, dims), file->comm, ierr);
}

void svf_inq_format(const svf_file *file, int *cdf_version, int *ierr) {
  svf_end(sv_inq_format(file->handle, cdf_version), file->comm, ierr);
}

void svf_inq_file_layout(const svf_file *file, int64_t *header_bytes, int64_t *data_begin, int64_t *record_bytes,
                         int *ierr) {
  svf_end(sv_inq_file_layout(file->handle, header_bytes, data_begin, record_bytes), file->comm, ierr);
}

void svf_inq_varoffset(const svf_file *file, int var, int64_t *offset, int *ierr) {
  svf_end(sv_inq_varoffset(file->handle, var, offset), file->comm, ierr);
}

void svf_inq_range_errors(const svf_file *file, int64_t *values, int *ierr) {
  svf_end(sv_inq_range_errors(file->handle, values), file->comm, ierr);
}

void svf_inq_dim(const svf_file *file, int dim, const CFI_cdesc_t *name, const CFI_cdesc_t *length, int *ierr) {
  char own[SV_MAX_NAME] = "";
  int64_t cells = 0;
  int status = sv_inq_dim(file->handle, dim, own, &cells);
  if (status == SV_OK && !svf_pad(own, strlen(own), name)) status = too_short(own);
  if (status == SV_OK && !svf_store(length, cells)) status = too_long(own);
  svf_end(status, file->comm, ierr);
}

void svf_inq_dimid(const svf_file *file, const CFI_cdesc_t *name, int *dim, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_inq_dimid(file->handle, own, dim), file->comm, ierr);
  free(own);
}

void svf_inq_var(const svf_file *file, int var, const CFI_cdesc_t *name, int *type, int *ndims, const CFI_cdesc_t *dims,
                 int *natts, int *ierr) {
  char own[SV_MAX_NAME] = "";
  int n = 0, ids[SV_MAX_DIMS];
  int status = sv_inq_var(file->handle, var, own, type, &n, ids, natts);
  if (status == SV_OK && !svf_pad(own, strlen(own), name)) status = too_short(own);
  if (status == SV_OK && ndims != NULL) *ndims = n;
  if (status == SV_OK && dims != NULL) {
    if (dims->dim[0].extent < n)
      status = svf_fail(SV_EINVAL, "variable '%s': it has %d dimensions, more than 'dims' has room for", own, n);
    for (int d = 0; d < n && status == SV_OK; ++d)
      *(int *)((char *)dims->base_addr + d * dims->dim[0].sm) = ids[n - 1 - d];
  }
  svf_end(status, file->comm, ierr);
}

void svf_inq_varid(const svf_file *file, const CFI_cdesc_t *name, int *var, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_inq_varid(file->handle, own, var), file->comm, ierr);
  free(own);
}

void svf_inq_att(const svf_file *file, int var, const CFI_cdesc_t *name, int *type, const CFI_cdesc_t *count,
                 int *ierr) {
  char *const own = svf_text(name);
  int64_t values = 0;
  int status = sv_inq_att(file->handle, var, own, type, &values);
  if (status == SV_OK && !svf_store(count, values)) status = too_long(own);
  svf_end(status, file->comm, ierr);
  free(own);
}

void svf_inq_attname(const svf_file *file, int var, int number, const CFI_cdesc_t *name, int *ierr) {
  char own[SV_MAX_NAME] = "";
  int status = sv_inq_attname(file->handle, var, number - 1, own);
  if (status == SV_OK && !svf_pad(own, strlen(own), name)) status = too_short(own);
  svf_end(status, file->comm, ierr);
}

/* Reads the attribute into memory of this call, then copies its values where the caller wants them. */
static int get_att(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *to, int type) {
  char *const own = svf_text(name);
  int64_t count = 0;
  void *values = NULL;
  int status = sv_inq_att(file->handle, var, own, NULL, &count);
  if (status == SV_OK && (values = malloc((size_t)count * sizeof(int64_t) + 1)) == NULL)
    status = svf_fail(SV_ENOMEM, "attribute '%s': no memory", own);
  if (status == SV_OK) status = sv_get_att(file->handle, var, own, type, values);
  if (status == SV_OK && type == SV_CHAR && !svf_pad(values, (size_t)count, to))
    status = svf_fail(SV_EINVAL, "attribute '%s': its %lld characters do not fit. Pass a longer variable", own,
                      (long long)count);
  if (status == SV_OK && type != SV_CHAR) {
    if (to->rank > 1 || svf_size(to) < count)
      status =
          svf_fail(SV_EINVAL, "attribute '%s': it has %lld values. Pass a vector of that size", own, (long long)count);
    else
      svf_scatter(values, count, to);
  }
  free(values);
  free(own);
  return status;
}

void svf_get_att_text(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *text, int *ierr) {
  svf_end(get_att(file, var, name, text, SV_CHAR), file->comm, ierr);
}

void svf_get_att(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *values, int *ierr) {
  svf_end(get_att(file, var, name, values, svf_type(values)), file->comm, ierr);
}
