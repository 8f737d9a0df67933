/* How libsverdrup_netcdf, which has no MPI, hands a netCDF-4 file that is made in parallel to libsverdrup_netcdf4,
 * which it loads for it (bindings/netcdf/parallel.cpp). From then on it leads the calls with that file's number there.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of such files are not less; those of libsverdrup_netcdf and of netCDF are. */
enum { sv_netcdf4_first = 0x7e000000 };

struct sv_netcdf4_call {
  const void *caller; /* an address in the code that calls */
  const char *path;
  int mode;
  int is_fortran; /* comm and info are Fortran's numbers */
  void *comm;     /* handles of MPI, as they came in a register */
  void *info;
};

/* Collective over the communicator. Returns 1 and a number, or 0 and a reason in words (at most `length` bytes): the
 * real library makes the file. `rank` and `ranks` are those of the caller, of the summary. */
typedef int sv_netcdf4_create_function(const struct sv_netcdf4_call *call, int *ncid, char *reason, size_t length,
                                       int *rank, int *ranks);
__attribute__((visibility("default"))) sv_netcdf4_create_function sv_netcdf4_create;

#ifdef __cplusplus
}
#endif
