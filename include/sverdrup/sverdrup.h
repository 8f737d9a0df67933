/* Sverdrup: parallel netCDF output and input for Earth-system models. SPDX-License-Identifier: Apache-2.0
 *
 * Order of calls:
 *
 *   sv_init ─▶ sv_def_decomp ─▶ sv_create ─▶ sv_def_dim, sv_def_var, sv_put_att ─▶ sv_enddef
 *                                  │                                                  │
 *                                  └─ sv_open ─────────────▶ sv_inq_*, sv_get* ◀──────┤
 *                                                                                     ▼
 *   sv_finalize ◀─ sv_free_decomp ◀─ sv_close ◀─── sv_end_step ◀─── sv_put, sv_put_var, sv_put_vara
 *
 * Conventions, kept everywhere:
 *   - Layouts (io_layout, px x py) are named x first; ranks are x-fastest.
 *   - In C, shapes, starts and counts are slowest dimension first (y before x), as in netCDF-C; in Fortran
 *     fastest first.
 *   - All counts, starts and lengths are in elements and 64-bit; all offsets and strides in memory are in bytes.
 *   - Every function returns SV_OK (0) or an error code below; sv_message() then holds the whole story: file, variable,
 *     rank, cause and remedy. A collective call returns the same code on every rank.
 *   - "Collective" means: every rank of the communicator given to sv_init calls it, in the same order. "Local" calls
 *     may be made by any rank at any time. Definitions are local and compared, by hash, in sv_enddef.
 *   - Buffers belong to the caller and may be reused when the call returns, but for sv_iput* and sv_iget*.
 *
 * The data model is netCDF classic and CDF-5: "The NetCDF Classic Format Specification" (Unidata) and "CDF-5 File
 * Format Specification" (PnetCDF).
 */
#ifndef SVERDRUP_H
#define SVERDRUP_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SV_API __attribute__((visibility("default")))

/* ---- versions, codes, types ------------------------------------------------------------------------------------- */

#define SV_VERSION "0.1.0"

enum sv_status {
  SV_OK = 0,
  SV_EINVAL = 1,     /* an argument has a bad value */
  SV_ECONFIG = 2,    /* the configuration has an unknown key or a bad value */
  SV_EORDER = 3,     /* a call out of order, or ranks that made different calls */
  SV_EDEFINE = 4,    /* a definition is wrong, or ranks defined different things */
  SV_ELAYOUT = 5,    /* a decomposition overlaps, leaves a gap, or is out of range */
  SV_ETYPE = 6,      /* the types do not convert */
  SV_ERANGE = 7,     /* a value does not fit its type: of an attribute, or (out_of_range: error) of a variable */
  SV_ENOTFOUND = 8,  /* no such file, variable, dimension or attribute */
  SV_EEXISTS = 9,    /* it exists already */
  SV_EACCESS = 10,   /* the file system refuses access */
  SV_ENOSPACE = 11,  /* the disk or the quota is full */
  SV_EIO = 12,       /* the file system reported a failure */
  SV_EFORMAT = 13,   /* the file is not what it should be: malformed, truncated, or of another kind */
  SV_ELIMIT = 14,    /* a limit of the file format */
  SV_ENOMEM = 15,    /* no memory */
  SV_ETIMEOUT = 16,  /* the watchdog: a rank was awaited for too long */
  SV_EMPI = 17,      /* MPI reported an error */
  SV_ECOMPILED = 18, /* this part was not compiled into the library */
  SV_EINTERNAL = 19  /* a defect of Sverdrup: please report it */
};

/* Types of variables and of memory; the numbers are those of netCDF (nc_type). */
enum sv_type {
  SV_BYTE = 1,   /* int8_t */
  SV_CHAR = 2,   /* char; converts to and from nothing else */
  SV_SHORT = 3,  /* int16_t */
  SV_INT = 4,    /* int32_t */
  SV_FLOAT = 5,  /* float, IEEE 754 */
  SV_DOUBLE = 6, /* double, IEEE 754 */
  SV_UBYTE = 7,  /* uint8_t; this and the following need CDF-5 */
  SV_USHORT = 8,
  SV_UINT = 9,
  SV_INT64 = 10,
  SV_UINT64 = 11
};

#define SV_UNLIMITED ((int64_t)0) /* the length of the record dimension, in sv_def_dim */
#define SV_GLOBAL (-1)            /* the variable id of the file's own attributes */
#define SV_MAX_NAME 256           /* longest name, in bytes of UTF-8, with its final zero */
#define SV_MAX_DIMS 16            /* most dimensions of one variable */
#define SV_NO_RECORD ((int64_t)-1)

/* Flags of sv_create and sv_open. */
#define SV_CLOBBER 0x0000      /* sv_create: replace what is there (the default) */
#define SV_NOCLOBBER 0x0004    /* sv_create: SV_EEXISTS if the file exists */
#define SV_64BIT_OFFSET 0x0200 /* sv_create: CDF-2, whatever the configuration says */
#define SV_64BIT_DATA 0x0020   /* sv_create: CDF-5, whatever the configuration says */
#define SV_CLASSIC 0x0100      /* sv_create: CDF-1, whatever the configuration says */
#define SV_NETCDF4 0x1000      /* sv_create: netCDF-4; together with SV_CLASSIC: its classic model */
#define SV_PUBLISHED 0x10000   /* sv_create: written as NAME.part, renamed when complete (the default) */
#define SV_GROWING 0x20000     /* sv_create: readable under its name from the first committed record on */
#define SV_SERIES 0x40000      /* sv_create: the path is a template; a growing file for each period: sv_begin_record */
#define SV_NOWRITE 0x0000      /* sv_open: for reading (the default) */
#define SV_WRITE 0x0001        /* sv_open: for appending records and rewriting values; the file is then a growing one */

/* Flags of sv_def_decomp. */
#define SV_HOLES 0x1 /* cells that no rank owns are meant; they read as the fill value */

typedef struct sv_context sv_context; /* one per communicator; made by sv_init, freed by sv_finalize */
typedef struct sv_decomp sv_decomp;   /* who owns what; made by sv_def_decomp, freed by sv_free_decomp or sv_finalize */
typedef struct sv_file sv_file;       /* an open file; made by sv_create or sv_open, freed by sv_close */
typedef int64_t sv_request;           /* a put or get that waits: a number of one rank and file, never used again */

#define SV_NO_REQUEST ((sv_request)-1)
#define SV_ALL (-1) /* sv_wait, sv_cancel: all pending requests of this rank */

/* ---- the context ------------------------------------------------------------------------------------------------ */

/* Collective over `comm`, which is duplicated once. `config` names a YAML file or a Fortran namelist file with the
 * group &mpp_io_nml, or is NULL: then SV_CONFIG names it, if set. Environment variables (SV_ROUTE, SV_WRITERS ...) win
 * over the file; `options`, a list of `n_options` strings "key=value" (NULL if none), win over both.
 *
 * With the key `servers` some of the ranks serve: they stay in here, write what the others put, and return when those
 * have called sv_finalize; sv_is_model then tells 0, and nothing is left to do but sv_finalize. "Collective" below
 * means the ranks that compute: those of sv_model_comm. Ranks that give different names in the key `component` are
 * different models, which share the servers; each has its own sv_model_comm and files. docs/servers.md. */
SV_API int sv_init(MPI_Comm comm, const char *config, int n_options, const char *const *options, sv_context **io);
/* The same for the Fortran module: where all ranks of the models call it, messages count records from 1. */
SV_API int sv_init_fortran(MPI_Fint comm, const char *config, int n_options, const char *const *options,
                           sv_context **io);

/* Collective with the sv_init of the models, on all ranks of a program that only serves (sv-server): `comm` holds the
 * models too. Serves until all models have finalized; returns what was lost, if anything. */
SV_API int sv_serve(MPI_Comm comm, const char *config, int n_options, const char *const *options);

/* Local. Whether this rank computes (1) or served I/O and is done (0), and the communicator of those that compute (of
 * this component). It belongs to the context. */
SV_API int sv_is_model(const sv_context *io, int *is_model);
SV_API int sv_model_comm(const sv_context *io, MPI_Comm *comm);
/* Local. How many ranks serve. */
SV_API int sv_inq_servers(const sv_context *io, int *servers);

/* Collective. Every file must have been closed (files left open are abandoned and reported as SV_EORDER). Prints the
 * table of metrics and writes the summary where the configuration asks for it. The handle is gone in any case. */
SV_API int sv_finalize(sv_context *io);

/* Collective. Marks the end of a step: every record put since the last one is committed in every file, and cells and
 * variables of those records that nobody wrote are filled. With servers it returns when the step is handed over; an
 * error of a server is told, on every rank, by the next collective call. With `durability: ordered` the records count
 * later, when they are on the disk (a later sv_end_step, or sv_sync, sv_flush from SV_WRITTEN on, sv_close): a run that
 * is killed before loses them. */
SV_API int sv_end_step(sv_context *io);

/* How far what was put has come. */
enum sv_level {
  SV_HANDED_OVER = 0, /* the servers have it; without servers it is written */
  SV_WRITTEN = 1,     /* and committed: it survives the death of the processes */
  SV_ON_DISK = 2      /* and synchronised: it survives the node */
};
/* Collective. Returns when all steps that have ended, and files that were closed, have come to this level. SV_ON_DISK,
 * whatever the `durability`: every writer has synchronised all that was committed in every file of the context, open or
 * closed since, of a series and of a set too, and after that the names of these files. A file that somebody has
 * removed, moved or replaced since it was closed is left out. SV_EIO where a file cannot be synchronised, again and
 * again until that file is written anew: what a system has once failed to write it takes for written from then on. A
 * file that has failed otherwise keeps this from succeeding until it is closed. */
SV_API int sv_flush(sv_context *io, int level);
/* Local. How many steps (calls of sv_end_step), from the first on, are known to be on the disk, with all before them
 * and the names of their files: through `durability: on_disk`, or sv_flush. 0: none. A step counts when everything that
 * was put in it is there, into whatever file; files that were abandoned, whose error was told, are not asked. What is
 * known comes with collective calls. */
SV_API int sv_durable_step(const sv_context *io, int64_t *step);

/* Local. Asks the run to stop: the next sv_end_step, on whatever rank this was called, commits and closes all files,
 * waits until they are written, and from then on sv_stopping tells 1, on every rank. The model then leaves its loop;
 * sv_close of files that were so closed does nothing, and puts into them are SV_EORDER. */
SV_API int sv_request_stop(sv_context *io);
SV_API int sv_stopping(const sv_context *io, int *stopping);
/* Local. From now on this signal (SIGUSR1) asks for it, in this process: its handler only sets a flag. */
SV_API int sv_stop_on_signal(sv_context *io, int signal_number);

/* Local. Between these two the model communicates: with `forwarding: paced` nothing is sent to servers meanwhile. */
SV_API int sv_begin_communication(sv_context *io);
SV_API int sv_end_communication(sv_context *io);

/* Collective. Writes the summary (settings, routes and why, bytes, seconds) as JSON to `path`, by one rank. */
SV_API int sv_write_summary(sv_context *io, const char *path);

/* Local. The next collective call of this rank fails, on every rank, with this status and text. For what only the
 * caller can see: a binding that knows the shapes of arrays, a model that finds values it does not want to keep. */
SV_API int sv_refuse(sv_context *io, int status, const char *cause, const char *remedy);

/* Local. The text of the last error on this thread: file, variable, rank, cause, remedy. Valid until the next call. */
SV_API const char *sv_message(void);
SV_API const char *sv_strerror(int status); /* a short name of the code */
SV_API const char *sv_version(void);

/* ---- decompositions: who owns what ------------------------------------------------------------------------------ */

/* Collective. This rank owns the block of `count[d]` cells from `start[d]` (0-based) of a grid of `shape[d]` cells,
 * d = 0 .. ndims-1, slowest first; a count of 0 in any dimension means this rank owns nothing. `halo` is NULL or
 * 2*ndims widths (low and high of each dimension) of the frame around the block in the caller's arrays, which is never
 * written. `periodic` is NULL or ndims flags: in such a dimension a block may run over the end and wrap around.
 * Checked once, over all ranks: SV_ELAYOUT on every rank for overlaps, gaps (unless SV_HOLES), blocks out of range. */
SV_API int sv_def_decomp(sv_context *io, int ndims, const int64_t *shape, const int64_t *start, const int64_t *count,
                         const int64_t *halo, const int *periodic, int flags, sv_decomp **decomp);
SV_API int sv_free_decomp(sv_decomp *decomp); /* Local. */

/* Local. The uneven division of `length` cells into `parts`: part `part` gets *count from *start; the first
 * length % parts have one more. */
SV_API int sv_block(int64_t length, int parts, int part, int64_t *start, int64_t *count);

/* ---- points: unstructured grids ---------------------------------------------------------------------------------- */
/*
 * Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework for Mass Conservation Ocean Model". docs/points.md.
 */

/* Collective. This rank owns `n` cells (0: nothing) of a grid of `shape`, anywhere in it: `indices[i]`, the row-major
 * number (from 0) of the cell whose value is its i-th. In any order; the list is copied. Most grids have one dimension
 * (ndims 1), in which the index is the number of the cell. Checked once, over all ranks, without gathering the indices
 * anywhere: SV_ELAYOUT on every rank for a cell that has two owners or is out of range, and (unless SV_HOLES) for a
 * cell that has none.
 *
 * In calls that take a decomposition, the grid's dimensions are one dimension of n points in the caller's array (and in
 * `stride`): where the variable is (time, level, cell), data are [level][n], and where it is (cell, level), [n][level].
 * Points beyond the n that the rank owns (a halo) stand behind the others, with a stride that says so. */
SV_API int sv_def_points(sv_context *io, int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags,
                         sv_decomp **points);

/* The order of the points in a file is that of their indices, unless another one is declared for a dimension of the
 * file: sv_def_order. Collective, both; `points`: of sv_def_points, which the results outlive. sv_order_points: the
 * caller's order: `positions[i]`, the place in the file (row-major, from 0) of this rank's i-th point; checked like
 * indices. sv_order_points_along_curve: the first places, along a Hilbert curve on a cube around the sphere;
 * `longitude` and `latitude` in degrees, of this rank's points; the same for any number of ranks and any owners.
 * Neighbours then are close in the file, and ranks that own a region own long runs of it. */
SV_API int sv_order_points(const sv_decomp *points, const int64_t *positions, sv_decomp **ordered);
SV_API int sv_order_points_along_curve(const sv_decomp *points, const double *longitude, const double *latitude,
                                       sv_decomp **ordered);
/* In define mode, local. Points along dimension `dim` of this file stand in the order of `ordered`, whose grid has this
 * one dimension. Defines the variable `name`(dim), SV_INT or where that is too small SV_INT64, which sv_enddef writes:
 * at every place the index of the point that stands there, from 0 (or the fill value, where none does), with the
 * attribute `sverdrup_order` = the name of the dimension. From then on, and in every file that is opened and has such a
 * variable, decompositions of sv_def_points whose grid is that dimension mean indices, and values go to (and come from)
 * the places that the order gives them; `ordered` itself means places. The first use of a decomposition with a
 * dimension may find its places, over all ranks: SV_EFORMAT on every rank where the file tells no order, SV_ELAYOUT
 * where a cell has no place in it. `var`: NULL or the variable. After sv_redef only for new dimensions (SV_EORDER). */
SV_API int sv_def_order(sv_file *file, int dim, const char *name, const sv_decomp *ordered, int *var);

/* Local. What the decomposition costs; any pointer may be NULL. `cells`: of the grid; `owned`: of this rank; `runs`:
 * stretches of this rank's points that are contiguous in the file and in its arrays; `seconds`: making it took, on the
 * slowest rank; `bytes`: that it holds on this rank, with what the node shares divided among its ranks. */
SV_API int sv_inq_points(const sv_decomp *points, int64_t *cells, int64_t *owned, int64_t *runs, double *seconds,
                         int64_t *bytes);

/* ---- files: create, open, close --------------------------------------------------------------------------------- */

/* Collective. Makes a file, in define mode. Nothing stands under the final name of a published file before sv_close. */
SV_API int sv_create(sv_context *io, const char *path, int flags, sv_file **file);
/* Collective. Opens a CDF-1, CDF-2 or CDF-5 file made by anybody: one rank reads the header. Where there is no such
 * file but its pieces, `path`.0000 and so on (routes per_pe and per_domain, or FMS), these are opened as the one file
 * they make up; a piece that is missing, not whole, of another set, or in the place of another is SV_EFORMAT. */
SV_API int sv_open(sv_context *io, const char *path, int flags, sv_file **file);
/* Collective. Ends define mode: compares all definitions, places the variables, writes the header. */
SV_API int sv_enddef(sv_file *file);
/* Collective. Back to define mode, on a file of sv_create (after sv_enddef) or one opened with SV_WRITE; what was put
 * is committed first. Dimensions, variables and attributes may be added, changed, renamed, and attributes deleted;
 * sv_enddef ends it. Where the header still fits its reserve (key header_reserve) and no variable is added to a file
 * with records, it is rewritten in place, with a copy of it beside the file meanwhile (docs/errors.md). Otherwise all
 * data move, once, into a new file beside it, which is then renamed over it (a kill leaves the old file or the new
 * one), and the summary says so. New variables are filled as usual. SV_EORDER for sets of files (routes per_pe and
 * per_domain) and for series. */
SV_API int sv_redef(sv_file *file);
/* Collective. Commits what was put so far, of this file only, to the durability asked for in the configuration. */
SV_API int sv_sync(sv_file *file);
/* Collective, for a series: `path` of sv_create has date fields as in strftime (%Y %m %d %H %M %S; %j, the day of the
 * year; %% for a percent sign), and no file exists yet after sv_enddef. The definitions hold for every file; among them
 * are a record dimension and its coordinate, a variable of that name, SV_DOUBLE or SV_FLOAT, whose attribute `calendar`
 * (CF conventions; absent: standard) is that of the dates. All other calls are about the file of the current period.
 *
 * What is put from here on is of this date and `time`. `date`: year, month, day, hour, minute, second; it names the
 * file. Where that is another one than before, the one before is completed and closed,
 * and the next is created or, where it exists, opened for appending: SV_EDEFINE if its dimensions and variables differ.
 * *record is the record to put into, and its time has been put: that of an equal time in the file (1e-6 of the spacing
 * of records), which is so written again, or a new one after a time later than all; SV_EINVAL for a time before the
 * first or between two. *wants_fixed is 1 where variables without records must be put before the next sv_end_step (NULL
 * if there are none). A run that restarts from an older state so never doubles a record. */
SV_API int sv_begin_record(sv_file *file, const int date[6], double time, int64_t *record, int *wants_fixed);
/* Collective. Completes the file: fills what was not written, commits, publishes. The handle is gone in any case. */
SV_API int sv_close(sv_file *file);

/* ---- definitions (local; the same on every rank, in the same order) ---------------------------------------------- */

SV_API int sv_def_dim(sv_file *file, const char *name, int64_t length, int *dim);
/* `dims`: ndims dimension ids, slowest first; the record dimension only in first place. */
SV_API int sv_def_var(sv_file *file, const char *name, int type, int ndims, const int *dims, int *var);
/* The value for cells that nobody writes, of the variable's type; also written as the attribute _FillValue. */
SV_API int sv_def_fill(sv_file *file, int var, const void *value);
/* Packed data (CF conventions, section 8.1): writes the attributes scale_factor and add_offset, and makes puts and gets
 * of this variable pack and unpack: value = packed * scale_factor + add_offset, in double precision, rounded to the
 * nearest where integers are the target. NaN is written as the fill value, and the fill value read as NaN (into
 * integers: as the fill value). Without it nothing is packed, as in netCDF-C. */
SV_API int sv_def_packing(sv_file *file, int var, double scale_factor, double add_offset);
/* The same, at any time, for a variable that has one of the attributes; 0 turns it off again. Local; the same on every
 * rank. SV_ENOTFOUND where neither attribute is there. */
SV_API int sv_use_packing(sv_file *file, int var, int on);
/* For a variable in which a decomposition's shape stands in several places: the first of its dimensions there. */
SV_API int sv_def_axes(sv_file *file, int var, int first_dim);
/* `count` values of `type` (native numbers, or characters for SV_CHAR). var = SV_GLOBAL for the file's own. */
SV_API int sv_put_att(sv_file *file, int var, const char *name, int type, int64_t count, const void *values);
/* In define mode: renames and deletes. SV_EEXISTS for a name that is taken. sv_copy_att replaces an attribute of that
 * name; `from` may be any open file. */
SV_API int sv_rename_dim(sv_file *file, int dim, const char *name);
SV_API int sv_rename_var(sv_file *file, int var, const char *name);
SV_API int sv_rename_att(sv_file *file, int var, const char *name, const char *new_name);
SV_API int sv_del_att(sv_file *file, int var, const char *name);
SV_API int sv_copy_att(const sv_file *from, int from_var, const char *name, sv_file *to, int to_var);
SV_API int sv_put_att_text(sv_file *file, int var, const char *name, const char *text);

/* ---- inquiry (local) --------------------------------------------------------------------------------------------- */

/* Any result pointer may be NULL. `record_dim` is -1 without a record dimension. */
SV_API int sv_inq(const sv_file *file, int *ndims, int *nvars, int *natts, int *record_dim);
SV_API int sv_inq_format(const sv_file *file, int *format); /* 1, 2, 5: CDF; 3, 4: netCDF-4, its classic model */
SV_API int sv_inq_dim(const sv_file *file, int dim, char name[SV_MAX_NAME], int64_t *length);
SV_API int sv_inq_dimid(const sv_file *file, const char *name, int *dim);
SV_API int sv_inq_var(const sv_file *file, int var, char name[SV_MAX_NAME], int *type, int *ndims,
                      int dims[SV_MAX_DIMS], int *natts);
SV_API int sv_inq_varid(const sv_file *file, const char *name, int *var);
SV_API int sv_inq_att(const sv_file *file, int var, const char *name, int *type, int64_t *count);
/* The number (from 0) of an attribute. SV_ENOTFOUND, as from all calls that take a name, where there is none. */
SV_API int sv_inq_attid(const sv_file *file, int var, const char *name, int *index);
SV_API int sv_inq_attname(const sv_file *file, int var, int index, char name[SV_MAX_NAME]);
/* The value for cells that nobody writes, in the variable's type: its _FillValue (`defined` is 1), or netCDF's own. */
SV_API int sv_inq_fill(const sv_file *file, int var, int *defined, void *value);
SV_API int sv_inq_packing(const sv_file *file, int var, int *on); /* whether puts and gets pack and unpack */
/* The path given to sv_create or sv_open; `path` has room for length + 1 characters. */
SV_API int sv_inq_path(const sv_file *file, size_t *length, char *path);
/* SV_PUBLISHED or SV_GROWING; SV_NOWRITE for a file that is open for reading. */
SV_API int sv_inq_kind(const sv_file *file, int *kind);
/* Of a type: its name ("double"), and the bytes of one value. */
SV_API int sv_inq_type(int type, char name[SV_MAX_NAME], int64_t *bytes);
/* Into `values`, converted to `type`; the caller provides room for the count that sv_inq_att tells. */
SV_API int sv_get_att(const sv_file *file, int var, const char *name, int type, void *values);

/* ---- writing (collective) ---------------------------------------------------------------------------------------- */

/* A distributed field. `data`: this rank's block, of memory type `type`, with its halo, contiguous, with the variable's
 * dimensions (without the record) in their order; ignored on ranks that own nothing (may be NULL). `record`: 0-based,
 * or SV_NO_RECORD for a variable without records. `stride`: NULL, or the distance in bytes between neighbours in memory
 * for each of those dimensions; `data` then still points at the first element, halo included. */
SV_API int sv_put(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, const void *data,
                  const int64_t *stride);
/* A replicated field: every rank passes the same whole variable (or record of it); scalars too. One copy is written. */
SV_API int sv_put_var(sv_file *file, int var, int64_t record, int type, const void *data, const int64_t *stride);
/* A sub-array per rank, in netCDF's manner: `start` and `count` have the variable's dimensions, the record dimension
 * included; a count of 0 means nothing. The sub-arrays of different ranks must not overlap; with `overlap: allow` the
 * higher rank wins. */
SV_API int sv_put_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                       const int64_t *stride);

/* Every apart[d]-th cell of a sub-array: `count` cells per dimension, from `start`, `apart` (1 or more) cells from each
 * other in the file; NULL: sv_put_vara. `stride` stands for netCDF's imap, in bytes. Cells that do not follow one
 * another in the file's fastest dimension are written one by one: gather them first where there are many. */
SV_API int sv_put_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                       int type, const void *data, const int64_t *stride);

/* From an open file into another of the same context, without the caller's memory, in bounded memory: a record of a
 * variable, or (SV_NO_RECORD) a variable without records, of the same type and shape (else SV_ETYPE). The writers of
 * `to` read what they own. */
SV_API int sv_copy_var(sv_file *from, int from_var, int64_t from_record, sv_file *to, int to_var, int64_t to_record);

/* ---- reading (collective) ---------------------------------------------------------------------------------------- */

/* The counterparts. sv_get leaves the halo as it is. sv_get_var gives every rank the whole variable (or record).
 * sv_get_vara gives each rank its own sub-array; they may overlap. */
SV_API int sv_get(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, void *data,
                  const int64_t *stride);
SV_API int sv_get_var(sv_file *file, int var, int64_t record, int type, void *data, const int64_t *stride);
SV_API int sv_get_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, void *data,
                       const int64_t *stride);
SV_API int sv_get_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                       int type, void *data, const int64_t *stride);

/* ---- combining: requests of many variables become one ordered set of large writes -------------------------------- */
/*
 * Gao, Liao, Choudhary, Ross, Latham 2009, "Combining I/O operations for multiple array variables in Parallel NetCDF".
 * All requests of one call, or of one sv_wait, on whatever variables, records, types and decompositions, are put in the
 * order of the file and merged where they touch; then they are written (or read) together. docs/combining.md.
 *
 * Requests of one call or wait that put the same cell are SV_ELAYOUT; with `overlap: allow` the later one of a rank
 * wins over its earlier ones, and the higher rank over the lower. Reads may overlap. Puts come before gets.
 */

/* Explicit. Collective. `n` sub-arrays of this rank, each as in sv_put_vara; `n` may differ between ranks and be 0, and
 * a variable may come several times. `strides`: NULL, or for each NULL or distances in bytes. An error of one of them
 * names it; nothing of the call is then written. */
SV_API int sv_mput_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const int *types, const void *const *data,
                        const int64_t *const *strides);
SV_API int sv_mget_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const int *types, void *const *data,
                        const int64_t *const *strides);
/* The same with memory as MPI describes it: `data_counts[i]` items of `datatypes[i]`, which is made of one basic type
 * and holds as many values as the sub-array has cells (else SV_ETYPE, SV_EINVAL). Values are copied once more, unless
 * they are contiguous. */
SV_API int sv_mput_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, const void *const *data, const int64_t *data_counts,
                            const MPI_Datatype *datatypes);
SV_API int sv_mget_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, void *const *data, const int64_t *data_counts,
                            const MPI_Datatype *datatypes);
/* `n` distributed fields, each as in sv_put. */
SV_API int sv_mput(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const int *types, const void *const *data, const int64_t *const *strides);
SV_API int sv_mget(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const int *types, void *const *data, const int64_t *const *strides);
/* `n` regions of one variable, each with start and count as in sv_put_vara; their values follow each other in `data`,
 * contiguous. For ranks that own pieces of a space-filling curve. */
SV_API int sv_put_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, const void *data);
SV_API int sv_get_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, void *data);

/* Implicit. Local: they check what they can and record; nothing is transferred before sv_wait. An error here records
 * nothing. The arrays must stay as they are (of sv_iget: stay) until sv_wait or sv_close, which waits for what is left;
 * `stride`, `starts` and `counts` are copied. `request` may be NULL where SV_ALL will be waited for. Ranks may make
 * different requests, also none; of sv_iput_var, all that make it pass the same. */
SV_API int sv_iput(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, const void *data,
                   const int64_t *stride, sv_request *request);
SV_API int sv_iput_var(sv_file *file, int var, int64_t record, int type, const void *data, const int64_t *stride,
                       sv_request *request);
SV_API int sv_iput_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                        const int64_t *stride, sv_request *request);
SV_API int sv_iput_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                        int type, const void *data, const int64_t *stride, sv_request *request);
SV_API int sv_iput_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        int type, const void *data, sv_request *request);
SV_API int sv_iget(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, void *data,
                   const int64_t *stride, sv_request *request);
SV_API int sv_iget_var(sv_file *file, int var, int64_t record, int type, void *data, const int64_t *stride,
                       sv_request *request);
SV_API int sv_iget_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, void *data,
                        const int64_t *stride, sv_request *request);
SV_API int sv_iget_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                        int type, void *data, const int64_t *stride, sv_request *request);
SV_API int sv_iget_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        int type, void *data, sv_request *request);

/* The same puts, buffered: the values are copied, and the array may be reused at once. SV_ENOMEM where the buffer has
 * no room. It is this rank's and file's: as large as attached, or (nothing attached) as it needs, up to the key
 * `combine_buffer`. sv_detach_buffer: SV_EORDER while something is in it. */
SV_API int sv_bput(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, const void *data,
                   const int64_t *stride, sv_request *request);
SV_API int sv_bput_var(sv_file *file, int var, int64_t record, int type, const void *data, const int64_t *stride,
                       sv_request *request);
SV_API int sv_bput_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                        const int64_t *stride, sv_request *request);
SV_API int sv_bput_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                        int type, const void *data, const int64_t *stride, sv_request *request);
SV_API int sv_bput_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                        int type, const void *data, sv_request *request);
SV_API int sv_attach_buffer(sv_file *file, int64_t bytes);
SV_API int sv_detach_buffer(sv_file *file);
SV_API int sv_inq_buffer(const sv_file *file, int64_t *bytes, int64_t *used_bytes);

/* Collective. Carries out `n` requests of this rank (SV_ALL: all, `requests` NULL), which may be 0, and sets their
 * handles to SV_NO_REQUEST; handles that are SV_NO_REQUEST are left out. `statuses`: NULL, or room for each one's code.
 * A request that cannot be carried out does not keep the others from it; the call returns, on every rank, the code of
 * the lowest rank's first. A handle that is not pending (waited for or cancelled before, or of another file) is
 * SV_EINVAL. */
SV_API int sv_wait(sv_file *file, int n, sv_request *requests, int *statuses);
/* Local. Forgets requests; nothing of them is transferred. */
SV_API int sv_cancel(sv_file *file, int n, sv_request *requests, int *statuses);
/* Local. How many requests of this rank are pending. */
SV_API int sv_inq_pending(const sv_file *file, int *pending);

#ifdef __cplusplus
}
#endif
#endif
