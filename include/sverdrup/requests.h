/* Sverdrup: requests of many variables, which become one ordered set of large writes. SPDX-License-Identifier:
 * Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold.
 *
 * Source: Gao, Liao, Choudhary, Ross, Latham 2009, "Combining I/O operations for multiple array variables in Parallel
 * NetCDF". The requests of one call, or of one sv_wait, may be of any variables, records, types and decompositions. The
 * library puts them in the order of the file and merges neighbours; then it writes (or reads) them together. See
 * docs/combining.md.
 *
 * Two requests of one call or wait that put the same cell are SV_ELAYOUT. With `overlap: allow` they are permitted: the
 * later request of a rank wins over its earlier ones, and the higher rank over the lower. Reads may overlap. In one
 * wait, puts come before gets.
 *
 * Errors: those of the puts and gets of sverdrup.h. A local call returns what its rank alone can see: SV_EORDER,
 * SV_ENOTFOUND, SV_EINVAL, SV_ETYPE, SV_ELAYOUT and SV_EDEVICE. sv_wait returns the others.
 */
#ifndef SVERDRUP_REQUESTS_H
#define SVERDRUP_REQUESTS_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Lists. Collective. Each of the `n` requests of this rank is a sub-array as in sv_put_vara. `n` may differ between
 * ranks and may be 0. A variable may occur several times. If a request has an error, the message names it, and the call
 * writes nothing. */
SV_API int sv_mput_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const sv_source *values);
SV_API int sv_mget_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const sv_target *values);

/* Memory that MPI describes: `count` items of a datatype. */
typedef struct sv_mpi_source {
  const void *data;
  int64_t count;
  MPI_Datatype datatype;
} sv_mpi_source;
typedef struct sv_mpi_target {
  void *data;
  int64_t count;
  MPI_Datatype datatype;
} sv_mpi_target;

/* Collective. The same calls for such memory. A datatype is made of one basic type (else SV_ETYPE) and committed (else
 * SV_EINVAL); its lower bound and its extent may be negative. The items hold as many values as the sub-array has cells
 * (else SV_EINVAL). Values that are not contiguous are copied once more. */
SV_API int sv_mput_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, const sv_mpi_source *values);
SV_API int sv_mget_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, const sv_mpi_target *values);

/* Collective. Each of the `n` requests is a distributed field, as in sv_put. */
SV_API int sv_mput(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const sv_source *values);
SV_API int sv_mget(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const sv_target *values);

/* Collective. `n` copies, each as in sv_copy_var, which the ranks begin and end together. All ranks pass the same list.
 * SV_EINVAL: one copy reads what another one writes. */
SV_API int sv_mcopy(sv_file *from, sv_file *to, int n, const int *from_vars, const int64_t *from_records,
                    const int *to_vars, const int64_t *to_records);

/* Collective. Writes or reads `n` regions of one variable, each with start and count as in sv_put_vara. The values of
 * the regions follow one another in `data`, contiguously. These calls are for ranks that own pieces of a space-filling
 * curve. */
SV_API int sv_put_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, const void *data);
SV_API int sv_get_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, void *data);

/* Requests that wait. Local. These calls check the arguments as far as one rank can, and record the request; nothing is
 * transferred before sv_wait. If a call fails, it records nothing. The array of a put must not change, and the array of
 * a get must exist, until sv_wait or sv_close; sv_close carries out the requests that are still pending. Starts, counts
 * and memory strides are copied. The regions of sv_iput_varn and sv_iget_varn have no memory strides (else SV_EINVAL).
 * `request` may be NULL if the caller will wait with SV_ALL. Ranks may make different requests, or none. All ranks that
 * call sv_iput_var for the same variable and record must pass the same values. */
SV_API int sv_iput(sv_file *file, int var, const sv_decomp *decomp, int64_t record, sv_source values,
                   sv_request *request);
SV_API int sv_iput_var(sv_file *file, int var, int64_t record, sv_source values, sv_request *request);
SV_API int sv_iput_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, sv_source values,
                        sv_request *request);
SV_API int sv_iput_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                        sv_source values, sv_request *request);
SV_API int sv_iput_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        sv_source values, sv_request *request);
SV_API int sv_iget(sv_file *file, int var, const sv_decomp *decomp, int64_t record, sv_target values,
                   sv_request *request);
SV_API int sv_iget_var(sv_file *file, int var, int64_t record, sv_target values, sv_request *request);
SV_API int sv_iget_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, sv_target values,
                        sv_request *request);
SV_API int sv_iget_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                        sv_target values, sv_request *request);
SV_API int sv_iget_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        sv_target values, sv_request *request);

/* Local. The same puts with a buffer: the values are copied, and the caller may use the array again at once. Each rank
 * has its own buffer for each file. After sv_attach_buffer, its size is `bytes`. Otherwise it grows as needed, up to
 * the key `combine.memory`. SV_ENOMEM: the buffer has no room. sv_detach_buffer returns SV_EORDER while the buffer is
 * in use. */
SV_API int sv_bput(sv_file *file, int var, const sv_decomp *decomp, int64_t record, sv_source values,
                   sv_request *request);
SV_API int sv_bput_var(sv_file *file, int var, int64_t record, sv_source values, sv_request *request);
SV_API int sv_bput_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, sv_source values,
                        sv_request *request);
SV_API int sv_bput_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                        sv_source values, sv_request *request);
SV_API int sv_bput_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        sv_source values, sv_request *request);
SV_API int sv_attach_buffer(sv_file *file, int64_t bytes);
SV_API int sv_detach_buffer(sv_file *file);
SV_API int sv_inq_buffer(const sv_file *file, int64_t *bytes, int64_t *used_bytes);

/* Collective. Carries out `n` requests of this rank, and sets their handles to SV_NO_REQUEST. `n` may be 0. With
 * SV_ALL, `requests` is NULL and the call carries out all pending requests. Handles that are already SV_NO_REQUEST are
 * skipped. `statuses` is NULL, or receives the status code of each request. If one request fails, the others are still
 * carried out. Every rank returns the same code: that of the first failed request on the lowest rank that has one.
 * SV_EINVAL: a handle is not pending, because it was waited for or cancelled before, or belongs to another file. */
SV_API int sv_wait(sv_file *file, int n, sv_request *requests, int *statuses);

/* Independent access. Between sv_begin_indep and sv_end_indep, which are collective, the local call sv_wait_indep
 * carries out requests of sub-arrays (sv_iput_vara and similar calls) of this rank. No other put or get is allowed
 * meanwhile. A rank can read its own values when the call returns; the other ranks can after sv_end_indep. That call
 * also agrees on the record count, and returns errors of the ranks' puts. sv_sync, sv_end_step, sv_redef and sv_close
 * end independent access, too. In a file that is open for reading, sv_wait_indep may be called at any time, in others
 * only there (else SV_EORDER). SV_ENOTSUP: servers, or the library of another store, write the file; a set
 * of files; with `fill: true`, a new record. */
SV_API int sv_begin_indep(sv_file *file);
SV_API int sv_end_indep(sv_file *file);
SV_API int sv_wait_indep(sv_file *file, int n, sv_request *requests, int *statuses);

/* Local. Cancels requests; none of their data are transferred. */
SV_API int sv_cancel(sv_file *file, int n, sv_request *requests, int *statuses);

/* Local. Returns the number of pending requests of this rank. */
SV_API int sv_inq_pending(const sv_file *file, int *pending);

#ifdef __cplusplus
}
#endif

#endif
