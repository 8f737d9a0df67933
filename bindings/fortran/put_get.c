/* Writing and reading: collective, all of it. */
#include "values.h"

void svf_put(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
             const CFI_cdesc_t *record, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  svf_expect_block(file, var, decomp, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_put(file->handle, var, decomp->handle, svf_record_of(record), own.type, own.data, own.memory_strides),
          file->comm, ierr);
}

void svf_fill_var(const svf_file *file, int var, const CFI_cdesc_t *record, int *ierr) {
  svf_end(sv_fill_var(file->handle, var, svf_record_of(record)), file->comm, ierr);
}

void svf_get(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
             const CFI_cdesc_t *record, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  svf_expect_block(file, var, decomp, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_get(file->handle, var, decomp->handle, svf_record_of(record), own.type, own.data, own.memory_strides),
          file->comm, ierr);
}

void svf_put_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  svf_expect_whole(file, var, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_put_var(file->handle, var, svf_record_of(record), own.type, own.data, own.memory_strides), file->comm,
          ierr);
}

void svf_get_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  svf_expect_whole(file, var, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_get_var(file->handle, var, svf_record_of(record), own.type, own.data, own.memory_strides), file->comm,
          ierr);
}

static void put_box(const svf_file *file, int var, const svf_request *given, const CFI_cdesc_t *data, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  const svf_box at = svf_expect_box(file, var, given, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_put_vars(file->handle, var, at.start, at.count, at.stride,
                      (sv_source){own.type, own.data, own.memory_strides}),
          file->comm, ierr);
}

static void get_box(const svf_file *file, int var, const svf_request *given, const CFI_cdesc_t *data, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  svf_values own;
  const svf_box at = svf_expect_box(file, var, given, &memory, &own);
  svf_settle(file, &own);
  svf_end(sv_get_vars(file->handle, var, at.start, at.count, at.stride,
                      (sv_target){own.type, own.data, own.memory_strides}),
          file->comm, ierr);
}

void svf_put_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *data, int *ierr) {
  put_box(file, var, &(svf_request){start, count, NULL}, data, ierr);
}

void svf_get_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *data, int *ierr) {
  get_box(file, var, &(svf_request){start, count, NULL}, data, ierr);
}

void svf_put_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *stride, const CFI_cdesc_t *data, int *ierr) {
  put_box(file, var, &(svf_request){start, count, stride}, data, ierr);
}

void svf_get_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                  const CFI_cdesc_t *stride, const CFI_cdesc_t *data, int *ierr) {
  get_box(file, var, &(svf_request){start, count, stride}, data, ierr);
}

void svf_copy_var(const svf_file *from, int from_var, const svf_file *to, int to_var, const CFI_cdesc_t *from_record,
                  const CFI_cdesc_t *to_record, int *ierr) {
  const int status =
      sv_copy_var(from->handle, from_var, svf_record_of(from_record), to->handle, to_var, svf_record_of(to_record));
  svf_end(status, to->comm, ierr);
}
