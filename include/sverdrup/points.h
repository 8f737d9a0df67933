/* Sverdrup: points, the cells of unstructured grids. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold.
 *
 * Source: Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework for Mass Conservation Ocean Model". See
 * docs/points.md.
 */
#ifndef SVERDRUP_POINTS_H
#define SVERDRUP_POINTS_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. This rank owns `n` cells of a grid of `shape`; n may be 0. The cells may be anywhere in the grid and in
 * any order. `indices[i]` is the row-major number (from 0) of the cell that holds the i-th value of this rank. The call
 * copies the list. Most grids have one dimension (ndims is 1); the index is then the number of the cell. The call
 * checks the indices of all ranks once, without gathering them on one rank. It returns SV_ELAYOUT on every rank if an
 * index is out of range, or a cell has two owners or (unless SV_MASKED is given) none.
 *
 * In calls with this decomposition, one dimension of n points replaces the grid's dimensions in the caller's array (and
 * in `memory_strides`). For a variable (time, level, cell) the data are [level][n], and for (cell, level) they are
 * [n][level]. The array may hold more points than the n that the rank owns (a halo). They stand behind the owned
 * points, and `memory_strides` accounts for them. */
SV_API int sv_def_points(sv_context *io, int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags,
                         sv_decomp **points);

/* A file holds points in the order of their indices, unless sv_def_order declares another order for a dimension of the
 * file. These two calls make such an order. Both are collective. SV_ELAYOUT: two points have one place, or one is out
 * of range. SV_EINVAL: no points, or a coordinate that is no number. `points` is a decomposition of sv_def_points; it
 * may be freed while `ordered` is in use.
 *
 * sv_order_points takes the caller's order: `positions[i]` is the place in the file (row-major, from 0) of this rank's
 * i-th point. Positions are checked like indices. sv_order_points_along_curve takes the order of a Hilbert curve on a
 * cube around the sphere. The points fill the file from the first place on, without gaps. `longitude` and `latitude`
 * are those of this rank's points, in degrees. This order does not depend on the number of ranks or on the owners.
 * Neighbours on the sphere are then close in the file, and a rank that owns a region owns long runs of the file. */
SV_API int sv_order_points(const sv_decomp *points, const int64_t *positions, sv_decomp **ordered);
SV_API int sv_order_points_along_curve(const sv_decomp *points, const double *longitude, const double *latitude,
                                       sv_decomp **ordered);

/* Local, in define mode. The points along dimension `dim` of this file are stored in the order of `ordered`, whose grid
 * has only this dimension. The call defines the variable `name`(dim), of type SV_INT, or SV_INT64 if SV_INT is too
 * small. sv_enddef writes this variable. At every position, it contains the index (from 0) of the point there, or the
 * fill value if the position is empty. The variable has the attribute `sverdrup_order`, which is the name of the
 * dimension. `var` is NULL or receives the id of the variable.
 *
 * From then on, a decomposition of sv_def_points whose grid is that dimension refers to indices. So it does in every
 * file that has such a variable when it is opened. Its values go to (and come from) the places that the order gives
 * them; `ordered` itself refers to places. The first use of a decomposition with a dimension may look up the places,
 * over all ranks. That call returns SV_EFORMAT on every rank if the variable holds no valid order, and SV_ELAYOUT if a
 * cell has no place in the order. After sv_redef, only new dimensions may get an order (SV_EORDER). */
SV_API int sv_def_order(sv_file *file, int dim, const char *name, const sv_decomp *ordered, int *var);

/* Local. Returns the cost of a decomposition. Any pointer may be NULL. The number of cells of the grid is *cells, that
 * of this rank's points *owned. *runs is the number of runs of this rank's points, which are
 * contiguous both in the file and in its arrays. *seconds is the time that the slowest rank needed to make the
 * decomposition. *bytes is the memory that the decomposition holds on this rank. Memory that the ranks of a node share
 * is divided among them. It has no error of its own. */
SV_API int sv_inq_points(const sv_decomp *points, int64_t *cells, int64_t *owned, int64_t *runs, double *seconds,
                         int64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
