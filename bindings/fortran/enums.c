/* Names of integers. */
#include <stdlib.h>
#include <string.h>

#include "string_arrays.h"

static int def_enum(const svf_file *file, int var, const char *type_name, const CFI_cdesc_t *names,
                    const CFI_cdesc_t *values) {
  const int64_t n = svf_size(names);
  if (svf_size(values) != n)
    return svf_fail(SV_EINVAL,
                    "sv_def_var_enum: 'names' and 'values' are not of one length. Pass a value for each name");
  char **const own = svf_strings_of(names);
  int64_t *const numbers = calloc((size_t)n + 1, sizeof *numbers);
  int status = SV_OK;
  if (own == NULL || numbers == NULL) status = svf_fail(SV_ENOMEM, "sv_def_var_enum: no memory");
  if (status == SV_OK) {
    svf_integers(values, n, numbers);
    status = sv_def_var_enum(file->handle, var, type_name, (int)n, (const char *const *)own, numbers);
  }
  svf_free_strings(n, own);
  free(numbers);
  return status;
}

void svf_def_var_enum(const svf_file *file, int var, const CFI_cdesc_t *type_name, const CFI_cdesc_t *names,
                      const CFI_cdesc_t *values, int *ierr) {
  char *const own = svf_text(type_name);
  svf_end(own == NULL ? svf_fail(SV_ENOMEM, "sv_def_var_enum: no memory") : def_enum(file, var, own, names, values),
          file->comm, ierr);
  free(own);
}

static int pad_name(int status, const char *own, const CFI_cdesc_t *name) {
  if (status != SV_OK || name == NULL || svf_pad(own, strlen(own), name)) return status;
  return svf_fail(SV_EINVAL, "the name '%s' does not fit. Pass a longer variable", own);
}

void svf_inq_var_enum(const svf_file *file, int var, const CFI_cdesc_t *type_name, int *nmembers, int *ierr) {
  char own[SV_MAX_NAME] = "";
  const int status = sv_inq_var_enum(file->handle, var, own, nmembers);
  svf_end(pad_name(status, own, type_name), file->comm, ierr);
}

void svf_inq_var_enum_member(const svf_file *file, int var, int member, const CFI_cdesc_t *name, int64_t *value,
                             int *ierr) {
  char own[SV_MAX_NAME] = "";
  const int status = sv_inq_var_enum_member(file->handle, var, member - 1, own, value);
  svf_end(pad_name(status, own, name), file->comm, ierr);
}
