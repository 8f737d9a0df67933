/* Definitions that change, and the rest of inquiry. */
#include <stdlib.h>
#include <string.h>

#include "define.h"

void svf_redef(const svf_file *file, int *ierr) { svf_end(sv_redef(file->handle), file->comm, ierr); }

void svf_rename_dim(const svf_file *file, int dim, const CFI_cdesc_t *name, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_rename_dim(file->handle, dim, own), file->comm, ierr);
  free(own);
}

void svf_rename_var(const svf_file *file, int var, const CFI_cdesc_t *name, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_rename_var(file->handle, var, own), file->comm, ierr);
  free(own);
}

void svf_rename_att(const svf_file *file, int var, const CFI_cdesc_t *name, const CFI_cdesc_t *new_name, int *ierr) {
  char *const from = svf_text(name), *const to = svf_text(new_name);
  svf_end(sv_rename_att(file->handle, var, from, to), file->comm, ierr);
  free(from);
  free(to);
}

void svf_del_att(const svf_file *file, int var, const CFI_cdesc_t *name, int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_del_att(file->handle, var, own), file->comm, ierr);
  free(own);
}

void svf_copy_att(const svf_file *from, int from_var, const CFI_cdesc_t *name, const svf_file *to, int to_var,
                  int *ierr) {
  char *const own = svf_text(name);
  svf_end(sv_copy_att(from->handle, from_var, own, to->handle, to_var), to->comm, ierr);
  free(own);
}

void svf_inq_path(const svf_file *file, const CFI_cdesc_t *path, int *ierr) {
  size_t length = 0;
  char *own = NULL;
  int status = sv_inq_path(file->handle, &length, NULL);
  if (status == SV_OK && (own = malloc(length + 1)) == NULL) status = svf_fail(SV_ENOMEM, "sv_inq_path: no memory");
  if (status == SV_OK) status = sv_inq_path(file->handle, NULL, own);
  if (status == SV_OK && !svf_pad(own, length, path))
    status = svf_fail(SV_EINVAL, "sv_inq_path: the path has %zu characters. Pass a longer variable", length);
  svf_end(status, file->comm, ierr);
  free(own);
}

void svf_inq_kind(const svf_file *file, int *kind, int *ierr) {
  svf_end(sv_inq_kind(file->handle, kind), file->comm, ierr);
}

void svf_inq_type(int type, const CFI_cdesc_t *name, int *bytes, int *ierr) {
  char own[SV_MAX_NAME] = "";
  int64_t size = 0;
  int status = sv_inq_type(type, own, &size);
  if (status == SV_OK && bytes != NULL) *bytes = (int)size;
  if (status == SV_OK && !svf_pad(own, strlen(own), name))
    status = svf_fail(SV_EINVAL, "sv_inq_type: the character variable is too short for '%s'", own);
  svf_end(status, SVF_NO_COMM, ierr);
}

void svf_inq_fill(const svf_file *file, int var, int *defined, const CFI_cdesc_t *value, int *ierr) {
  char name[SV_MAX_NAME] = "";
  int64_t fill = 0;
  int type = 0;
  int status = sv_inq_var(file->handle, var, name, &type, NULL, NULL, NULL);
  if (status == SV_OK) status = sv_inq_fill(file->handle, var, defined, &fill);
  if (status == SV_OK && value != NULL) {
    if (svf_is_one(value, type))
      memcpy(value->base_addr, &fill, value->elem_len);
    else
      status = svf_fail(SV_ETYPE, "variable '%s': the fill value is one value of the variable's type. Pass one", name);
  }
  svf_end(status, file->comm, ierr);
}

void svf_inq_packing(const svf_file *file, int var, int *on, int *ierr) {
  svf_end(sv_inq_packing(file->handle, var, on), file->comm, ierr);
}

void svf_inq_attid(const svf_file *file, int var, const CFI_cdesc_t *name, int *number, int *ierr) {
  char *const own = svf_text(name);
  int index = 0;
  const int status = sv_inq_attid(file->handle, var, own, &index);
  if (status == SV_OK && number != NULL) *number = index + 1;
  svf_end(status, file->comm, ierr);
  free(own);
}
