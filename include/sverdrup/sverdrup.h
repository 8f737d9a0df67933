/* Sverdrup: parallel netCDF output and input for Earth-system models. SPDX-License-Identifier: Apache-2.0
 *
 * A model writes its temperature, of which each rank has the block of `count` cells from `start`:
 *
 *   sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io);
 *   sv_def_decomp(io, 2, shape, start, count, NULL, &decomp);
 *   sv_create(io, "ocean.nc", SV_CLOBBER, &file);
 *   sv_def_dim(file, "time", SV_UNLIMITED, &dims[0]);
 *   sv_def_dim(file, "lat", shape[0], &dims[1]);
 *   sv_def_dim(file, "lon", shape[1], &dims[2]);
 *   sv_def_var(file, "temp", SV_FLOAT, 3, dims, &temp);
 *   sv_enddef(file);
 *   for (int64_t step = 0; step < steps; ++step) {
 *     compute(block);
 *     sv_put(file, temp, decomp, step, SV_DOUBLE, block, NULL);
 *     sv_end_step(io);
 *   }
 *   sv_close(file);
 *   sv_free_decomp(decomp);
 *   sv_finalize(io);
 *
 * This header has what most models need. It includes the others, each of one subject: inquire.h, define.h, storage.h,
 * points.h, requests.h and servers.h. Authors of interfaces over this one also include binding.h.
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
 *   - Errors of all calls, which the comments do not repeat: SV_EINVAL, an argument that is NULL, freed or out of
 *     range; SV_ENOMEM. Collective calls also return SV_ERANKS, SV_ETIMEOUT, SV_EMPI, the errors of the other ranks,
 *     and the error of a server or a thread in an earlier call. If the writing of a file has failed, all later calls on
 *     it return that error.
 *   - MPI is initialised before, for MPI_THREAD_SINGLE or more. The key `async: threads` needs MPI_THREAD_FUNNELED,
 *     and asynchronous forwarding may need MPI_THREAD_MULTIPLE (docs/asynchronous.md). No call needs more than the
 *     keys do. The calls of a context are made by one thread at a time.
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
  SV_EORDER = 3,     /* a call out of order, such as a put in define mode */
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
  SV_EINTERNAL = 19, /* a defect of Sverdrup: please report it */
  SV_ERANKS = 20,    /* ranks made different calls, or have different settings */
  SV_EINUSE = 21,    /* the file is being written already, by this context or another program */
  SV_ENOTSUP = 22,   /* the format, the kind or the writer of this file does not support the call */
  SV_EDEVICE = 23    /* the runtime of a GPU reported an error */
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

/* The type of the values that a pointer points at, for C11: sv_put(file, var, decomp, n, SV_TYPE_OF(data), data, NULL).
 * SV_PUT, SV_FROM and other macros below pass it. Other types do not compile. `long` counts by its size. In C++,
 * sverdrup.hpp derives the type. */
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
/* clang-format off */
#define SV_TYPE_OF(pointer) \
  _Generic(*(pointer), signed char: SV_BYTE, char: SV_CHAR, short: SV_SHORT, int: SV_INT, float: SV_FLOAT, \
           double: SV_DOUBLE, unsigned char: SV_UBYTE, unsigned short: SV_USHORT, unsigned: SV_UINT, \
           long: sizeof(long) == 8 ? SV_INT64 : SV_INT, unsigned long: sizeof(long) == 8 ? SV_UINT64 : SV_UINT, \
           long long: SV_INT64, unsigned long long: SV_UINT64)
/* clang-format on */
#endif

#define SV_UNLIMITED ((int64_t)0)  /* the length of an unlimited dimension, in sv_def_dim */
#define SV_GLOBAL (-1)             /* the variable id of the file's own attributes */
#define SV_MAX_NAME 257            /* bytes of the longest name in UTF-8, including the final zero */
#define SV_MAX_DIMS 1024           /* the largest number of dimensions of a variable; 32 in netCDF-4 files */
#define SV_MAX_GRID_DIMS 16        /* the same of the grid of a decomposition or of points */
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
#define SV_SERIES 0x40000      /* sv_create: the path is a template for a growing file per period: sv_select_record */
#define SV_LITERAL 0x80000     /* sv_create, sv_open: %v in the path is no place for the names of variables */
#define SV_NOWRITE 0x0000      /* sv_open: for reading (the default) */
#define SV_WRITE 0x0001        /* sv_open: for appending records and rewriting values; the file is then growing */

/* Flags of sv_def_decomp. */
#define SV_MASKED 0x1 /* permits cells that no rank owns; they read as the fill value */

typedef struct sv_context sv_context; /* one per communicator; sv_init makes it, sv_finalize frees it */
typedef struct sv_decomp sv_decomp;   /* which rank owns which cells; sv_free_decomp or sv_finalize frees it */
typedef struct sv_file sv_file;       /* an open file; sv_create or sv_open makes it, sv_close frees it */
typedef int64_t sv_request;           /* a pending put or get: a number of one rank and file, never used again */

/* Values in memory, for calls with more arguments than sv_put. `memory_strides` is that of sv_put. In C:
 * (sv_source){SV_DOUBLE, block, NULL}, or SV_FROM(block). */
typedef struct sv_source {
  int type;
  const void *data;
  const int64_t *memory_strides;
} sv_source;
/* The same of memory that a get fills: SV_INTO(block). */
typedef struct sv_target {
  int type;
  void *data;
  const int64_t *memory_strides;
} sv_target;

#define SV_NO_REQUEST ((sv_request)-1)
#define SV_ALL (-1) /* sv_wait, sv_cancel: all pending requests of this rank */

/* ---- the context ------------------------------------------------------------------------------------------------ */

/* Collective over `comm`, which is duplicated once. `config` names a YAML file, or a Fortran namelist file with the
 * group &mpp_io_nml. If `config` is NULL, the environment variable SV_CONFIG may name the file. Environment variables
 * (SV_ROUTE, SV_WRITERS ...) override the file. `options` overrides both: a list of `n_options` strings "key=value"
 * (NULL if there are none). An option "key?=value" is the program's own default, which the others override.
 *
 * With `async: servers`, some of the ranks are servers. A server stays in this call and writes what the other ranks
 * put. It returns when these have called sv_finalize; sv_is_model then reports 0, and the only call left is
 * sv_finalize. SV_ECONFIG: a key or a value of the configuration is wrong. SV_ENOTFOUND: there is no such file.
 * "Collective" below refers to the ranks that compute: those of sv_model_comm. Ranks that set the key `component` to
 * different names are different models, which share the servers; each model has its own sv_model_comm and its own
 * files. See docs/overlap.md. */
SV_API int sv_init(MPI_Comm comm, const char *config, int n_options, const char *const *options, sv_context **io);

/* Collective. Close all files before this call: files that are still open are abandoned and reported as SV_EORDER. The
 * call prints the table of metrics and writes the summary, if the configuration asks for them. Without such a request,
 * rank 0 prints one line about the written files on stderr (`summary.table=false`: none). The call always frees the
 * handle. */
SV_API int sv_finalize(sv_context *io);

/* Collective. Marks the end of a step. It commits all records that were put since the last call, in every file. It also
 * fills the cells and variables of these records that no rank wrote. With servers, the call returns when the step is
 * handed over; the next collective call then reports an error of a server, on every rank. With `durability: ordered`, a
 * record counts later, when it is on the disk: in a later sv_end_step, or in sv_sync, sv_flush (SV_WRITTEN or
 * SV_ON_DISK) or sv_close. A run that is killed before that loses the records that do not count yet. SV_EIO,
 * SV_ENOSPACE: values or the record count could not be written. */
SV_API int sv_end_step(sv_context *io);

/* Local. Returns the text of the last error on this thread: file, variable, rank, cause, remedy. The text is valid
 * until the next call. These three calls have no error. */
SV_API const char *sv_message(void);
SV_API const char *sv_strerror(int status); /* the short name of a status code */
SV_API const char *sv_version(void);

/* ---- decompositions: which rank owns which cells ----------------------------------------------------------------- */

/* More of a decomposition; 0 and NULL by default. `halo` is 2*ndims widths, the low and the high one of each dimension.
 * The halo is a frame around the block in the caller's arrays; it is never written. `periodic` is ndims flags; in a
 * periodic dimension, a block may pass the end of the grid and continue at its start. */
typedef struct sv_decomp_options {
  const int64_t *halo;
  const int *periodic;
  int flags; /* SV_MASKED */
} sv_decomp_options;

/* Collective. The grid has `shape[d]` cells in dimension d, for d = 0 .. ndims-1, slowest first. This rank owns the
 * block of `count[d]` cells from `start[d]` (counted from 0). If a count is 0 in any dimension, this rank owns nothing.
 * `options` is NULL, or for example &(sv_decomp_options){.halo = halo}. The call checks the blocks of all ranks once:
 * overlaps, gaps (unless SV_MASKED is given) and blocks out of range are SV_ELAYOUT on every rank. */
SV_API int sv_def_decomp(sv_context *io, int ndims, const int64_t *shape, const int64_t *start, const int64_t *count,
                         const sv_decomp_options *options, sv_decomp **decomp);
/* Local. Frees a decomposition or points. A file keeps the order that it was given. It has no error of its own. */
SV_API int sv_free_decomp(sv_decomp *decomp);

/* Local. Divides `length` cells into `parts` parts. Part `part` (from 0) has *count cells from *start (from 0). The
 * first length % parts parts have one cell more than the others. SV_EINVAL: there is no such part. */
SV_API int sv_block(int64_t length, int parts, int part, int64_t *start, int64_t *count);

/* ---- files: create, open, close --------------------------------------------------------------------------------- */

/* Collective. Makes a file, in define mode. A published file has its final name only after sv_close. SV_EEXISTS: with
 * SV_NOCLOBBER. SV_EINUSE, SV_EACCESS: the file is being written, or must not be replaced. SV_ENOTFOUND: there is no
 * such directory. SV_ECOMPILED: this format was not compiled in. */
SV_API int sv_create(sv_context *io, const char *path, int flags, sv_file **file);

/* Collective. Opens a CDF file, a netCDF-4 file or a Zarr group, from any program; one rank reads the header. If the
 * file `path` does not exist but its pieces `path`.0000 and so on do, the call opens the pieces as one file. Pieces are
 * those of the routes per_pe and per_domain, or of FMS. FMS's numbers may have six digits, begin elsewhere and have
 * gaps. SV_ENOTFOUND: there is no such file. SV_EFORMAT: a piece is missing, incomplete, of another set, or in the
 * place of another piece. */
SV_API int sv_open(sv_context *io, const char *path, int flags, sv_file **file);

/* Collective. Ends define mode: compares the definitions of all ranks, places the variables, writes the header.
 * SV_EDEFINE: ranks defined different things. SV_ELIMIT: the format has no room for a variable. SV_EORDER: the file is
 * not being defined. SV_EIO, SV_ENOSPACE: the file could not be written. */
SV_API int sv_enddef(sv_file *file);

/* Collective. Goes back to define mode, for a file of sv_create (after sv_enddef) or a file opened with SV_WRITE. It
 * first commits all puts. Dimensions, variables and attributes may then be added, changed and renamed, and attributes
 * deleted. sv_enddef ends this define mode, too.
 *
 * The header is rewritten in place if it still fits its reserve (key header_reserve) and no variable is added to a file
 * with records. Meanwhile NAME.header contains a copy of the header (docs/errors.md). In netCDF-4 files and Zarr
 * groups, additions change the metadata only. Otherwise all data move, once, into a new file, which is renamed over the
 * old one. A kill leaves either the old or the new file. The summary reports the move. New variables are filled as
 * usual. SV_ENOTSUP: sets of files (routes per_pe and per_domain) and series cannot be redefined. */
SV_API int sv_redef(sv_file *file);

/* Collective. Commits all puts into this file so far, to the durability that the configuration asks for. SV_EORDER: the
 * file is being defined. SV_EIO, SV_ENOSPACE: it could not be written. */
SV_API int sv_sync(sv_file *file);

/* Collective, for a series. The `path` of sv_create has date fields as in strftime: %Y %m %d %H %M %S. %j is the day of
 * the year, and %% a percent sign. No file exists yet after sv_enddef. The definitions hold for every file. They
 * must include a record dimension and its coordinate: a variable of the same name, SV_DOUBLE or SV_FLOAT. Its attribute
 * `calendar` (CF conventions; if absent: standard) names the calendar of the dates. All other calls refer to the file
 * of the current period.
 *
 * The puts that follow are of this `date` and `time`. `date` is year, month, day, hour, minute, second; it names the
 * file. If this is another file than before, the call completes and closes the previous file. It then creates the next
 * file or, if that exists, opens it for appending: SV_EDEFINE if its dimensions and variables differ.
 *
 * *record is the record for the puts that follow; the call has already put its time. If the file has a record of an
 * equal time (to 1e-6 of the spacing of records), *record is that one. It is then written again. If `time` is
 * later than all times in the file, *record is a new record. SV_EINVAL: the time is before the first or between two. So
 * a run that restarts from an older state never doubles a record. *wants_fixed is 1 if variables without records must
 * be put before the next sv_end_step; the pointer may be NULL if there are no such variables. */
SV_API int sv_select_record(sv_file *file, const int date[6], double time, int64_t *record, int *wants_fixed);

/* Collective. Completes the file: fills the cells that no rank wrote, commits, publishes. It always frees the
 * handle. With servers or threads, the call returns when the file is handed over to them. It is complete, and has its
 * name, after sv_flush (SV_WRITTEN or SV_ON_DISK) or sv_finalize. SV_EIO, SV_ENOSPACE, SV_EACCESS: the file is
 * abandoned, with its committed records. */
SV_API int sv_close(sv_file *file);

/* Collective. sv_close without the definitions in progress. In define mode after sv_redef, the file keeps its old
 * definitions and all values. Before the first sv_enddef nothing is left of it, and an older file stays. Outside define
 * mode this is sv_close. It always frees the handle. SV_EIO: the file could not be removed, or as
 * sv_close. */
SV_API int sv_abort(sv_file *file);

/* ---- definitions (local; the same on every rank, in the same order) ---------------------------------------------- */
/* SV_EORDER: the file is not being defined. SV_EDEFINE: no name of netCDF, or a thing that the format lacks.
 * SV_EEXISTS: the name is taken. SV_ENOTFOUND: no such dimension or variable. SV_ETYPE, SV_ERANGE: values that the type
 * does not hold. SV_ELIMIT: more than the format permits. */

/* `length` is at least 1, or SV_UNLIMITED. */
SV_API int sv_def_dim(sv_file *file, const char *name, int64_t length, int *dim);

/* `dims`: ndims ids, slowest first. Unlimited dimensions: in CDF files one, which comes first; in others any number. */
SV_API int sv_def_var(sv_file *file, const char *name, int type, int ndims, const int *dims, int *var);

/* Sets the value of cells that no rank writes. It is of the variable's type, and is also written as the attribute
 * _FillValue. */
SV_API int sv_def_fill(sv_file *file, int var, const void *value);

/* Packed data (CF conventions, section 8.1). Writes the attributes scale_factor and add_offset. Puts and gets of this
 * variable then pack and unpack: value = packed * scale_factor + add_offset, in double precision. If the target is
 * an integer, the result is rounded to the nearest. NaN is written as the fill value. The fill value is read as NaN;
 * into integers, it is read as the fill value. Without this call puts and gets do not pack, as in netCDF-C. */
SV_API int sv_def_packing(sv_file *file, int var, double scale_factor, double add_offset);

/* For a variable whose dimensions match the shape of a decomposition's grid in several places: `first_dim` is the first
 * of the variable's dimensions (from 0) that belongs to the grid. */
SV_API int sv_def_var_decomp_dim(sv_file *file, int var, int first_dim);

/* Writes an attribute of `count` values of `type`: native numbers, or characters for SV_CHAR. With var = SV_GLOBAL, the
 * attribute belongs to the file. An attribute of the same name is replaced. */
SV_API int sv_put_att(sv_file *file, int var, const char *name, int type, int64_t count, const void *values);
SV_API int sv_put_att_text(sv_file *file, int var, const char *name, const char *text);

/* ---- writing (collective) ---------------------------------------------------------------------------------------- */
/* SV_EORDER: the file is being defined, or open for reading. SV_ENOTFOUND: no such variable. SV_EINVAL: a record, start
 * or count out of range; no data. SV_ELAYOUT: the decomposition is not of the variable's dimensions; two ranks put one
 * cell. SV_ETYPE: text and numbers. SV_ERANGE: with `out_of_range: error`. SV_EIO, SV_ENOSPACE: the file has failed.
 * SV_EDEVICE: the runtime of the GPU that has the values failed. */

/* Writes a distributed field. `data` is this rank's block with its halo, contiguous, of the memory type `type`. Its
 * dimensions are those of the variable (without the record dimension), in their order. `data` is ignored on ranks that
 * own nothing, and may be NULL there. `record` counts from 0; it is SV_NO_RECORD for a variable without records.
 * `memory_strides` is NULL, or the distance in bytes between neighbours in memory for each of those dimensions; `data`
 * then still points at the first element, halo included. */
SV_API int sv_put(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, const void *data,
                  const int64_t *memory_strides);

/* Writes a replicated field: every rank passes the same whole variable, or the same whole record. Scalars are written
 * with this call, too. One copy is written. */
SV_API int sv_put_var(sv_file *file, int var, int64_t record, int type, const void *data,
                      const int64_t *memory_strides);

/* Writes a sub-array per rank, as netCDF does. `start` and `count` have the variable's dimensions, including the record
 * dimension. A rank with a count of 0 puts nothing. The sub-arrays of different ranks must not overlap; with `overlap:
 * allow` they may, and the higher rank wins. */
SV_API int sv_put_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, const void *data,
                       const int64_t *memory_strides);

/* Writes every stride[d]-th cell: `count` cells in each dimension, from `start`, at a distance of `stride` cells (1 or
 * more) in the file. With `stride` NULL the call is sv_put_vara. `memory_strides` corresponds to netCDF's imap, but is
 * in bytes. Cells that are not neighbours in the file's fastest dimension are written one by one. If there are many
 * such cells, gather them first. */
SV_API int sv_put_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                       sv_source values);

/* Writes the fill value into a whole variable, or a whole record of it. Files that are filled by themselves (key fill)
 * need no such call. SV_ENOTSUP: servers write the file. */
SV_API int sv_fill_var(sv_file *file, int var, int64_t record);

/* Copies from an open file into another file of the same context. It needs no memory of the caller, and only bounded
 * memory of the library. It copies a record of a variable, or (SV_NO_RECORD) a variable without records. Both variables
 * have the same type and shape (else SV_ETYPE). Packed values are copied as they are stored. Each writer of `to` reads
 * the part that it owns. */
SV_API int sv_copy_var(sv_file *from, int from_var, int64_t from_record, sv_file *to, int to_var, int64_t to_record);

/* ---- reading (collective) ---------------------------------------------------------------------------------------- */
/* As for writing; and SV_ENOTFOUND: no such record, or it is not committed. SV_EFORMAT: the file is damaged. */

/* These calls read what the corresponding puts write. The halo does not change. With sv_get_var every rank gets the
 * whole variable (or record). With sv_get_vara and sv_get_vars each rank gets its own sub-array; these may overlap. */
SV_API int sv_get(sv_file *file, int var, const sv_decomp *decomp, int64_t record, int type, void *data,
                  const int64_t *memory_strides);
SV_API int sv_get_var(sv_file *file, int var, int64_t record, int type, void *data, const int64_t *memory_strides);
SV_API int sv_get_vara(sv_file *file, int var, const int64_t *start, const int64_t *count, int type, void *data,
                       const int64_t *memory_strides);
SV_API int sv_get_vars(sv_file *file, int var, const int64_t *start, const int64_t *count, const int64_t *stride,
                       sv_target values);

/* The same puts and gets of contiguous values in C11, whose type follows from the pointer (SV_TYPE_OF). A pointer is
 * evaluated once. */
#ifdef SV_TYPE_OF
/* clang-format off */
#define SV_FROM(data) ((sv_source){SV_TYPE_OF(data), data, NULL})
#define SV_INTO(data) ((sv_target){SV_TYPE_OF(data), data, NULL})
#define SV_PUT(file, var, decomp, record, data) sv_put(file, var, decomp, record, SV_TYPE_OF(data), data, NULL)
#define SV_PUT_VAR(file, var, record, data) sv_put_var(file, var, record, SV_TYPE_OF(data), data, NULL)
#define SV_PUT_VARA(file, var, start, count, data) sv_put_vara(file, var, start, count, SV_TYPE_OF(data), data, NULL)
#define SV_PUT_VARS(file, var, start, count, stride, data) \
  sv_put_vars(file, var, start, count, stride, SV_FROM(data))
#define SV_GET(file, var, decomp, record, data) sv_get(file, var, decomp, record, SV_TYPE_OF(data), data, NULL)
#define SV_GET_VAR(file, var, record, data) sv_get_var(file, var, record, SV_TYPE_OF(data), data, NULL)
#define SV_GET_VARA(file, var, start, count, data) sv_get_vara(file, var, start, count, SV_TYPE_OF(data), data, NULL)
#define SV_GET_VARS(file, var, start, count, stride, data) \
  sv_get_vars(file, var, start, count, stride, SV_INTO(data))
/* clang-format on */
#endif

#ifdef __cplusplus
}
#endif

#include "define.h"
#include "enums.h"
#include "groups.h"
#include "inquire.h"
#include "points.h"
#include "requests.h"
#include "servers.h"
#include "storage.h"
#include "string_values.h"

#endif
