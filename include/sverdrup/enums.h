/* Sverdrup: names of integers. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. The integers of a variable may have names, such as the types
 * of clouds:
 *
 *   const char *names[] = {"clear", "stratus", "cumulus"};
 *   const int64_t values[] = {0, 1, 2};
 *   sv_def_var(file, "cloud", SV_BYTE, 2, dims, &cloud);
 *   sv_def_var_enum(file, cloud, "cloud_type", 3, names, values);
 *
 * A netCDF-4 file has an enumeration then, a type of that name in the outermost group. Other formats have the
 * attributes flag_values and flag_meanings of the CF conventions, in which blanks of names become underscores; an
 * attribute of that name that the program puts stays as it is. Puts and gets move the integers alone.
 * All calls are local.
 */
#ifndef SVERDRUP_ENUMS_H
#define SVERDRUP_ENUMS_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Local, in define mode; the same on every rank. Gives names to integers of a variable of an integer type. Variables
 * with the same `type_name` have the same type and names. SV_EORDER: outside define mode, or the variable existed
 * before sv_redef; SV_ENOTFOUND: there is no such variable; SV_ETYPE: its type is no integer type; SV_EDEFINE: no name
 * of netCDF, no members, a name or value twice, or other members than those of another variable; SV_ERANGE: a value
 * does not fit the type. */
SV_API int sv_def_var_enum(sv_file *file, int var, const char *type_name, int nmembers, const char *const *names,
                           const int64_t *values);

/* Local. *nmembers is the number of names of a variable's integers, 0 if they have none. `type_name` is the name of the
 * type, and empty if attributes hold the names. Any result pointer may be NULL. SV_ENOTFOUND: there is no such
 * variable.
 */
SV_API int sv_inq_var_enum(const sv_file *file, int var, char type_name[SV_MAX_NAME], int *nmembers);
/* Local. Returns one name and its value; `member` counts from 0. SV_ENOTFOUND: there is no such variable or member. */
SV_API int sv_inq_var_enum_member(const sv_file *file, int var, int member, char name[SV_MAX_NAME], int64_t *value);

#ifdef __cplusplus
}
#endif

#endif
