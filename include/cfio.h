/* The interface of CFIO over Sverdrup. SPDX-License-Identifier: Apache-2.0
 *
 * Names and arguments follow section 4, Listing 1 and Table 1 of a paper. It is Huang, Wang, Hu, Fu, Wang, Yang 2013,
 * "A fast input/output library for high-resolution climate models". docs/cfio.md lists the differences.
 *
 *   cfio_init ─▶ cfio_create ─▶ cfio_def_dim, cfio_def_var, cfio_put_att ─▶ cfio_enddef ─▶ cfio_put_vara_*
 *                                                                                               │
 *   cfio_finalize ◀──────────────────────────── cfio_io_end ◀──────────────── cfio_close ◀──────┘
 *
 * Conventions:
 *   - One model of all ranks of MPI_COMM_WORLD, and one run per process: cfio_init to cfio_finalize. Not for threads.
 *   - Every function returns 0, or a status code of sverdrup/sverdrup.h; cfio_message() then returns the cause.
 *   - "Collective" means: all clients (the processes that compute), in the same order. An error of one, or of a server,
 *     is returned on all of them, at this call or at the next. Other calls are local.
 *   - Dimensions, starts and counts are slowest first, and starts count from 0, as in netCDF-C; in Fortran fastest
 *     first and from 1. Ids of dimensions and variables count from 0 in both; ids of files from 1.
 */
#ifndef CFIO_H
#define CFIO_H

#include <mpi.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CFIO_API __attribute__((visibility("default")))

/* Results of cfio_proc_type, with the names of the paper and of its authors' library. */
enum {
  CFIO_TYPE_CLIENT = 1, /* computes */
  CFIO_TYPE_SERVER = 2, /* served, and is done */
  CFIO_TYPE_BLANK = 3   /* before cfio_init, or after it failed */
};
#define CFIO_PROC_CLIENT CFIO_TYPE_CLIENT
#define CFIO_PROC_SERVER CFIO_TYPE_SERVER
#define CFIO_PROC_BLANK CFIO_TYPE_BLANK
/* Between these two stands what only clients do. */
#define CFIO_START() if (cfio_proc_type() == CFIO_TYPE_CLIENT) {
#define CFIO_END() }

/* Types of variables and attributes: the numbers of netCDF. */
enum { CFIO_BYTE = 1, CFIO_CHAR = 2, CFIO_SHORT = 3, CFIO_INT = 4, CFIO_FLOAT = 5, CFIO_DOUBLE = 6 };
enum { NF_BYTE = 1, NF_INT1 = 1, NF_CHAR = 2, NF_SHORT = 3, NF_INT2 = 3, NF_INT = 4 };
enum { NF_FLOAT = 5, NF_REAL = 5, NF_DOUBLE = 6 };

enum {
  NF_NOERR = 0,
  NF_UNLIMITED = 0, /* the length of the record dimension */
  NF_GLOBAL = -1,   /* the id for attributes of the file; that of netCDF's Fortran is 0, here the first variable */
  /* Modes of cfio_create ... */
  NF_CLOBBER = 0x0000,
  NF_NOCLOBBER = 0x0004,
  NF_64BIT_OFFSET = 0x0200,
  NF_64BIT_DATA = 0x0020,
  /* ... and of cfio_open. */
  NF_NOWRITE = 0x0000,
  NF_WRITE = 0x0001
};

/* ---- the run ----------------------------------------------------------------------------------------------------- */

/* Collective over MPI_COMM_WORLD. Of its N ranks N / ratio serve, rounded down but at least one of two or more: the
 * last ones. They stay in here until the clients have finalized. The number of the others must be lat_proc x lon_proc.
 * Otherwise SV_EINVAL, on every rank, and the run has not begun. The configuration (SV_ASYNC, or the key `async` of
 * a file) overrides `ratio`, and the placement "last". */
CFIO_API int cfio_init(int lat_proc, int lon_proc, int ratio);
/* Local. CFIO_TYPE_... */
CFIO_API int cfio_proc_type(void);
/* Local, on clients: the communicator of all clients. It belongs to the run. */
CFIO_API int cfio_client_comm(MPI_Comm *comm);
CFIO_API int cfio_client_comm_fortran(MPI_Fint *comm);
/* Collective. Ends an I/O phase: hands all puts since the last one to the servers, which will commit them. The paper
 * has both names. */
CFIO_API int cfio_io_end(void);
CFIO_API int cfio_end_io(void);
/* Collective, and on servers: returns when everything is written. Before MPI_Finalize. Close files before: open ones
 * are abandoned (SV_EORDER). */
CFIO_API int cfio_finalize(void);
CFIO_API int cfio_final(void);
/* Local. A short name of a code; the cause of the last error of this process, with file, variable and remedy. */
CFIO_API const char *cfio_strerror(int status);
CFIO_API const char *cfio_message(void);

/* ---- files (collective) ------------------------------------------------------------------------------------------ */

/* cmode, mode: sums of NF_...; those of sverdrup.h are understood too. A file appears under its name when complete. */
CFIO_API int cfio_create(const char *path, int cmode, int *ncid);
CFIO_API int cfio_open(const char *path, int mode, int *ncid);
/* Back to define mode, on a file that was created, or opened with NF_WRITE. */
CFIO_API int cfio_redef(int ncid);
CFIO_API int cfio_enddef(int ncid);
/* The complete file is renamed to its name. With servers this may happen up to the return of cfio_finalize. */
CFIO_API int cfio_close(int ncid);

/* ---- definitions (local; the same on every client, compared in cfio_enddef) -------------------------------------- */

CFIO_API int cfio_def_dim(int ncid, const char *name, size_t len, int *dimid);
CFIO_API int cfio_def_var(int ncid, const char *name, int xtype, int ndims, const int *dimids, int *varid);
/* `len` values of this type. */
CFIO_API int cfio_put_att(int ncid, int varid, const char *name, int xtype, size_t len, const void *values);

/* The library of the paper's authors takes this process's part of the variable as well, before varid. Such calls
 * compile, and the part is not used: that of each put counts. */
static inline int cfio_def_var_part(int ncid, const char *name, int xtype, int ndims, const int *dimids,
                                    const size_t *start, const size_t *count, int *varid) {
  (void)start;
  (void)count;
  return cfio_def_var(ncid, name, xtype, ndims, dimids, varid);
}
#define CFIO_NINTH(a, b, c, d, e, f, g, h, name, ...) name
#define cfio_def_var(...) \
  CFIO_NINTH(__VA_ARGS__, cfio_def_var_part, takes_6_or_8_arguments, cfio_def_var, )(__VA_ARGS__)

/* ---- inquiry (local) --------------------------------------------------------------------------------------------- */

CFIO_API int cfio_inq_varid(int ncid, const char *name, int *varid);
CFIO_API int cfio_inq_dimid(int ncid, const char *name, int *dimid);
CFIO_API int cfio_inq_dimlen(int ncid, int dimid, size_t *len);

/* ---- writing and reading (collective) ---------------------------------------------------------------------------- */

/* This process's part of a variable. `ndims`: as many as the variable has, the record dimension included; a count of 0:
 * nothing. Where the parts of processes overlap, the values of the highest rank are written. The array may be reused
 * when the call returns. Values are converted to the variable's type. */
CFIO_API int cfio_put_vara_float(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                 const float *values);
CFIO_API int cfio_put_vara_real(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                const float *values);
CFIO_API int cfio_put_vara_double(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                  const double *values);
CFIO_API int cfio_put_vara_int(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                               const int *values);

/* Parts may overlap. */
CFIO_API int cfio_get_vara_float(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                 float *values);
CFIO_API int cfio_get_vara_real(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                float *values);
CFIO_API int cfio_get_vara_double(int ncid, int varid, int ndims, const size_t *start, const size_t *count,
                                  double *values);
CFIO_API int cfio_get_vara_int(int ncid, int varid, int ndims, const size_t *start, const size_t *count, int *values);

#ifdef __cplusplus
}
#endif
#endif
