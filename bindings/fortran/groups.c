/* Strings and groups. */
#include <stdlib.h>
#include <string.h>

#include "string_arrays.h"

static int no_memory(const char *name) { return svf_fail(SV_ENOMEM, "attribute '%s': no memory", name); }

void svf_put_att_string(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *values, int *ierr) {
  char *const own = svf_text(name);
  const int64_t count = svf_size(values);
  char **const strings = svf_strings_of(values);
  int status = own == NULL || strings == NULL ? no_memory("?") : SV_OK;
  if (status == SV_OK) status = sv_put_att_string(file->handle, var, own, count, (const char *const *)strings);
  svf_end(status, file->comm, ierr);
  svf_free_strings(count, strings);
  free(own);
}

static int get_strings(const svf_file *file, int var, const char *name, const CFI_cdesc_t *values) {
  int type = 0;
  int64_t count = 0;
  int status = sv_inq_att(file->handle, var, name, &type, &count);
  if (status != SV_OK) return status;
  if (type == SV_CHAR) count = 1;
  if (svf_size(values) < count)
    return svf_fail(SV_EINVAL, "attribute '%s': it has %lld strings. Pass a vector of that size", name,
                    (long long)count);
  char **const strings = calloc((size_t)count + 1, sizeof *strings);
  if (strings == NULL) return no_memory(name);
  status = sv_get_att_string(file->handle, var, name, strings);
  const int64_t wrong = status == SV_OK ? svf_pad_strings(count, strings, values) : 0;
  if (wrong > 0)
    status = svf_fail(SV_EINVAL, "attribute '%s': its string %lld of %lld characters does not fit. Pass longer ones",
                      name, (long long)wrong, (long long)strlen(strings[wrong - 1]));
  sv_free_string(count, strings);
  free(strings);
  return status;
}

void svf_get_att_string(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *values, int *ierr) {
  char *const own = svf_text(name);
  svf_end(own == NULL ? no_memory("?") : get_strings(file, var, own, values), file->comm, ierr);
  free(own);
}

/* The ids of a group's members: `call` lists them. */
typedef int list_call(const sv_file *, int, int *, int *);

static int list_ids(const svf_file *file, int grp, list_call *call, int *count, const CFI_cdesc_t *ids) {
  int found = 0;
  int status = call(file->handle, grp, &found, NULL);
  if (status == SV_OK && count != NULL) *count = found;
  if (status != SV_OK || ids == NULL) return status;
  if (ids->dim[0].extent < found)
    return svf_fail(SV_EINVAL, "group %d: %d ids. Pass a vector of that size", grp, found);
  int *const all = calloc((size_t)found + 1, sizeof *all);
  if (all == NULL) return svf_fail(SV_ENOMEM, "group %d: no memory", grp);
  status = call(file->handle, grp, &found, all);
  for (int i = 0; i < found && status == SV_OK; ++i) *(int *)((char *)ids->base_addr + i * ids->dim[0].sm) = all[i];
  free(all);
  return status;
}

void svf_inq_grps(const svf_file *file, int grp, int *count, const CFI_cdesc_t *ids, int *ierr) {
  svf_end(list_ids(file, grp, sv_inq_grps, count, ids), file->comm, ierr);
}

void svf_inq_grp_varids(const svf_file *file, int grp, int *count, const CFI_cdesc_t *ids, int *ierr) {
  svf_end(list_ids(file, grp, sv_inq_grp_varids, count, ids), file->comm, ierr);
}

void svf_inq_grp_dimids(const svf_file *file, int grp, int *count, const CFI_cdesc_t *ids, int *ierr) {
  svf_end(list_ids(file, grp, sv_inq_grp_dimids, count, ids), file->comm, ierr);
}

void svf_inq_grp_natts(const svf_file *file, int grp, int *natts, int *ierr) {
  svf_end(sv_inq_grp_natts(file->handle, grp, natts), file->comm, ierr);
}

void svf_def_grp(const svf_file *file, int parent, const CFI_cdesc_t *name, int *grp, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_def_grp(file->handle, parent, own, grp), file->comm, ierr);
  free(own);
}

void svf_inq_grpid(const svf_file *file, int parent, const CFI_cdesc_t *name, int *grp, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_inq_grpid(file->handle, parent, own, grp), file->comm, ierr);
  free(own);
}

static int pad_name(int status, const char *own, const CFI_cdesc_t *name) {
  if (status != SV_OK || svf_pad(own, strlen(own), name)) return status;
  return svf_fail(SV_EINVAL, "group '%s': its name does not fit. Pass a longer variable", own);
}

void svf_inq_grpname(const svf_file *file, int grp, const CFI_cdesc_t *name, int *ierr) {
  char own[SV_MAX_NAME] = "";
  const int status = sv_inq_grpname(file->handle, grp, own);
  svf_end(pad_name(status, own, name), file->comm, ierr);
}

void svf_inq_grpname_full(const svf_file *file, int grp, const CFI_cdesc_t *name, int *ierr) {
  char own[SV_MAX_NAME] = "";
  const int status = sv_inq_grpname_full(file->handle, grp, own);
  svf_end(pad_name(status, own, name), file->comm, ierr);
}

void svf_inq_grp_parent(const svf_file *file, int grp, int *parent, int *ierr) {
  svf_end(sv_inq_grp_parent(file->handle, grp, parent), file->comm, ierr);
}
