/* Sverdrup: groups and strings of netCDF-4 files and Zarr groups. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. The names and numbers are those of netCDF.
 *
 * Strings are texts of any length that end with a zero byte. Attributes of type SV_STRING have one or several;
 * sv_inq_att returns their number. CDF files have none. In a Zarr group made by another program, a list of texts is of
 * strings, and a single text SV_CHAR.
 *
 * Groups form a tree. The outermost group has the id 0; the other ids are valid in one file. Members of a group have
 * the names of its groups in front of their own, separated by slashes: with
 *
 *   int ocean;
 *   sv_def_grp(file, 0, "ocean", &ocean);
 *   sv_def_dim(file, "ocean/depth", 40, &depth);
 *   sv_def_var(file, "ocean/temp", SV_FLOAT, 3, dims, &temp);
 *   sv_put_att_text(file, SV_GROUP(ocean), "title", "the ocean");
 *
 * and so sv_inq_dimid, sv_inq_varid, sv_inq_dim and sv_inq_var have it. Ids of dimensions and variables count through
 * all groups. A variable has dimensions of its own group and of those around it; sv_inq_dimid looks there, too. A name
 * with those of its groups has up to 256 bytes. The record dimension is one for the whole file: the first unlimited
 * dimension that is only ever the slowest. Others are lengths, which sv_put_vara makes longer. CDF files have no groups
 * (SV_EDEFINE).
 */
#ifndef SVERDRUP_GROUPS_H
#define SVERDRUP_GROUPS_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SV_STRING 12 /* of attributes and variables (string_values.h) */

/* Local, in define mode; the same on every rank. Puts `count` strings as an attribute of a variable, or of the file
 * (var = SV_GLOBAL), instead of an earlier one of this name. SV_EORDER: not in define mode; SV_ENOTFOUND: there is no
 * such variable; SV_EDEFINE: no name of netCDF; SV_ETYPE: a CDF file. */
SV_API int sv_put_att_string(sv_file *file, int var, const char *name, int64_t count, const char *const *values);

/* Local. Reads the strings of an attribute into `values`, which has room for as many pointers as sv_inq_att counts.
 * sv_free_string frees the strings. SV_CHAR is read as one string. SV_ENOTFOUND: there is no such attribute; SV_ETYPE:
 * it consists of numbers; SV_ENOMEM. */
SV_API int sv_get_att_string(const sv_file *file, int var, const char *name, char **values);

/* Local. Frees `count` strings that sv_get_att_string has returned, and sets the pointers to NULL. It has no error of
 * its own. */
SV_API int sv_free_string(int64_t count, char **values);

/* Instead of a variable, in all calls on attributes: the group. */
#define SV_GROUP(grp) (SV_GLOBAL - (grp))

/* Local, in define mode; the same on every rank. Defines a group in the group `parent`, and returns its id. A name is
 * unique among the groups, variables and dimensions of a group. SV_EEXISTS; SV_ENOTFOUND: there is no group `parent`;
 * SV_EDEFINE: no name of netCDF, or a CDF file; SV_EORDER: not in define mode. */
SV_API int sv_def_grp(sv_file *file, int parent, const char *name, int *grp);

/* Local. Returns how many groups there are in the group `grp`, and their ids. `grps` has room for all, or is NULL.
 * SV_ENOTFOUND, here and below: there is no such group. */
SV_API int sv_inq_grps(const sv_file *file, int grp, int *ngrps, int *grps);
/* Local. Returns the id of the group of this name in the group `parent`. "ocean/deep" names a group in a group.
 * SV_ENOTFOUND: there is none. */
SV_API int sv_inq_grpid(const sv_file *file, int parent, const char *name, int *grp);
/* Local. Return the own name of a group ("/" of the outermost one), its name with those of its groups, and the id of
 * its parent. The outermost one has no parent: SV_ENOTFOUND. */
SV_API int sv_inq_grpname(const sv_file *file, int grp, char name[SV_MAX_NAME]);
SV_API int sv_inq_grpname_full(const sv_file *file, int grp, char name[SV_MAX_NAME]);
SV_API int sv_inq_grp_parent(const sv_file *file, int grp, int *parent);
/* Local. Return the ids of the variables and dimensions of a group, without those of the groups in it, and the number
 * of its attributes. `ids` has room for all, or is NULL. SV_ENOTFOUND: there is no such group. */
SV_API int sv_inq_grp_varids(const sv_file *file, int grp, int *nvars, int *ids);
SV_API int sv_inq_grp_dimids(const sv_file *file, int grp, int *ndims, int *ids);
SV_API int sv_inq_grp_natts(const sv_file *file, int grp, int *natts);

#ifdef __cplusplus
}
#endif

#endif
