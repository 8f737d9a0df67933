/* Puts and gets that wait. Local, except svf_wait. Errors that only Fortran can see are refused here. */
#include <stdlib.h>

#include "regions.h"

/* The calls that differ in nothing but what they do. */
typedef enum { put, buffered_put, get } kind;

typedef struct {
  sv_request number;
} svf_request_handle; /* type(sv_request_t) */

/* Where the number of a new request goes; NULL where the caller does not want it. */
static sv_request *number_of(svf_request_handle *request) {
  if (request == NULL) return NULL;
  request->number = SV_NO_REQUEST;
  return &request->number;
}

static void field(kind how, const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
                  const CFI_cdesc_t *record, svf_request_handle *request, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  const int64_t n = svf_record_of(record);
  sv_request *const made = number_of(request);
  svf_values own;
  svf_expect_block(file, var, decomp, &memory, &own);
  int status = svf_refused(file, var, &own);
  if (status == SV_OK)
    status =
        how == put
            ? sv_iput(file->handle, var, decomp->handle, n, (sv_source){own.type, own.data, own.memory_strides}, made)
        : how == get
            ? sv_iget(file->handle, var, decomp->handle, n, (sv_target){own.type, own.data, own.memory_strides}, made)
            : sv_bput(file->handle, var, decomp->handle, n, (sv_source){own.type, own.data, own.memory_strides}, made);
  svf_end(status, file->comm, ierr);
}

static void whole(kind how, const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record,
                  svf_request_handle *request, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  const int64_t n = svf_record_of(record);
  sv_request *const made = number_of(request);
  svf_values own;
  svf_expect_whole(file, var, &memory, &own);
  int status = svf_refused(file, var, &own);
  if (status == SV_OK)
    status = how == put ? sv_iput_var(file->handle, var, n, (sv_source){own.type, own.data, own.memory_strides}, made)
             : how == get
                 ? sv_iget_var(file->handle, var, n, (sv_target){own.type, own.data, own.memory_strides}, made)
                 : sv_bput_var(file->handle, var, n, (sv_source){own.type, own.data, own.memory_strides}, made);
  svf_end(status, file->comm, ierr);
}

static void box(kind how, const svf_file *file, int var, const svf_request *given, const CFI_cdesc_t *data,
                svf_request_handle *request, int *ierr) {
  const svf_memory memory = svf_memory_of(data);
  sv_request *const made = number_of(request);
  sv_file *const to = file->handle;
  svf_values own;
  const svf_box at = svf_expect_box(file, var, given, &memory, &own);
  int status = svf_refused(file, var, &own);
  if (status == SV_OK)
    status = how == put   ? sv_iput_vars(to, var, at.start, at.count, at.stride,
                                         (sv_source){own.type, own.data, own.memory_strides}, made)
             : how == get ? sv_iget_vars(to, var, at.start, at.count, at.stride,
                                         (sv_target){own.type, own.data, own.memory_strides}, made)
                          : sv_bput_vars(to, var, at.start, at.count, at.stride,
                                         (sv_source){own.type, own.data, own.memory_strides}, made);
  svf_end(status, file->comm, ierr);
}

static void regions(kind how, const svf_file *file, int var, const svf_request *given, const CFI_cdesc_t *data,
                    svf_request_handle *request, int *ierr) {
  sv_request *const made = number_of(request);
  sv_file *const to = file->handle;
  svf_values own;
  svf_regions all;
  const svf_memory memory = svf_memory_of(data);
  svf_expect_regions(file, var, given, &memory, &all, &own);
  int status = svf_refused(file, var, &own);
  if (status == SV_OK)
    status = how == put
                 ? sv_iput_varn(to, var, all.n, all.starts, all.counts, (sv_source){own.type, own.data, NULL}, made)
             : how == get
                 ? sv_iget_varn(to, var, all.n, all.starts, all.counts, (sv_target){own.type, own.data, NULL}, made)
                 : sv_bput_varn(to, var, all.n, all.starts, all.counts, (sv_source){own.type, own.data, NULL}, made);
  svf_free_regions(&all);
  svf_end(status, file->comm, ierr);
}

void svf_iput(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
              const CFI_cdesc_t *record, svf_request_handle *request, int *ierr) {
  field(put, file, var, decomp, data, record, request, ierr);
}

void svf_iput_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record,
                  svf_request_handle *request, int *ierr) {
  whole(put, file, var, data, record, request, ierr);
}

void svf_iput_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(put, file, var, &(svf_request){start, count, NULL}, data, request, ierr);
}

void svf_iput_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *stride, const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(put, file, var, &(svf_request){start, count, stride}, data, request, ierr);
}

void svf_iput_varn(const svf_file *file, int var, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  regions(put, file, var, &(svf_request){starts, counts, NULL}, data, request, ierr);
}

void svf_bput(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
              const CFI_cdesc_t *record, svf_request_handle *request, int *ierr) {
  field(buffered_put, file, var, decomp, data, record, request, ierr);
}

void svf_bput_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record,
                  svf_request_handle *request, int *ierr) {
  whole(buffered_put, file, var, data, record, request, ierr);
}

void svf_bput_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(buffered_put, file, var, &(svf_request){start, count, NULL}, data, request, ierr);
}

void svf_bput_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *stride, const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(buffered_put, file, var, &(svf_request){start, count, stride}, data, request, ierr);
}

void svf_bput_varn(const svf_file *file, int var, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  regions(buffered_put, file, var, &(svf_request){starts, counts, NULL}, data, request, ierr);
}

void svf_iget(const svf_file *file, int var, const svf_decomp *decomp, const CFI_cdesc_t *data,
              const CFI_cdesc_t *record, svf_request_handle *request, int *ierr) {
  field(get, file, var, decomp, data, record, request, ierr);
}

void svf_iget_var(const svf_file *file, int var, const CFI_cdesc_t *data, const CFI_cdesc_t *record,
                  svf_request_handle *request, int *ierr) {
  whole(get, file, var, data, record, request, ierr);
}

void svf_iget_vara(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(get, file, var, &(svf_request){start, count, NULL}, data, request, ierr);
}

void svf_iget_vars(const svf_file *file, int var, const CFI_cdesc_t *start, const CFI_cdesc_t *count,
                   const CFI_cdesc_t *stride, const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  box(get, file, var, &(svf_request){start, count, stride}, data, request, ierr);
}

void svf_iget_varn(const svf_file *file, int var, const CFI_cdesc_t *starts, const CFI_cdesc_t *counts,
                   const CFI_cdesc_t *data, svf_request_handle *request, int *ierr) {
  regions(get, file, var, &(svf_request){starts, counts, NULL}, data, request, ierr);
}

void svf_attach_buffer(const svf_file *file, const CFI_cdesc_t *bytes, int *ierr) {
  int64_t size = 0;
  svf_integers(bytes, 1, &size);
  svf_end(sv_attach_buffer(file->handle, size), file->comm, ierr);
}

void svf_detach_buffer(const svf_file *file, int *ierr) { svf_end(sv_detach_buffer(file->handle), file->comm, ierr); }

void svf_inq_buffer(const svf_file *file, int64_t *bytes, int64_t *used_bytes, int *ierr) {
  svf_end(sv_inq_buffer(file->handle, bytes, used_bytes), file->comm, ierr);
}

void svf_inq_pending(const svf_file *file, int *pending, int *ierr) {
  svf_end(sv_inq_pending(file->handle, pending), file->comm, ierr);
}

/* A list of requests and room for the status of each, as C has them. */
typedef struct {
  int n; /* SV_ALL without a list */
  sv_request *requests;
  int *statuses;
  const char *problem;
} list;

/* The number of requests of the statuses; negative if it is unknown, which the call itself then reports. */
static int64_t size_of(const svf_file *file, const CFI_cdesc_t *requests) {
  int pending = 0;
  if (requests != NULL) return svf_size(requests);
  return sv_inq_pending(file->handle, &pending) == SV_OK ? pending : -1;
}

static list list_of(const svf_file *file, const CFI_cdesc_t *requests, const CFI_cdesc_t *statuses) {
  const int64_t size = size_of(file, requests);
  list made = {.n = requests == NULL ? SV_ALL : (int)size};
  if ((requests != NULL && requests->rank > 1) || (statuses != NULL && statuses->rank > 1))
    made.problem = "'requests' and 'statuses' are not vectors";
  else if (statuses != NULL && svf_size(statuses) < size)
    made.problem = "'statuses' is shorter than the list of requests";
  if (made.problem != NULL || size <= 0) return made;
  made.statuses = calloc((size_t)size, sizeof *made.statuses);
  if (requests != NULL) made.requests = calloc((size_t)size, sizeof *made.requests);
  if (made.statuses == NULL || (requests != NULL && made.requests == NULL)) made.problem = "there is no memory";
  if (made.problem == NULL && requests != NULL) svf_gather(requests, size, made.requests);
  if (made.problem == NULL && statuses != NULL) svf_gather(statuses, size, made.statuses);
  return made;
}

/* `size`: as it was before the call. */
static void hand_back(list *made, int64_t size, const CFI_cdesc_t *requests, const CFI_cdesc_t *statuses) {
  if (made->problem == NULL && made->requests != NULL) svf_scatter(made->requests, size, requests);
  if (made->problem == NULL && made->statuses != NULL && statuses != NULL) svf_scatter(made->statuses, size, statuses);
  free(made->requests);
  free(made->statuses);
}

static const char remedy[] = "Pass vectors of the same length, or scalars";

void svf_wait(const svf_file *file, const CFI_cdesc_t *requests, const CFI_cdesc_t *statuses, int *ierr) {
  const int64_t size = size_of(file, requests);
  list made = list_of(file, requests, statuses);
  if (made.problem != NULL && file->context != NULL) sv_refuse(file->context, SV_EINVAL, made.problem, remedy);
  const int status = made.problem != NULL ? sv_wait(file->handle, 0, NULL, NULL)
                                          : sv_wait(file->handle, made.n, made.requests, made.statuses);
  hand_back(&made, size, requests, statuses);
  svf_end(status, file->comm, ierr);
}

void svf_begin_indep(const svf_file *file, int *ierr) { svf_end(sv_begin_indep(file->handle), file->comm, ierr); }

void svf_end_indep(const svf_file *file, int *ierr) { svf_end(sv_end_indep(file->handle), file->comm, ierr); }

void svf_wait_indep(const svf_file *file, const CFI_cdesc_t *requests, const CFI_cdesc_t *statuses, int *ierr) {
  const int64_t size = size_of(file, requests);
  list made = list_of(file, requests, statuses);
  const int status = made.problem != NULL ? svf_fail(SV_EINVAL, "sv_wait_indep: %s. %s", made.problem, remedy)
                                          : sv_wait_indep(file->handle, made.n, made.requests, made.statuses);
  hand_back(&made, size, requests, statuses);
  svf_end(status, file->comm, ierr);
}

void svf_cancel(const svf_file *file, const CFI_cdesc_t *requests, const CFI_cdesc_t *statuses, int *ierr) {
  const int64_t size = size_of(file, requests);
  list made = list_of(file, requests, statuses);
  const int status = made.problem != NULL ? svf_fail(SV_EINVAL, "sv_cancel: %s. %s", made.problem, remedy)
                                          : sv_cancel(file->handle, made.n, made.requests, made.statuses);
  hand_back(&made, size, requests, statuses);
  svf_end(status, file->comm, ierr);
}
