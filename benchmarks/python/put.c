/* The call that put.py compares with: sv_put of one record, timed in C from a barrier on. ctypes calls it, outside of
 * the time. */
#include <mpi.h>
#include <sverdrup/sverdrup.h>

/* Seconds, or minus the status. */
SV_API double put_in_c(sv_file *file, int var, const sv_decomp *decomp, int64_t record, const double *data) {
  if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return -SV_EMPI;
  const double start = MPI_Wtime();
  const int status = sv_put(file, var, decomp, record, SV_DOUBLE, data, NULL);
  const double end = MPI_Wtime();
  return status == SV_OK ? end - start : -status;
}
