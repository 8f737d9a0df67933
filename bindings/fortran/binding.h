/* The derived types of the Fortran module as C sees them, and how a call ends. The functions svf_* that Fortran calls
 * are declared by the interface bodies of the module alone. */
#ifndef SVF_BINDING_H
#define SVF_BINDING_H

#include "descriptor.h"
#include "sverdrup/binding.h"

#define SVF_NO_COMM ((MPI_Fint)-1) /* of a handle that no call has made */

/* `comm`: the communicator given to sv_init, for MPI_Abort. */
typedef struct {
  sv_context *handle;
  MPI_Fint comm;
} svf_io; /* type(sv_context_t) */

/* Slowest first. `extent`: of this rank's arrays, with the halo, in `own_ndims` dimensions: as many as the grid has, or
 * for points one; `empty`: this rank owns nothing. */
typedef struct {
  sv_decomp *handle;
  sv_context *context; /* of points */
  MPI_Fint comm;
  int ndims, own_ndims, empty;
  int64_t shape[SV_MAX_GRID_DIMS], extent[SV_MAX_GRID_DIMS];
} svf_decomp; /* type(sv_decomp_t) */

typedef struct {
  sv_file *handle;
  sv_context *context;
  MPI_Fint comm;
} svf_file; /* type(sv_file_t) */

/* Ends a call: stores the status where the caller asked for it; otherwise an error is printed and ends the job. */
void svf_end(int status, MPI_Fint comm, int *ierr);

/* An error that only the Fortran side can see, in a local call: keeps the text for sv_message and returns `status`. */
__attribute__((format(printf, 2, 3))) int svf_fail(int status, const char *format, ...);

#endif
