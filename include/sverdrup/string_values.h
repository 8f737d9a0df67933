/* Sverdrup: variables of strings in netCDF-4 files and Zarr groups. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. sv_def_var defines such a variable with the type SV_STRING:
 *
 *   const char *names[] = {"Bergen", "Tórshavn"};
 *   sv_def_var(file, "station", SV_STRING, 1, &stations, &station);
 *   sv_enddef(file);
 *   sv_put_var_string(file, station, SV_NO_RECORD, names);
 *
 * Strings are names and other small texts. Rank 0 writes them for all ranks; it holds those of a netCDF-4 file in
 * memory until the file is closed. They are not compressed, and end with a zero byte. Zarr stores UTF-8; other bytes
 * are taken as Latin-1. A cell that no rank writes reads as the attribute _FillValue, a string, or as empty. A string
 * that is written again takes new space in a netCDF-4 file. The calls for numbers return SV_ETYPE for such a variable.
 *
 * All calls are collective, of any MPI thread level, and return the error of any rank on every rank. Errors: SV_EORDER,
 * SV_ENOTFOUND, SV_EINVAL, SV_ETYPE, SV_ELAYOUT, SV_ELIMIT, SV_ENOTSUP, SV_EFORMAT:
 *   SV_EORDER      before sv_enddef, or in independent access
 *   SV_ENOTFOUND   there is no such variable; a get: there is no such record
 *   SV_EINVAL      a part that does not lie in the variable, or a null pointer
 *   SV_ETYPE       the variable contains numbers or characters
 *   SV_ELAYOUT     two ranks put the same cell (key overlap)
 *   SV_ELIMIT      more than 1 GiB on one rank
 *   SV_ENOTSUP     servers write the file, or it is a set of files; a put with the store netcdf4_library
 *   SV_EFORMAT     a netCDF-4 file of another program has strings of a fixed length, which can only be read
 */
#ifndef SVERDRUP_STRING_VALUES_H
#define SVERDRUP_STRING_VALUES_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Collective. Writes a part per rank. `start` and `count` have the variable's dimensions, slowest first, including the
 * record dimension; `values` has a pointer for each cell, the last dimension fastest, and may be NULL on a rank whose
 * count is 0. The strings are copied. */
SV_API int sv_put_vara_string(sv_file *file, int var, const int64_t *start, const int64_t *count,
                              const char *const *values);
/* Collective. Writes the whole variable, or the whole record `record` (SV_NO_RECORD: the variable has none). Every rank
 * passes the same strings. */
SV_API int sv_put_var_string(sv_file *file, int var, int64_t record, const char *const *values);

/* Collective. Read what the corresponding puts write; the parts of ranks may overlap. `values` has room for a pointer
 * for each cell. sv_free_string frees the strings. */
SV_API int sv_get_vara_string(sv_file *file, int var, const int64_t *start, const int64_t *count, char **values);
SV_API int sv_get_var_string(sv_file *file, int var, int64_t record, char **values);

#ifdef __cplusplus
}
#endif

#endif
