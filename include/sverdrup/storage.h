/* Sverdrup: storage of single variables in netCDF-4 files and Zarr groups. SPDX-License-Identifier: Apache-2.0
 *
 * sverdrup.h includes this header; its conventions hold. The names and numbers are those of netCDF. A model that wants
 * one variable compressed calls, between sv_def_var and sv_enddef:
 *
 *   int64_t chunk[] = {1, 10, 270, 360};
 *   sv_def_var_chunking(file, temp, SV_CHUNKED, chunk);
 *   sv_def_var_quantize(file, temp, SV_QUANTIZE_GRANULARBR, 3);
 *   sv_def_var_deflate(file, temp, 1, 4);
 *
 * The configuration's keys for the whole file decide what a program does not set. The configuration's section
 * `variables` overrides these calls (docs/configuration.md). Formats without chunks (CDF-1, CDF-2, CDF-5) ignore
 * them; the summary reports this once.
 *
 * The sv_def_ calls are local, in define mode, and the same on every rank; sv_enddef compares them. They return
 *   SV_EORDER      outside define mode, or for a variable that existed before sv_redef
 *   SV_ENOTFOUND   there is no such variable
 *   SV_EINVAL      a level or length is out of range, there are two compressors, or a scalar with chunks.
 * A codec that was not built in is SV_ECOMPILED, from sv_enddef. A scalar has neither filters nor a byte order.
 * A call that fails changes nothing.
 *
 * The sv_inq_ calls are local. In define mode they return the requested storage; after sv_enddef and sv_open, the
 * actual one. Any result pointer may be NULL.
 */
#ifndef SVERDRUP_STORAGE_H
#define SVERDRUP_STORAGE_H

#include "sverdrup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zarr stores a large contiguous variable in several chunks. */
#define SV_CHUNKED 0    /* in chunks */
#define SV_CONTIGUOUS 1 /* in one piece, never compressed */

#define SV_NOQUANTIZE 0          /* all bits are kept */
#define SV_QUANTIZE_BITGROOM 1   /* digits: significant decimal digits, 1 to 7 (SV_FLOAT) or 15 (SV_DOUBLE) */
#define SV_QUANTIZE_GRANULARBR 2 /* the same */
#define SV_QUANTIZE_BITROUND 3   /* digits: bits of the mantissa, 1 to 23 or 52 */

#define SV_ERROR_NONE 0        /* no error bound */
#define SV_ERROR_ABSOLUTE 1    /* of |stored - given| */
#define SV_ERROR_RELATIVE 2    /* of |stored - given| / |given| */
#define SV_ERROR_INFORMATION 3 /* no bound: the share of the information of the values that is kept, at most 1 */

#define SV_ENDIAN_NATIVE 0 /* the order of this machine; Zarr: little */
#define SV_ENDIAN_LITTLE 1
#define SV_ENDIAN_BIG 2

/* HDF5's numbers of the filters that sv_def_var_filter takes, and their parameters. Blosc is for Zarr only; its codec
 * is 4 (zlib) or 5 (Zstandard). HDF5 reads Zstandard, ZFP and SZ3 with a plug-in only. */
#define SV_FILTER_DEFLATE 1    /* level, 0 to 9 */
#define SV_FILTER_SHUFFLE 2    /* none; counts where the variable is compressed */
#define SV_FILTER_FLETCHER32 3 /* none */
#define SV_FILTER_BLOSC 32001  /* level, 0 to 9; shuffle, 0 or 1; codec */
#define SV_FILTER_ZFP 32013    /* none: the values keep the absolute error bound, which is defined before */
#define SV_FILTER_ZSTD 32015   /* level, 0 to 22 */
#define SV_FILTER_SZ3 32024    /* none, as SV_FILTER_ZFP */
#define SV_MAX_FILTERS 32      /* the largest number of filters of a variable */

/* ---- filling ----------------------------------------------------------------------------------------------------- */

/* Local, in define mode; the same on every rank. Cells of the variable that no rank writes get no fill value (on is 1):
 * they have any value. For variables that are written whole, this saves time in files that are filled (key fill). Also
 * in CDF files; a Zarr group has fill values in any case. sv_def_fill may still define the value of such cells for
 * readers of Zarr. SV_EORDER: the file is not in define mode. SV_ENOTFOUND: there is no such variable. */
SV_API int sv_def_var_nofill(sv_file *file, int var, int on);
/* Local. *on is 1 for such a variable, also of a netCDF-4 file of another program that is open for reading. A CDF file
 * and a Zarr group do not store it. In a file that is opened for writing, all variables are filled. SV_ENOTFOUND: there
 * is no such variable. */
SV_API int sv_inq_var_nofill(const sv_file *file, int var, int *on);

/* ---- chunks ------------------------------------------------------------------------------------------------------ */

/* `storage` is SV_CHUNKED or SV_CONTIGUOUS. `lengths` holds the cells of a chunk in each dimension, slowest first,
 * including the record dimension; it is NULL for SV_CONTIGUOUS, and may be NULL for chunks of the library's choice.
 * SV_EINVAL: a length below 1 or beyond a dimension of fixed length, or SV_CONTIGUOUS with an unlimited dimension or
 * with filters. In a growing file, where each step is committed, chunks that are compressed have one record. */
SV_API int sv_def_var_chunking(sv_file *file, int var, int storage, const int64_t *lengths);
/* After sv_enddef or sv_open. *storage is SV_CONTIGUOUS, with lengths of 0, also where the store does not report chunks
 * (netcdf4_library). SV_EORDER: the file is being defined. */
SV_API int sv_inq_var_chunking(sv_file *file, int var, int *storage, int64_t lengths[SV_MAX_DIMS]);

/* ---- filters ----------------------------------------------------------------------------------------------------- */
/* Values pass through quantization, byte order, shuffle, checksum and compressor, in this order, as netCDF-C has it.
 * Errors are above: SV_EORDER, SV_ENOTFOUND, SV_EINVAL. */

/* `shuffle` is 1 or 0: in Zarr, only Blosc shuffles, and sv_enddef warns. `level` is 1 to 9, or 0 for none. */
SV_API int sv_def_var_deflate(sv_file *file, int var, int shuffle, int level);
SV_API int sv_inq_var_deflate(sv_file *file, int var, int *shuffle, int *level);
/* `level` is 1 to 22, or 0 for none. Readers of netCDF-4 need HDF5's plug-in: see the key `compression.zstd_plugin`. */
SV_API int sv_def_var_zstandard(sv_file *file, int var, int level);
SV_API int sv_inq_var_zstandard(sv_file *file, int var, int *level);
/* `on` is 1: each chunk has a checksum, in Zarr CRC-32C; or 0. */
SV_API int sv_def_var_fletcher32(sv_file *file, int var, int on);
SV_API int sv_inq_var_fletcher32(sv_file *file, int var, int *on);
/* Adds the filter of number `id`, one of the above, with `nparams` parameters. SV_EINVAL: another filter, which
 * Sverdrup cannot apply, or other parameters; or SV_FILTER_SZ3 or SV_FILTER_ZFP without an absolute error bound
 * (sv_def_var_error_bound), or with a checksum. Of these two, sv_enddef returns SV_ECOMPILED if HDF5 finds no plug-in,
 * and SV_ENOTSUP for Zarr. */
SV_API int sv_def_var_filter(sv_file *file, int var, unsigned id, size_t nparams, const unsigned *params);
/* The numbers of all filters, in the order in which values pass through them; also those that Sverdrup only reads. */
SV_API int sv_inq_var_filter_ids(sv_file *file, int var, size_t *nfilters, unsigned ids[SV_MAX_FILTERS]);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Cuts mantissas, so that values compress better; this changes values. The file says so in its attributes. The variable
 * is SV_FLOAT or SV_DOUBLE (else SV_EINVAL). */
SV_API int sv_def_var_quantize(sv_file *file, int var, int mode, int digits);
SV_API int sv_inq_var_quantize(sv_file *file, int var, int *mode, int *digits);
/* Cuts mantissas so far that no value changes by more than `bound`, which is above 0, and at most 0.5 if relative. Each
 * chunk is decoded and compared before it is written; one that breaks the bound is stored exactly. Zeros, subnormal
 * numbers, infinities, NaN, fill and missing values stay; SV_FILTER_SZ3 or SV_FILTER_ZFP, asked for afterwards, may
 * change zeros. Replaces sv_def_var_quantize and these filters. SV_EINVAL: the bound is out of
 * range, or the variable is not SV_FLOAT or SV_DOUBLE; from sv_enddef, an attribute states that values were rounded
 * before (quantization_maximum_absolute_error or its relative). SV_ENOTSUP, from sv_enddef: the store is
 * netcdf4_library.
 *
 * With SV_ERROR_INFORMATION, `bound` is the share of the bitwise real information that is kept (Klöwer and others
 * 2021). The values of each chunk decide how many bits that takes; their error has no bound. */
SV_API int sv_def_var_error_bound(sv_file *file, int var, int kind, double bound);
/* *largest is the largest error that the file states: the bound, until the file is closed. SV_ENOTFOUND: there is no
 * such variable. */
SV_API int sv_inq_var_error_bound(sv_file *file, int var, int *kind, double *bound, double *largest);
/* The order of bytes in the file: SV_ENDIAN_NATIVE, SV_ENDIAN_LITTLE or SV_ENDIAN_BIG. Values in memory are native. A
 * netCDF-4 variable whose order is not native is stored in chunks. */
SV_API int sv_def_var_endian(sv_file *file, int var, int endian);
SV_API int sv_inq_var_endian(sv_file *file, int var, int *endian);

#ifdef __cplusplus
}
#endif
#endif
