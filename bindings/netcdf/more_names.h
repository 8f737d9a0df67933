/* Public functions of netCDF 4.9 and 4.10 that take a file, or open one, and that stand in other headers than netcdf.h,
 * or in netcdf.h of some versions only. generate.py reads this file as it reads netcdf.h; nothing includes it. MPI's
 * types are pointers here: they are handed on in a register. */

/* netcdf.h */
int nc_def_var_quantize(int ncid, int varid, int quantize_mode, int nsd);
int nc_inq_var_quantize(int ncid, int varid, int *quantize_modep, int *nsdp);
int nc_reclaim_data(int ncid, nc_type xtypeid, void *memory, size_t count);
int nc_reclaim_data_all(int ncid, nc_type xtypeid, void *memory, size_t count);
int nc_copy_data(int ncid, nc_type xtypeid, const void *memory, size_t count, void *copy);
int nc_copy_data_all(int ncid, nc_type xtypeid, const void *memory, size_t count, void **copyp);
int nc_dump_data(int ncid, nc_type xtypeid, void *memory, size_t count, char **buf);
int nc_print_data(int ncid, nc_type xtypeid, const void *memory, size_t count);

/* netcdf_filter.h */
int nc_def_var_filter(int ncid, int varid, unsigned int id, size_t nparams, const unsigned int *params);
int nc_inq_var_filter(int ncid, int varid, unsigned int *idp, size_t *nparamsp, unsigned int *params);
int nc_inq_var_filter_ids(int ncid, int varid, size_t *nfilters, unsigned int *filterids);
int nc_inq_var_filter_info(int ncid, int varid, unsigned int id, size_t *nparamsp, unsigned int *params);
int nc_inq_filter_avail(int ncid, unsigned int id);
int nc_def_var_bzip2(int ncid, int varid, int level);
int nc_inq_var_bzip2(int ncid, int varid, int *hasfilterp, int *levelp);
int nc_def_var_zstandard(int ncid, int varid, int level);
int nc_inq_var_zstandard(int ncid, int varid, int *hasfilterp, int *levelp);
int nc_def_var_blosc(int ncid, int varid, unsigned int subcompressor, unsigned int level, unsigned int blocksize,
                     unsigned int addshuffle);
int nc_inq_var_blosc(int ncid, int varid, int *hasfilterp, unsigned int *subcompressorp, unsigned int *levelp,
                     unsigned int *blocksizep, unsigned int *addshufflep);

/* netcdf_mem.h */
int nc_close_memio(int ncid, void *info);

/* netcdf_par.h */
int nc_var_par_access(int ncid, int varid, int par_access);
int nc_create_par(const char *path, int cmode, void *comm, void *info, int *ncidp);
int nc_open_par(const char *path, int mode, void *comm, void *info, int *ncidp);
int nc_create_par_fortran(const char *path, int cmode, int comm, int info, int *ncidp);
int nc_open_par_fortran(const char *path, int mode, int comm, int info, int *ncidp);

/* netcdf_f.h, for netCDF-Fortran; its other names take no file */
int nc_inq_var_chunking_ints(int ncid, int varid, int *storagep, int *chunksizesp);
int nc_def_var_chunking_ints(int ncid, int varid, int storage, int *chunksizesp);
int nc_set_var_chunk_cache_ints(int ncid, int varid, int size, int nelems, int preemption);
int nc_get_var_chunk_cache_ints(int ncid, int varid, int *sizep, int *nelemsp, int *preemptionp);
