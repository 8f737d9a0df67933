/* Sverdrup: calls for the authors of interfaces over this one. SPDX-License-Identifier: Apache-2.0
 *
 * Sverdrup's Fortran module, and its interfaces of PnetCDF and netCDF, include this header. Models do not need it: it
 * has what those see of memory and arguments that the C interface cannot see. The conventions of sverdrup.h hold.
 */
#ifndef SVERDRUP_BINDING_H
#define SVERDRUP_BINDING_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. sv_init for the Fortran module, with its errors (SV_ECONFIG). If all ranks of the models make this call,
 * messages count records from 1. */
SV_API int sv_init_fortran(MPI_Fint comm, const char *config, int n_options, const char *const *options,
                           sv_context **io);

/* Local. The next collective call of this rank fails, on every rank, with this status and text. This call is for errors
 * that only the caller can see. Examples are a binding that knows the shapes of arrays, and a model that does not want
 * to keep its values. The call may look into its arrays all the same: pass a null pointer for one that does not fit.
 * SV_EINVAL: `status` is no error. */
SV_API int sv_refuse(sv_context *io, int status, const char *cause, const char *remedy);

/* Local, in define mode. Removes the variable that was defined last, for a binding whose call defines a variable with
 * its properties, one of which was refused. SV_EORDER: another variable was defined later, or sv_enddef has been called
 * since. SV_ENOTFOUND: there is no such variable. */
SV_API int sv_undef_var(sv_file *file, int var);

/* Local. `shape` is that of a decomposition's grid, of *ndims dimensions. `extent` is that of this rank's arrays of it,
 * with the halo, of *own_ndims dimensions: as many, or one for points. A rank that owns nothing has a 0 in `extent`.
 * The arrays have room for SV_MAX_GRID_DIMS numbers. Any pointer may be NULL. SV_EINVAL: `decomp` is NULL. */
SV_API int sv_inq_decomp(const sv_decomp *decomp, int *ndims, int64_t *shape, int *own_ndims, int64_t *extent);

/* Local. Returns the cells of a decomposition's grid that this rank owns, *n of them. `cells[i]` is the row-major
 * number (from 0) of a cell in the grid. Its value is number `places[i]` in this rank's array of one level, with the
 * halo. The two arrays have room for *n numbers. Any pointer may be NULL. SV_EINVAL: `decomp` is NULL. */
SV_API int sv_inq_decomp_cells(const sv_decomp *decomp, int64_t *n, int64_t *cells, int64_t *places);

/* Local, for callers whose memory MPI's datatypes describe. The first call returns the basic type of the values, their
 * number in an item, and whether `items` items are contiguous. SV_ETYPE: netCDF does not have the type, or there are
 * several basic types. *type is then 0. The second call returns the contiguous runs of an item, in order;
 * `offsets` and `lengths`, in bytes, are NULL or have room for *runs. The other two calls copy the values of items into
 * contiguous memory, and back. */
SV_API int sv_inq_datatype(MPI_Datatype datatype, int64_t items, int *type, int64_t *values, int *contiguous);
SV_API int sv_inq_datatype_runs(MPI_Datatype datatype, int64_t *runs, int64_t *offsets, int64_t *lengths);
SV_API int sv_gather_items(sv_context *io, const void *from, int64_t items, MPI_Datatype datatype, void *to);
SV_API int sv_scatter_items(sv_context *io, const void *from, int64_t items, MPI_Datatype datatype, void *to);

/* Local. *on_device is 1 if only a device reaches the memory at `pointer`, and puts and gets copy it by the runtime of
 * the program (docs/c.md); otherwise 0. SV_EDEVICE: the runtime has no pinned memory. */
SV_API int sv_inq_memory(const void *pointer, int *on_device);

#ifdef __cplusplus
}
#endif

#endif
