/* Sverdrup: definitions that few models need. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. Here are packing that others have defined, places in CDF
 * files, definitions that only one rank knows, and renaming.
 */
#ifndef SVERDRUP_DEFINE_H
#define SVERDRUP_DEFINE_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Local; the same on every rank, at any time. Makes puts and gets of a variable pack and unpack (on is 1), or not (on
 * is 0). The variable already has scale_factor or add_offset. SV_ENOTFOUND: it has neither. */
SV_API int sv_use_packing(sv_file *file, int var, int on);

/* Local, in define mode; the same on every rank. Sets offsets of new variables in a CDF file, as nc__enddef does. The
 * first variable is at least `header_free` bytes behind the header. Record 0 is `fixed_free` bytes behind the last
 * variable without records. The first variable, the other ones without records, and record 0 are at multiples of
 * `data_align`, `variable_align` and `record_align` bytes (at least 4). A number below 0 keeps the default: key
 * header_reserve, 4096, 8, 0 and 8. Existing variables keep their offsets if the header still fits.
 * SV_ENOTSUP: servers write the file, or it is a series. */
SV_API int sv_def_alignment(sv_file *file, int64_t header_free, int64_t data_align, int64_t variable_align,
                            int64_t fixed_free, int64_t record_align);

/* Local, as sv_def_alignment. Sets the offset of each of all `nvars` variables, of those with records in record 0. It
 * counts for the next sv_enddef, instead of sv_def_alignment. sv_enddef returns SV_EDEFINE if a variable begins within
 * the header or overlaps another one. */
SV_API int sv_def_varoffsets(sv_file *file, int nvars, const int64_t *offsets);

/* Collective, in define mode. Gives all ranks the dimensions, variables and attributes of rank 0, in place of their
 * own. A program whose ranks may differ in an attribute calls it after sv_enddef has returned SV_EDEFINE. Ids that a
 * rank has of variables and dimensions which rank 0 did not define mean nothing afterwards. */
SV_API int sv_share_definitions(sv_file *file);

/* Local, in define mode; the same on every rank. These calls rename and delete. SV_EEXISTS: the new name is taken.
 * SV_ENOTFOUND: there is nothing of this name or number. sv_copy_att replaces an attribute
 * of the same name; `from` may be any open file. In a CDF file, a single string becomes text. */
SV_API int sv_rename_dim(sv_file *file, int dim, const char *name);
SV_API int sv_rename_var(sv_file *file, int var, const char *name);
SV_API int sv_rename_att(sv_file *file, int var, const char *name, const char *new_name);
SV_API int sv_del_att(sv_file *file, int var, const char *name);
SV_API int sv_copy_att(const sv_file *from, int from_var, const char *name, sv_file *to, int to_var);

#ifdef __cplusplus
}
#endif

#endif
