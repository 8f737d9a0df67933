/* How libsverdrup_netcdf hands a new netCDF-4 file to the library that has such files, which it loads for the first of
 * them (bindings/netcdf/led.cpp): libsverdrup_netcdf4 for files that are made in parallel, libsverdrup_netcdf4_serial,
 * which has no MPI, for others. From then on it leads the calls with that file's number there. Both libraries have the
 * same functions. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The first numbers of files that are made in parallel, and of others. Those of netCDF are less, and those of
 * libsverdrup_netcdf begin at the end. The numbers of the groups of a file follow its own, as in netCDF. */
enum {
  sv_netcdf4_first = 0x40000000,
  sv_netcdf4_serial_first = 0x60000000,
  sv_netcdf4_end = 0x7d000000,
  sv_netcdf4_numbers = 1 << 16 /* of a file */
};

struct sv_netcdf4_call {
  const void *caller; /* an address in the code that calls */
  const char *path;
  int mode;
  /* Of files that are made in parallel only. */
  int is_fortran; /* comm and info are Fortran's numbers */
  void *comm;     /* handles of MPI, as they came in a register */
  void *info;
};

/* Collective over the communicator, where there is one. Returns the code that the program gets. With success, `ncid` is
 * the number of the file; or it is below 0, with a reason in words (at most `length` bytes): the real library makes the
 * file. `rank` and `ranks` are those of the caller, of the summary. */
typedef int sv_netcdf4_create_function(const struct sv_netcdf4_call *call, int *ncid, char *reason, size_t length,
                                       int *rank, int *ranks);
__attribute__((visibility("default"))) sv_netcdf4_create_function sv_netcdf4_create;
/* The same for an existing file, with the mode of nc_open_par. */
__attribute__((visibility("default"))) sv_netcdf4_create_function sv_netcdf4_open;

/* Of libsverdrup_netcdf4_serial. Writes all puts into its file at this path, so that the program can open it again. */
typedef void sv_netcdf4_settle_function(const char *path);
__attribute__((visibility("default"))) sv_netcdf4_settle_function sv_netcdf4_settle;

#ifdef __cplusplus
}
#endif
