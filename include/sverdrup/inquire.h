/* Sverdrup: inquiry of files and contexts. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. All calls are local, except sv_write_summary. Any result
 * pointer may be NULL.
 *
 * Errors: SV_ENOTFOUND, the file has no such dimension, variable or attribute, or the configuration no such key;
 * SV_ETYPE, text and numbers; SV_ERANGE, a value that `type` does not hold; SV_EIO, the summary cannot be written.
 */
#ifndef SVERDRUP_INQUIRE_H
#define SVERDRUP_INQUIRE_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. One rank writes the summary (settings, routes and their reasons, bytes, seconds) as JSON to `path`. */
SV_API int sv_write_summary(sv_context *io, const char *path);

/* Local. The value of a key of the configuration that is in force for a file of this path, as text: "false", "4MiB" and
 * so on. The file need not exist. `value` is NULL, or has room for *length + 1 characters; `length` may be NULL. */
SV_API int sv_inq_setting(const sv_context *io, const char *path, const char *key, size_t *length, char *value);

/* Any result pointer may be NULL. *record_dim is -1 if the file has no record dimension. */
SV_API int sv_inq(const sv_file *file, int *ndims, int *nvars, int *natts, int *record_dim);

/* Returns how many dimensions are unlimited, and their ids, ascending: the record dimension, and others whose length a
 * put of sub-arrays makes longer (netCDF-4, Zarr). `dims` is NULL, or has room for all. As nc_inq_unlimdims. */
SV_API int sv_inq_unlimdims(const sv_file *file, int *count, int *dims);
SV_API int sv_inq_format(const sv_file *file, int *format); /* 1, 2, 5: CDF; 3, 4: netCDF-4; 10: Zarr */
/* The length of the record dimension is the record count, with records that are not yet committed. */
SV_API int sv_inq_dim(const sv_file *file, int dim, char name[SV_MAX_NAME], int64_t *length);
SV_API int sv_inq_dimid(const sv_file *file, const char *name, int *dim);
SV_API int sv_inq_var(const sv_file *file, int var, char name[SV_MAX_NAME], int *type, int *ndims,
                      int dims[SV_MAX_DIMS], int *natts);
SV_API int sv_inq_varid(const sv_file *file, const char *name, int *var);
SV_API int sv_inq_att(const sv_file *file, int var, const char *name, int *type, int64_t *count);

/* Returns the number (from 0) of an attribute; sv_inq_attname takes it. SV_ENOTFOUND, as in all calls that take a name:
 * there is none. */
SV_API int sv_inq_attid(const sv_file *file, int var, const char *name, int *index);
SV_API int sv_inq_attname(const sv_file *file, int var, int index, char name[SV_MAX_NAME]);

/* Returns the bytes of the header of a CDF file (else SV_EFORMAT), and where its data begin. *record_bytes is the
 * distance from a record to the next (0: it has none). The second call returns where a variable begins, or its record
 * 0. SV_EORDER: the file is being defined. If its format is chosen, *header_bytes alone can then be asked for. */
SV_API int sv_inq_file_layout(const sv_file *file, int64_t *header_bytes, int64_t *data_begin, int64_t *record_bytes);
SV_API int sv_inq_varoffset(const sv_file *file, int var, int64_t *offset);

/* Returns the value of cells that no rank writes, in the variable's type. It is the attribute _FillValue (*defined is
 * 1), or the default of netCDF (*defined is 0). */
SV_API int sv_inq_fill(const sv_file *file, int var, int *defined, void *value);

/* Returns how many values of this rank did not fit their type, in puts and gets of this file since it was opened. */
SV_API int sv_inq_range_errors(const sv_file *file, int64_t *values);
SV_API int sv_inq_packing(const sv_file *file, int var, int *on); /* 1 if puts and gets pack and unpack */

/* Returns the path given to sv_create or sv_open. `path` must have room for *length + 1 characters. */
SV_API int sv_inq_path(const sv_file *file, size_t *length, char *path);

/* Returns SV_PUBLISHED or SV_GROWING, or SV_NOWRITE if the file is open for reading. */
SV_API int sv_inq_kind(const sv_file *file, int *kind);

/* Returns the name of a type ("double"), and the bytes of one value. */
SV_API int sv_inq_type(int type, char name[SV_MAX_NAME], int64_t *bytes);

/* Reads an attribute into `values`, converted to `type`. The caller provides room for the count of sv_inq_att. */
SV_API int sv_get_att(const sv_file *file, int var, const char *name, int type, void *values);

#ifdef __cplusplus
}
#endif

#endif
