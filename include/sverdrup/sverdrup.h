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
 * Conventions of all calls:
 *   - Layouts (io_layout, px x py) are given in the order x, y; ranks are numbered along x first.
 *   - In C, shapes, starts and counts are given slowest dimension first (y before x), as in netCDF-C. In Fortran they
 *     are given fastest dimension first.
 *   - Counts, starts and lengths are 64-bit numbers of elements. Offsets and strides in memory are numbers of bytes.
 *   - Every function returns SV_OK (0) or an error code of enum sv_status. After an error, sv_message() returns the
 *     file, the variable, the rank, the cause and the remedy. A collective call returns the same code on every rank.
 *     Other results are returned through pointer arguments.
 *   - "Collective" means that every rank of the communicator given to sv_init makes the call, in the same order.
 *     "Local" means that any rank may make the call at any time. Definitions are local; sv_enddef compares the
 *     definitions of all ranks by a hash.
 *   - Buffers belong to the caller, who may use them again when the call returns. sv_iput* and sv_iget* are exceptions.
 *
 * The data model is that of netCDF classic and CDF-5: "The NetCDF Classic Format Specification" (Unidata) and "CDF-5
 * File Format Specification" (PnetCDF).
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
  SV_ERANGE = 7,     /* a value of an attribute, or (out_of_range: error) of a variable, does not fit its type */
  SV_ENOTFOUND = 8,  /* no such file, variable, dimension or attribute */
  SV_EEXISTS = 9,    /* the file or the name exists already */
  SV_EACCESS = 10,   /* the file system refuses access */
  SV_ENOSPACE = 11,  /* the disk or the quota is full */
  SV_EIO = 12,       /* the file system reported a failure */
  SV_EFORMAT = 13,   /* the file is malformed, truncated, or of another kind */
  SV_ELIMIT = 14,    /* the file format has a limit that does not permit this */
  SV_ENOMEM = 15,    /* no memory */
  SV_ETIMEOUT = 16,  /* the watchdog: other ranks waited too long for a rank */
  SV_EMPI = 17,      /* MPI reported an error */
  SV_ECOMPILED = 18, /* this part was not compiled into the library */
  SV_EINTERNAL = 19  /* a defect of Sverdrup: please report it */
};

/* Types of variables and of values in memory. The numbers are those of netCDF (nc_type). */
enum sv_type {
  SV_BYTE = 1,   /* int8_t */
  SV_CHAR = 2,   /* char; there is no conversion between characters and numbers */
  SV_SHORT = 3,  /* int16_t */
  SV_INT = 4,    /* int32_t */
  SV_FLOAT = 5,  /* float, IEEE 754 */
  SV_DOUBLE = 6, /* double, IEEE 754 */
  SV_UBYTE = 7,  /* uint8_t; this type and the following ones need CDF-5 or netCDF-4 */
  SV_USHORT = 8,
  SV_UINT = 9,
  SV_INT64 = 10,
  SV_UINT64 = 11
};

#define SV_UNLIMITED ((int64_t)0)  /* the length of an unlimited dimension, in sv_def_dim */
#define SV_GLOBAL (-1)             /* the variable id of the file's own attributes */
#define SV_MAX_NAME 257            /* bytes of the longest name in UTF-8, including the final zero */
#define SV_MAX_DIMS 16             /* the largest number of dimensions of a variable */
#define SV_NO_RECORD ((int64_t)-1) /* the record number of a variable without records */

/* Flags of sv_create and sv_open. */
#define SV_CLOBBER 0x0000      /* sv_create: replace an existing file (the default) */
#define SV_NOCLOBBER 0x0004    /* sv_create: return SV_EEXISTS if the file exists */
#define SV_64BIT_OFFSET 0x0200 /* sv_create: CDF-2, instead of the configured format */
#define SV_64BIT_DATA 0x0020   /* sv_create: CDF-5, instead of the configured format */
#define SV_CLASSIC 0x0100      /* sv_create: CDF-1, instead of the configured format */
#define SV_NETCDF4 0x1000      /* sv_create: netCDF-4; together with SV_CLASSIC, the classic model of netCDF-4 */
#define SV_ZARR 0x100000       /* sv_create: a Zarr group, as a name that ends in .zarr makes one by default */
#define SV_PUBLISHED 0x10000   /* sv_create: write NAME.part, and rename it when it is complete (the default) */
#define SV_GROWING 0x20000     /* sv_create: the file can be read under its name from the first committed record on */
#define SV_SERIES 0x40000      /* sv_create: the path is a template for a growing file per period: sv_begin_record */
#define SV_LITERAL 0x80000     /* sv_create, sv_open: %v in the path is no place for the names of variables */
#define SV_NOWRITE 0x0000      /* sv_open: for reading (the default) */
#define SV_WRITE 0x0001        /* sv_open: for appending records and rewriting values; the file is then growing */

/* Flags of sv_def_decomp. */
#define SV_HOLES 0x1 /* permits cells that no rank owns; they read as the fill value */

typedef struct sv_context sv_context; /* one per communicator; sv_init makes it, sv_finalize frees it */
typedef struct sv_decomp sv_decomp;   /* which rank owns which cells; sv_free_decomp or sv_finalize frees it */
typedef struct sv_file sv_file;       /* an open file; sv_create or sv_open makes it, sv_close frees it */
typedef int64_t sv_request;           /* a pending put or get: a number of one rank and file, never used again */

#define SV_NO_REQUEST ((sv_request)-1)
#define SV_ALL (-1) /* sv_wait, sv_cancel: all pending requests of this rank */

/* ---- the context ------------------------------------------------------------------------------------------------ */

/* Collective over `comm`, which is duplicated once. `config` names a YAML file, or a Fortran namelist file with the
 * group &mpp_io_nml. If `config` is NULL, the environment variable SV_CONFIG may name the file. Environment variables
 * (SV_ROUTE, SV_WRITERS ...) override the file. `options` overrides both: a list of `n_options` strings "key=value"
 * (NULL if there are none).
 *
 * With the key `servers`, some of the ranks are servers. A server stays in this call and writes what the other ranks
 * put. It returns when these have called sv_finalize; sv_is_model then reports 0, and the only call left is
 * sv_finalize. "Collective" below refers to the ranks that compute: those of sv_model_comm. Ranks that set the key
 * `component` to different names are different models, which share the servers; each model has its own sv_model_comm
 * and its own files. See docs/overlap.md. */
SV_API int sv_init(MPI_Comm comm, const char *config, int n_options, const char *const *options, sv_context **io);
/* The same call for the Fortran module. If all ranks of the models make this call, messages count records from 1. */
SV_API int sv_init_fortran(MPI_Fint comm, const char *config, int n_options, const char *const *options,
                           sv_context **io);

/* Collective with the sv_init of the models. All ranks of a program that only serves (sv-server) make this call; `comm`
 * also holds the ranks of the models. The call serves until all models have called sv_finalize. If data were lost, it
 * returns the error. */
SV_API int sv_serve(MPI_Comm comm, const char *config, int n_options, const char *const *options);

/* Local. *is_model is 1 if this rank computes, and 0 if it was a server and has finished. sv_model_comm returns the
 * communicator of the ranks that compute (of this component). The communicator belongs to the context. */
SV_API int sv_is_model(const sv_context *io, int *is_model);
SV_API int sv_model_comm(const sv_context *io, MPI_Comm *comm);
/* Local. Returns the number of ranks that serve. */
SV_API int sv_inq_servers(const sv_context *io, int *servers);

/* Collective. Close all files before this call: files that are still open are abandoned and reported as SV_EORDER. The
 * call prints the table of metrics and writes the summary, if the configuration asks for them. It always frees the
 * handle. */
SV_API int sv_finalize(sv_context *io);

/* Collective. Marks the end of a step. It commits, in every file, all records that were put since the last call, and
 * fills the cells and variables of these records that no rank wrote. With servers, the call returns when the step is
 * handed over; the next collective call then reports an error of a server, on every rank. With `durability: ordered`, a
 * record counts later, when it is on the disk: in a later sv_end_step, or in sv_sync, sv_flush (SV_WRITTEN or
 * SV_ON_DISK) or sv_close. A run that is killed before that loses the records that do not count yet. */
SV_API int sv_end_step(sv_context *io);

/* How far the data of a put have come. */
enum sv_level {
  SV_HANDED_OVER = 0, /* the servers have the data; without servers the data are written */
  SV_WRITTEN = 1,     /* the data are also committed: they survive the death of the processes */
  SV_ON_DISK = 2      /* the data are also synchronised: they survive a failure of the node */
};
/* Collective. Returns when all steps that have ended, and all files that were closed, have reached this level.
 *
 * SV_ON_DISK does not depend on `durability`. Every writer synchronises all committed data of every file of the
 * context: files that are open or were closed since, also the files of a series and the pieces of a set. Then it
 * synchronises the names of these files. A file that was removed, moved or replaced after it was closed is left out. If
 * a file cannot be synchronised, this call and all later ones return SV_EIO until the file is written anew: after one
 * failure the system regards the data as written, and a second attempt would succeed without them. If a file has
 * another error, the call fails until that file is closed. */
SV_API int sv_flush(sv_context *io, int level);
/* Local. *step is the number of steps (calls of sv_end_step), from the first step on, that are known to be on the disk,
 * together with the names of their files. It is 0 if no step is. Steps reach the disk by `durability: on_disk` or
 * `ordered`, or by sv_flush. A step counts when all data that were put in the step, into any file, are on the disk.
 * Abandoned files, whose errors were reported, do not matter. Only collective calls change the number. */
SV_API int sv_durable_step(const sv_context *io, int64_t *step);

/* Local. sv_request_stop asks the run to stop; one rank that calls it is enough. The next sv_end_step commits and
 * closes all files and waits until they are written. From then on, sv_stopping reports 1 on every rank, and the model
 * should leave its loop. For a file that was closed in this way, sv_close does nothing, and a put returns SV_EORDER. */
SV_API int sv_request_stop(sv_context *io);
SV_API int sv_stopping(const sv_context *io, int *stopping);
/* Local. From now on, this signal (usually SIGUSR1) has the effect of sv_request_stop in this process, and so have
 * those of earlier calls. The signal handler only counts. sv_finalize restores the program's handler, unless another
 * context listens, or the program has set another one. */
SV_API int sv_stop_on_signal(sv_context *io, int signal_number);

/* Local. The model communicates between these two calls. With `forwarding: paced`, no message to a server begins in
 * this time. */
SV_API int sv_begin_communication(sv_context *io);
SV_API int sv_end_communication(sv_context *io);

/* Collective. One rank writes the summary (settings, routes and their reasons, bytes, seconds) as JSON to `path`. */
SV_API int sv_write_summary(sv_context *io, const char *path);

/* Local. The value of a key of the configuration that is in force for a file of this path, as text: "false", "4MiB" and
 * so on. The file need not exist. `value` is NULL, or has room for *length + 1 characters; `length` may be NULL. */
SV_API int sv_inq_setting(const sv_context *io, const char *path, const char *key, size_t *length, char *value);

/* Local. The next collective call of this rank fails, on every rank, with this status and text. This call is for errors
 * that only the caller can see. Examples are a binding that knows the shapes of arrays, and a model that does not want
 * to keep its values. */
SV_API int sv_refuse(sv_context *io, int status, const char *cause, const char *remedy);

/* Local. Returns the text of the last error on this thread: file, variable, rank, cause, remedy. The text is valid
 * until the next call. */
SV_API const char *sv_message(void);
SV_API const char *sv_strerror(int status); /* the short name of a status code */
SV_API const char *sv_version(void);

/* ---- decompositions: which rank owns which cells ----------------------------------------------------------------- */

/* Collective. The grid has `shape[d]` cells in dimension d, for d = 0 .. ndims-1, slowest first. This rank owns the
 * block of `count[d]` cells from `start[d]` (counted from 0). If a count is 0 in any dimension, this rank owns nothing.
 * `halo` is NULL or 2*ndims widths, the low and the high one of each dimension. The halo is a frame around the block in
 * the caller's arrays; it is never written. `periodic` is NULL or ndims flags; in a periodic dimension, a block may
 * pass the end of the grid and continue at its start. The call checks the blocks of all ranks once: overlaps, gaps
 * (unless SV_HOLES is given) and blocks out of range are SV_ELAYOUT on every rank. */
SV_API int sv_def_decomp(sv_context *io, int ndims, const int64_t *shape, const int64_t *start, const int64_t *count,
                         const int64_t *halo, const int *periodic, int flags, sv_decomp **decomp);
SV_API int sv_free_decomp(sv_decomp *decomp); /* Local. */

/* Local. Divides `length` cells into `parts` parts. Part `part` (from 0) has *count cells from *start (from 0). The
 * first length % parts parts have one cell more than the others. */
SV_API int sv_block(int64_t length, int parts, int part, int64_t *start, int64_t *count);

/* ---- points: unstructured grids ---------------------------------------------------------------------------------- */
/*
 * Pang, Yu, Zhang, Ye 2023, "An asynchronous parallel I/O framework for Mass Conservation Ocean Model". See
 * docs/points.md.
 */

/* Collective. This rank owns `n` cells of a grid of `shape`; n may be 0. The cells may be anywhere in the grid and in
 * any order. `indices[i]` is the row-major number (from 0) of the cell that holds the i-th value of this rank. The call
 * copies the list. Most grids have one dimension (ndims is 1); the index is then the number of the cell. The call
 * checks the indices of all ranks once, without gathering them on one rank. It returns SV_ELAYOUT on every rank if a
 * cell has two owners, if a cell has no owner (unless SV_HOLES is given), or if an index is out of range.
 *
 * In calls with this decomposition, one dimension of n points replaces the grid's dimensions in the caller's array (and
 * in `stride`). For a variable (time, level, cell) the data are [level][n], and for (cell, level) they are [n][level].
 * The array may hold more points than the n that the rank owns (a halo): they stand behind the owned points, and
 * `stride` accounts for them. */
SV_API int sv_def_points(sv_context *io, int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags,
                         sv_decomp **points);

/* A file holds points in the order of their indices, unless sv_def_order declares another order for a dimension of the
 * file. These two calls make such an order. Both are collective. `points` is a decomposition of sv_def_points; it may
 * be freed while `ordered` is in use.
 *
 * sv_order_points takes the caller's order: `positions[i]` is the place in the file (row-major, from 0) of this rank's
 * i-th point. Positions are checked like indices. sv_order_points_along_curve puts the points in the order of a Hilbert
 * curve on a cube around the sphere, from the first place on and without gaps. `longitude` and `latitude` are those of
 * this rank's points, in degrees. This order does not depend on the number of ranks or on the owners. Neighbours on the
 * sphere are then close in the file, and a rank that owns a region owns long runs of the file. */
SV_API int sv_order_points(const sv_decomp *points, const int64_t *positions, sv_decomp **ordered);
SV_API int sv_order_points_along_curve(const sv_decomp *points, const double *longitude, const double *latitude,
                                       sv_decomp **ordered);
/* Local, in define mode. The points along dimension `dim` of this file stand in the order of `ordered`, whose grid has
 * only this dimension. The call defines the variable `name`(dim), of type SV_INT, or SV_INT64 if SV_INT is too small.
 * sv_enddef writes this variable: at every place, the index (from 0) of the point that stands there, or the fill value
 * if the place is empty. The variable has the attribute `sverdrup_order`, which is the name of the dimension. `var` is
 * NULL or receives the id of the variable.
 *
 * From then on, and in every file that has such a variable when it is opened, a decomposition of sv_def_points whose
 * grid is that dimension refers to indices. Its values go to (and come from) the places that the order gives them;
 * `ordered` itself refers to places. The first use of a decomposition with a dimension may look up the places, over all
 * ranks. That call returns SV_EFORMAT on every rank if the variable holds no valid order, and SV_ELAYOUT if a cell has
 * no place in the order. After sv_redef, only new dimensions may get an order (SV_EORDER). */
SV_API int sv_def_order(sv_file *file, int dim, const char *name, const sv_decomp *ordered, int *var);

/* Local. Returns the cost of a decomposition. Any pointer may be NULL. *cells is the number of cells of the grid,
 * *owned the number of points of this rank. *runs is the number of stretches of this rank's points that are contiguous
 * both in the file and in its arrays. *seconds is the time that the slowest rank needed to make the decomposition.
 * *bytes is the memory that the decomposition holds on this rank. Memory that the ranks of a node share is divided
 * among them. */
SV_API int sv_inq_points(const sv_decomp *points, int64_t *cells, int64_t *owned, int64_t *runs, double *seconds,
                         int64_t *bytes);

/* ---- files: create, open, close --------------------------------------------------------------------------------- */

/* Collective. Makes a file, in define mode. A published file has its final name only after sv_close. */
SV_API int sv_create(sv_context *io, const char *path, int flags, sv_file **file);
/* Collective. Opens a CDF-1, CDF-2 or CDF-5 file, from any program; one rank reads the header. If the file `path` does
 * not exist but its pieces `path`.0000 and so on do (of the routes per_pe and per_domain, or of FMS, whose numbers may
 * have six digits, begin elsewhere and have gaps), the call opens the pieces as one file. SV_EFORMAT: a piece is
 * missing, incomplete, of another set, or in the place of another piece. */
SV_API int sv_open(sv_context *io, const char *path, int flags, sv_file **file);
/* Collective. Ends define mode: compares the definitions of all ranks, places the variables, writes the header. */
SV_API int sv_enddef(sv_file *file);
/* Collective. Goes back to define mode, for a file of sv_create (after sv_enddef) or a file opened with SV_WRITE. It
 * first commits all puts. Dimensions, variables and attributes may then be added, changed and renamed, and attributes
 * deleted. sv_enddef ends this define mode, too.
 *
 * The header is rewritten in place if it still fits its reserve (key header_reserve) and no variable is added to a file
 * with records. Meanwhile a copy of the header stands beside the file (docs/errors.md). Otherwise all data move, once,
 * into a new file beside the old one, and the new file is renamed over the old one: a kill leaves either the old or the
 * new file. The summary reports the move. New variables are filled as usual. SV_EORDER: sets of files (routes per_pe
 * and per_domain) and series cannot be redefined. */
SV_API int sv_redef(sv_file *file);
/* Collective. Commits all puts into this file so far, to the durability that the configuration asks for. */
SV_API int sv_sync(sv_file *file);
/* Collective, for a series. The `path` of sv_create has date fields as in strftime: %Y %m %d %H %M %S, %j for the day
 * of the year, and %% for a percent sign. No file exists yet after sv_enddef. The definitions hold for every file. They
 * must include a record dimension and its coordinate: a variable of the same name, SV_DOUBLE or SV_FLOAT. Its attribute
 * `calendar` (CF conventions; if absent: standard) names the calendar of the dates. All other calls refer to the file
 * of the current period.
 *
 * The puts that follow are of this `date` and `time`. `date` is year, month, day, hour, minute, second; it names the
 * file. If this is another file than before, the call completes and closes the previous file. It then creates the next
 * file or, if that exists, opens it for appending: SV_EDEFINE if its dimensions and variables differ.
 *
 * *record is the record for the puts that follow; the call has already put its time. If the file has a record of an
 * equal time (to 1e-6 of the spacing of records), *record is that record, which is then written again. If `time` is
 * later than all times in the file, *record is a new record. SV_EINVAL: the time is before the first or between two. So
 * a run that restarts from an older state never doubles a record. *wants_fixed is 1 if variables without records must
 * be put before the next sv_end_step; the pointer may be NULL if there are no such variables. */
SV_API int sv_begin_record(sv_file *file, const int date[6], double time, int64_t *record, int *wants_fixed);
/* Collective. Completes the file: fills the cells that no rank wrote, commits, publishes. It always frees the
 * handle. With servers or threads, the call returns when the file is handed over to them: it is complete, and has its
 * name, after sv_flush (SV_WRITTEN or SV_ON_DISK) or sv_finalize. */
SV_API int sv_close(sv_file *file);
/* Collective. sv_close without what is being defined. In define mode after sv_redef, the file keeps the definitions
 * that it had, and all values; before the first sv_enddef nothing is left of it, and a file that it would have replaced
 * stays. Outside define mode this is sv_close. It always frees the handle. */
SV_API int sv_abort(sv_file *file);

/* ---- definitions (local; the same on every rank, in the same order) ---------------------------------------------- */

SV_API int sv_def_dim(sv_file *file, const char *name, int64_t length, int *dim);
/* `dims`: ndims ids, slowest first. Unlimited dimensions: in CDF files one, which comes first; in others any number. */
SV_API int sv_def_var(sv_file *file, const char *name, int type, int ndims, const int *dims, int *var);
/* Sets the value of cells that no rank writes. It is of the variable's type, and is also written as the attribute
 * _FillValue. */
SV_API int sv_def_fill(sv_file *file, int var, const void *value);
/* Packed data (CF conventions, section 8.1): writes the attributes scale_factor and add_offset, and makes puts and gets
 * of this variable pack and unpack: value = packed * scale_factor + add_offset, in double precision. If the target is
 * an integer, the result is rounded to the nearest. NaN is written as the fill value. The fill value is read as NaN;
 * into integers, it is read as the fill value. Without this call puts and gets do not pack, as in netCDF-C. */
SV_API int sv_def_packing(sv_file *file, int var, double scale_factor, double add_offset);
/* Local; the same on every rank, at any time. Makes puts and gets pack and unpack (on is 1), or not (on is 0), for a
 * variable that already has at least one of the two attributes. SV_ENOTFOUND: it has neither. */
SV_API int sv_use_packing(sv_file *file, int var, int on);
/* For a variable whose dimensions match the shape of a decomposition's grid in several places: `first_dim` is the first
 * of the variable's dimensions (from 0) that belongs to the grid. */
SV_API int sv_def_axes(sv_file *file, int var, int first_dim);
/* Writes an attribute of `count` values of `type`: native numbers, or characters for SV_CHAR. With var = SV_GLOBAL, the
 * attribute belongs to the file. An attribute of the same name is replaced. */
SV_API int sv_put_att(sv_file *file, int var, const char *name, int type, int64_t count, const void *values);
/* Local, in define mode; the same on every rank. Says where sv_enddef places what is new in a CDF file, as nc__enddef
 * does: the first variable `header_free` bytes behind the header at least, record 0 `fixed_free` bytes behind the last
 * variable without records, and the first variable, each other one without records and record 0 at multiples of
 * `data_align`, `variable_align` and `record_align` bytes (at least 4). A number below 0 leaves what is in force: key
 * header_reserve, 4096, 8, 0 and 8. Variables that stand in the file stay where they are, if the header still fits.
 * SV_EORDER: servers write the file, or it is a series. */
SV_API int sv_def_places(sv_file *file, int64_t header_free, int64_t data_align, int64_t variable_align,
                         int64_t fixed_free, int64_t record_align);
/* The same, for a program that decides by itself: where each of all `nvars` variables begins, those with records in
 * record 0. It counts for the next sv_enddef, in place of sv_def_places. sv_enddef returns SV_EDEFINE where a variable
 * would begin within the header, or overlap another one. */
SV_API int sv_def_varoffsets(sv_file *file, int nvars, const int64_t *offsets);
/* Collective, in define mode. Gives all ranks the dimensions, variables and attributes of rank 0, in place of their
 * own: for a program whose ranks may differ in an attribute, after sv_enddef has returned SV_EDEFINE. Ids that a rank
 * has of variables and dimensions which rank 0 did not define mean nothing afterwards. */
SV_API int sv_share_definitions(sv_file *file);
/* These calls rename and delete, in define mode. SV_EEXISTS: the new name is taken. sv_copy_att replaces an attribute
 * of the same name; `from` may be any open file. */
SV_API int sv_rename_dim(sv_file *file, int dim, const char *name);
SV_API int sv_rename_var(sv_file *file, int var, const char *name);
SV_API int sv_rename_att(sv_file *file, int var, const char *name, const char *new_name);
SV_API int sv_del_att(sv_file *file, int var, const char *name);
SV_API int sv_copy_att(const sv_file *from, int from_var, const char *name, sv_file *to, int to_var);
SV_API int sv_put_att_text(sv_file *file, int var, const char *name, const char *text);

/* ---- inquiry (local) --------------------------------------------------------------------------------------------- */

/* Any result pointer may be NULL. *record_dim is -1 if the file has no record dimension. */
SV_API int sv_inq(const sv_file *file, int *ndims, int *nvars, int *natts, int *record_dim);
/* Returns how many dimensions are unlimited and, unless `dims` is NULL, their ids, ascending: the record dimension, and
 * others whose length a put of sub-arrays makes longer (netCDF-4, Zarr). `dims` has room for all. As nc_inq_unlimdims.
 */
SV_API int sv_inq_unlimdims(const sv_file *file, int *count, int *dims);
SV_API int sv_inq_format(const sv_file *file, int *format); /* 1, 2, 5: CDF; 3, 4: netCDF-4; 10: Zarr */
SV_API int sv_inq_dim(const sv_file *file, int dim, char name[SV_MAX_NAME], int64_t *length);
SV_API int sv_inq_dimid(const sv_file *file, const char *name, int *dim);
SV_API int sv_inq_var(const sv_file *file, int var, char name[SV_MAX_NAME], int *type, int *ndims,
                      int dims[SV_MAX_DIMS], int *natts);
SV_API int sv_inq_varid(const sv_file *file, const char *name, int *var);
SV_API int sv_inq_att(const sv_file *file, int var, const char *name, int *type, int64_t *count);
/* Returns the number (from 0) of an attribute. SV_ENOTFOUND, as in all calls that take a name: there is none. */
SV_API int sv_inq_attid(const sv_file *file, int var, const char *name, int *index);
SV_API int sv_inq_attname(const sv_file *file, int var, int index, char name[SV_MAX_NAME]);
/* In define mode, *header_bytes alone can be asked for, of a file whose format is chosen.
 * After sv_enddef or sv_open, of a CDF file (else SV_EORDER, SV_EFORMAT): the bytes of its header, where its data
 * begin, and the bytes from a record to the next (0: it has none). Any pointer may be NULL. sv_inq_varoffset returns
 * where a variable begins, or its record 0. */
SV_API int sv_inq_places(const sv_file *file, int64_t *header_bytes, int64_t *data_begin, int64_t *record_bytes);
SV_API int sv_inq_varoffset(const sv_file *file, int var, int64_t *offset);
/* Returns the value of cells that no rank writes, in the variable's type: the attribute _FillValue (*defined is 1), or
 * the default of netCDF (*defined is 0). */
SV_API int sv_inq_fill(const sv_file *file, int var, int *defined, void *value);
/* Returns how many values of this rank did not fit their type, in puts and gets of this file since it was opened. */
SV_API int sv_inq_misfits(const sv_file *file, int64_t *values);
SV_API int sv_inq_packing(const sv_file *file, int var, int *on); /* 1 if puts and gets pack and unpack */
/* Returns the path given to sv_create or sv_open. `path` must have room for *length + 1 characters. */
SV_API int sv_inq_path(const sv_file *file, size_t *length, char *path);
/* Returns SV_PUBLISHED or SV_GROWING, or SV_NOWRITE if the file is open for reading. */
SV_API int sv_inq_kind(const sv_file *file, int *kind);
/* Returns the name of a type ("double"), and the bytes of one value. */
SV_API int sv_inq_type(int type, char name[SV_MAX_NAME], int64_t *bytes);
/* Reads an attribute into `values`, converted to `type`. The caller provides room for the count of sv_inq_att. */
SV_API int sv_get_att(const sv_file *file, int var, const char *name, int type, void *values);

/* ---- writing (collective) ---------------------------------------------------------------------------------------- */

/* Writes a distributed field. `data` is this rank's block with its halo, contiguous, of the memory type `type`. Its
 * dimensions are those of the variable (without the record dimension), in their order. `data` is ignored on ranks that
 * own nothing, and may be NULL there. `record` counts from 0; it is SV_NO_RECORD for a variable without records.
 * `stride` is NULL, or the distance in bytes between neighbours in memory for each of those dimensions; `data` then
 * still points at the first element, halo included. */
SV_API int sv_put(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, const void *data,
                  const int64_t *stride);
/* Writes a replicated field: every rank passes the same whole variable, or the same whole record. Scalars are written
 * with this call, too. One copy is written. */
SV_API int sv_put_var(sv_file *file, int var, int64_t record, int type, const void *data, const int64_t *stride);
/* Writes a sub-array per rank, as netCDF does. `start` and `count` have the variable's dimensions, including the record
 * dimension. A rank with a count of 0 puts nothing. The sub-arrays of different ranks must not overlap; with `overlap:
 * allow` they may, and the higher rank wins. */
SV_API int sv_put_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                       const int64_t *stride);

/* Writes every apart[d]-th cell: `count` cells in each dimension, from `start`, at a distance of `apart` cells (1 or
 * more) in the file. With `apart` NULL the call is sv_put_vara. `stride` corresponds to netCDF's imap, but is in bytes.
 * Cells that are not neighbours in the file's fastest dimension are written one by one. If there are many such cells,
 * gather them first. */
SV_API int sv_put_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *apart,
                       int type, const void *data, const int64_t *stride);

/* Writes the fill value into a whole variable, or a whole record of it. Files that are filled by themselves (key fill)
 * need no such call. SV_EORDER: servers write the file. */
SV_API int sv_fill_var(sv_file *file, int var, int64_t record);

/* Copies from an open file into another file of the same context. It needs no memory of the caller, and only bounded
 * memory of the library. It copies a record of a variable, or (SV_NO_RECORD) a variable without records. Both variables
 * have the same type and shape (else SV_ETYPE). Each writer of `to` reads the part that it owns. */
SV_API int sv_copy_var(sv_file *from, int from_var, int64_t from_record, sv_file *to, int to_var, int64_t to_record);

/* ---- reading (collective) ---------------------------------------------------------------------------------------- */

/* These calls read what the corresponding puts write. sv_get does not change the halo. sv_get_var gives every rank the
 * whole variable (or record). sv_get_vara and sv_get_vars give each rank its own sub-array; sub-arrays may overlap. */
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
 * The requests of one call, or of one sv_wait, may be of any variables, records, types and decompositions. The library
 * puts them in the order of the file and merges neighbours; then it writes (or reads) them together. See
 * docs/combining.md.
 *
 * Two requests of one call or wait that put the same cell are SV_ELAYOUT. With `overlap: allow` they are permitted: the
 * later request of a rank wins over its earlier ones, and the higher rank over the lower. Reads may overlap. In one
 * wait, puts come before gets.
 */

/* Lists. Collective. Each of the `n` requests of this rank is a sub-array as in sv_put_vara. `n` may differ between
 * ranks and may be 0. A variable may occur several times. `strides` is NULL, or holds for each request NULL or the
 * distances in bytes. If a request has an error, the message names it, and the call writes nothing. */
SV_API int sv_mput_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const int *types, const void *const *data,
                        const int64_t *const *strides);
SV_API int sv_mget_vara(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                        const int64_t *const *counts, const int *types, void *const *data,
                        const int64_t *const *strides);
/* The same calls for memory that MPI describes: request i has `data_counts[i]` items of `datatypes[i]`. A datatype is
 * made of one basic type (else SV_ETYPE) and committed (else SV_EINVAL); its lower bound and its extent may be
 * negative. The items hold as many values as the sub-array has cells (else SV_EINVAL). Values that are not contiguous
 * are copied once more. */
SV_API int sv_mput_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, const void *const *data, const int64_t *data_counts,
                            const MPI_Datatype *datatypes);
SV_API int sv_mget_vara_mpi(sv_file *file, int n, const int *vars, const int64_t *const *starts,
                            const int64_t *const *counts, void *const *data, const int64_t *data_counts,
                            const MPI_Datatype *datatypes);
/* Local, for callers that describe memory by datatypes where these calls do not. sv_inq_datatype: the basic type of its
 * values (SV_ETYPE: netCDF does not know it; or there are several, and *type is 0), how many an item has, and whether
 * those of `items` items follow each other in memory, from the address on. sv_inq_datatype_runs: the stretches in which
 * the values of an item are, in their order, neighbours joined; `offsets` and `lengths`, in bytes, are NULL or have
 * room for *runs. The other two calls copy the values of items into contiguous memory, and back. */
SV_API int sv_inq_datatype(MPI_Datatype datatype, int64_t items, int *type, int64_t *values, int *contiguous);
SV_API int sv_inq_datatype_runs(MPI_Datatype datatype, int64_t *runs, int64_t *offsets, int64_t *lengths);
SV_API int sv_gather_items(sv_context *io, const void *from, int64_t items, MPI_Datatype datatype, void *to);
SV_API int sv_scatter_items(sv_context *io, const void *from, int64_t items, MPI_Datatype datatype, void *to);
/* Each of the `n` requests is a distributed field, as in sv_put. */
SV_API int sv_mput(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const int *types, const void *const *data, const int64_t *const *strides);
SV_API int sv_mget(sv_file *file, int n, const int *vars, const sv_decomp *const *decomps, const int64_t *records,
                   const int *types, void *const *data, const int64_t *const *strides);
/* Writes or reads `n` regions of one variable, each with start and count as in sv_put_vara. The values of the regions
 * follow one another in `data`, contiguously. These calls are for ranks that own pieces of a space-filling curve. */
SV_API int sv_put_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, const void *data);
SV_API int sv_get_varn(sv_file *file, int var, int n, const int64_t *const *starts, const int64_t *const *counts,
                       int type, void *data);

/* Requests that wait. Local. These calls check the arguments as far as one rank can, and record the request; nothing is
 * transferred before sv_wait. If a call fails, it records nothing. The array of a put must not change, and the array of
 * a get must exist, until sv_wait or sv_close; sv_close carries out the requests that are still pending. `stride`,
 * `starts` and `counts` are copied. `request` may be NULL if the caller will wait with SV_ALL. Ranks may make different
 * requests, or none. All ranks that call sv_iput_var for the same variable and record must pass the same values. */
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

/* The same puts with a buffer: the values are copied, and the caller may use the array again at once. Each rank has its
 * own buffer for each file. After sv_attach_buffer, its size is `bytes`. Otherwise it grows as needed, up to the key
 * `combine_buffer`. SV_ENOMEM: the buffer has no room. sv_detach_buffer returns SV_EORDER while the buffer is in
 * use. */
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

/* Collective. Carries out `n` requests of this rank, and sets their handles to SV_NO_REQUEST. `n` may be 0. With
 * SV_ALL, `requests` is NULL and the call carries out all pending requests. Handles that are already SV_NO_REQUEST are
 * skipped. `statuses` is NULL, or receives the status code of each request. If one request fails, the others are still
 * carried out. Every rank returns the same code: that of the first failed request on the lowest rank that has one.
 * SV_EINVAL: a handle is not pending, because it was waited for or cancelled before, or belongs to another file. */
SV_API int sv_wait(sv_file *file, int n, sv_request *requests, int *statuses);
/* Ranks that put and get by themselves. Between sv_begin_alone and sv_end_alone, which are collective, sv_wait_alone
 * carries out requests of sub-arrays (sv_iput_vara and its kin) of this rank, without the others: local. No other put
 * or get is made meanwhile. What a rank puts is in the file when the call returns, and it reads it; the other ranks do
 * after sv_end_alone. There the ranks also agree how many records there are, and learn what the puts of one of them
 * have failed with. sv_sync, sv_end_step, sv_redef and sv_close end this time, too. In a file that is open for reading,
 * sv_wait_alone may be called at any time. SV_EORDER: servers, or the library of another store, write the file; a set
 * of files; with `fill: true`, a new record. */
SV_API int sv_begin_alone(sv_file *file);
SV_API int sv_end_alone(sv_file *file);
SV_API int sv_wait_alone(sv_file *file, int n, sv_request *requests, int *statuses);
/* Local. Cancels requests; none of their data are transferred. */
SV_API int sv_cancel(sv_file *file, int n, sv_request *requests, int *statuses);
/* Local. Returns the number of pending requests of this rank. */
SV_API int sv_inq_pending(const sv_file *file, int *pending);

#ifdef __cplusplus
}
#endif

#include "storage.h" /* chunks, compression and byte order of single variables */

#endif
