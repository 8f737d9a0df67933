/* Sverdrup: preparation of unstructured ocean grids. SPDX-License-Identifier: Apache-2.0
 *
 * The library sverdrup_grid reads a topography or a mask. It writes the cells of an ocean model, their neighbours and
 * owners into a netCDF file (UGRID 1.0, CF 1.11). docs/grids.md describes the file; the program sv-grid makes it from
 * the command line.
 *
 * The method is that of Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework for Mass Conservation Ocean
 * Model", section 4.4 and Fig. 6. Land cells without an ocean neighbour are removed, and the others are renumbered.
 * METIS (Karypis, Kumar 1997) partitions the graph of the neighbours.
 *
 * Conventions are those of sverdrup.h.
 */
#ifndef SVERDRUP_GRID_H
#define SVERDRUP_GRID_H

#include <sverdrup/sverdrup.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sv_grid_kind {
  SV_GRID_LONLAT = 1,      /* nx by ny cells of equal width and height in degrees, the first at 0 E and 90 S */
  SV_GRID_CUBED_SPHERE = 2 /* 6 faces of nx by nx cells, gnomonic and equiangular */
};

enum sv_grid_order {
  SV_GRID_FULL_INDEX = 0, /* cells have the order of the full grid */
  SV_GRID_CURVE = 1       /* along a Hilbert curve on each face, or on squares as high as the longitude-latitude grid */
};

/* A request, the same on every rank. Set all of it to 0 first. Texts and lists belong to the caller. */
typedef struct sv_grid_request {
  const char *source;    /* a netCDF file, with the topography on a grid of 1-D longitudes and latitudes */
  const char *variable;  /* NULL: the only one, or the one whose standard_name is that of a topography or mask */
  const char *longitude; /* its coordinates; NULL: found by units, standard_name or axis */
  const char *latitude;
  int is_mask;              /* 1: the variable is a mask, wet where it is not 0 */
  double mask_depth_m;      /* of wet cells of a mask; 0: 4000 */
  int kind, order;          /* sv_grid_kind, sv_grid_order */
  int64_t nx, ny;           /* of a cubed sphere: ny is not used */
  int n_partitions;         /* how many partitions, each over its own number of ranks; may be 0 */
  const int *ranks;         /* the numbers of ranks, all different */
  int n_levels;             /* 0: every cell weighs 1. Otherwise as many as levels begin above its bottom, at least 1 */
  const double *level_tops; /* n_levels depths in m, increasing */
} sv_grid_request;

enum sv_grid_step {
  SV_GRID_READ = 0,   /* the source */
  SV_GRID_MAP = 1,    /* its points into the cells of the full grid */
  SV_GRID_REMOVE = 2, /* land */
  SV_GRID_NUMBER = 3, /* the remaining cells */
  SV_GRID_GRAPH = 4,  /* of the neighbours, and the nodes */
  SV_GRID_METIS = 5,  /* all partitions */
  SV_GRID_WRITE = 6,
  SV_GRID_STEPS = 7
};

typedef struct sv_grid_partition {
  int ranks;
  int64_t edge_cut; /* pairs of neighbours that have different owners */
  double imbalance; /* the heaviest rank's weight over the mean */
  double seconds;
} sv_grid_partition;

typedef struct sv_grid_report {
  int64_t full_cells, kept_cells, ocean_cells, nodes;
  double seconds[SV_GRID_STEPS];
  int64_t peak_bytes[SV_GRID_STEPS]; /* the most memory that rank 0 has held up to the end of the step */
  sv_grid_partition *partitions;     /* given by the caller: NULL, or room for n_partitions of them */
} sv_grid_report;

/* Collective over `comm`, in a context of its own, configured by SV_CONFIG and the environment (servers are not used).
 * Rank 0 reads and computes; all write. `report` may be NULL. The file appears under `path` when it is complete.
 * SV_EINVAL: an impossible request. SV_ENOTFOUND: the source lacks a variable or attribute. SV_EFORMAT: the source has
 * another form. Other codes are those of sv_open, sv_create and sv_put. */
SV_API int sv_prepare_grid(MPI_Comm comm, const sv_grid_request *request, const char *path, sv_grid_report *report);
SV_API int sv_prepare_grid_fortran(MPI_Fint comm, const sv_grid_request *request, const char *path,
                                   sv_grid_report *report);

#ifdef __cplusplus
}
#endif
#endif
