/* How single variables are stored. */
#include "binding.h"

void svf_def_var_chunking(const svf_file *file, int var, int storage, const CFI_cdesc_t *lengths, int *ierr) {
  int n = 0;
  int64_t given[SV_MAX_DIMS] = {0}, reversed[SV_MAX_DIMS] = {0};
  int status = sv_inq_var(file->handle, var, NULL, NULL, &n, NULL, NULL);
  if (status == SV_OK && lengths != NULL && svf_integers(lengths, SV_MAX_DIMS, given) != n)
    status = svf_fail(SV_EINVAL, "sv_def_var_chunking: the variable has %d dimensions; give as many lengths", n);
  for (int d = 0; d < n; ++d) reversed[d] = given[n - 1 - d];
  if (status == SV_OK) status = sv_def_var_chunking(file->handle, var, storage, lengths != NULL ? reversed : NULL);
  svf_end(status, file->comm, ierr);
}

void svf_inq_var_chunking(const svf_file *file, int var, int *storage, const CFI_cdesc_t *lengths, int *ierr) {
  int n = 0;
  int64_t own[SV_MAX_DIMS] = {0};
  int status = sv_inq_var(file->handle, var, NULL, NULL, &n, NULL, NULL);
  if (status == SV_OK) status = sv_inq_var_chunking(file->handle, var, storage, own);
  if (status == SV_OK && lengths != NULL && lengths->dim[0].extent < n)
    status =
        svf_fail(SV_EINVAL, "sv_inq_var_chunking: the variable has %d dimensions, more than 'lengths' has room for", n);
  for (int d = 0; status == SV_OK && lengths != NULL && d < n; ++d)
    *(int64_t *)((char *)lengths->base_addr + d * lengths->dim[0].sm) = own[n - 1 - d];
  svf_end(status, file->comm, ierr);
}

void svf_def_var_deflate(const svf_file *file, int var, int shuffle, int level, int *ierr) {
  svf_end(sv_def_var_deflate(file->handle, var, shuffle, level), file->comm, ierr);
}

void svf_inq_var_deflate(const svf_file *file, int var, int *shuffle, int *level, int *ierr) {
  svf_end(sv_inq_var_deflate(file->handle, var, shuffle, level), file->comm, ierr);
}

void svf_def_var_zstandard(const svf_file *file, int var, int level, int *ierr) {
  svf_end(sv_def_var_zstandard(file->handle, var, level), file->comm, ierr);
}

void svf_inq_var_zstandard(const svf_file *file, int var, int *level, int *ierr) {
  svf_end(sv_inq_var_zstandard(file->handle, var, level), file->comm, ierr);
}

void svf_def_var_fletcher32(const svf_file *file, int var, int on, int *ierr) {
  svf_end(sv_def_var_fletcher32(file->handle, var, on), file->comm, ierr);
}

void svf_inq_var_fletcher32(const svf_file *file, int var, int *on, int *ierr) {
  svf_end(sv_inq_var_fletcher32(file->handle, var, on), file->comm, ierr);
}

void svf_def_var_filter(const svf_file *file, int var, int id, const CFI_cdesc_t *params, int *ierr) {
  int64_t given[SV_MAX_FILTERS] = {0};
  unsigned own[SV_MAX_FILTERS] = {0};
  const int64_t n = svf_integers(params, SV_MAX_FILTERS, given);
  for (int64_t i = 0; i < n && i < SV_MAX_FILTERS; ++i) own[i] = (unsigned)given[i];
  svf_end(sv_def_var_filter(file->handle, var, (unsigned)id, (size_t)n, own), file->comm, ierr);
}

void svf_inq_var_filter_ids(const svf_file *file, int var, int *nfilters, const CFI_cdesc_t *ids, int *ierr) {
  size_t n = 0;
  unsigned own[SV_MAX_FILTERS] = {0};
  int status = sv_inq_var_filter_ids(file->handle, var, &n, own);
  if (status == SV_OK && nfilters != NULL) *nfilters = (int)n;
  if (status == SV_OK && ids != NULL && ids->dim[0].extent < (CFI_index_t)n)
    status = svf_fail(SV_EINVAL, "sv_inq_var_filter_ids: there are %zu filters, more than 'ids' has room for", n);
  for (size_t i = 0; status == SV_OK && ids != NULL && i < n; ++i)
    *(int *)((char *)ids->base_addr + (CFI_index_t)i * ids->dim[0].sm) = (int)own[i];
  svf_end(status, file->comm, ierr);
}

void svf_def_var_quantize(const svf_file *file, int var, int mode, int digits, int *ierr) {
  svf_end(sv_def_var_quantize(file->handle, var, mode, digits), file->comm, ierr);
}

void svf_inq_var_quantize(const svf_file *file, int var, int *mode, int *digits, int *ierr) {
  svf_end(sv_inq_var_quantize(file->handle, var, mode, digits), file->comm, ierr);
}

void svf_def_var_error_bound(const svf_file *file, int var, int kind, double bound, int *ierr) {
  svf_end(sv_def_var_error_bound(file->handle, var, kind, bound), file->comm, ierr);
}

void svf_inq_var_error_bound(const svf_file *file, int var, int *kind, double *bound, double *largest, int *ierr) {
  svf_end(sv_inq_var_error_bound(file->handle, var, kind, bound, largest), file->comm, ierr);
}

void svf_def_var_endian(const svf_file *file, int var, int endian, int *ierr) {
  svf_end(sv_def_var_endian(file->handle, var, endian), file->comm, ierr);
}

void svf_inq_var_endian(const svf_file *file, int var, int *endian, int *ierr) {
  svf_end(sv_inq_var_endian(file->handle, var, endian), file->comm, ierr);
}

void svf_def_var_nofill(const svf_file *file, int var, int on, int *ierr) {
  svf_end(sv_def_var_nofill(file->handle, var, on), file->comm, ierr);
}

void svf_inq_var_nofill(const svf_file *file, int var, int *on, int *ierr) {
  svf_end(sv_inq_var_nofill(file->handle, var, on), file->comm, ierr);
}
