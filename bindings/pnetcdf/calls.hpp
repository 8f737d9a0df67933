// What answers in PnetCDF's place for a file that is taken over: a function for each of its names, without the prefix
// ncmpi_, with the file in place of its number. The generated functions call these. They return PnetCDF's codes, or
// throw them (codes.hpp). Those that change or carry out something are collective where PnetCDF's are.
#pragma once

#include "dataset.hpp"

namespace sv::pnetcdf {

// files.cpp: decided once, for each file, when it is made or opened.
int create(MPI_Comm comm, const char *path, int mode, MPI_Info info, int *ncid);
int open(MPI_Comm comm, const char *path, int mode, MPI_Info info, int *ncid);
int inq_files_opened(int *count, int *ncids);
int enddef(Dataset &own);
int _enddef(Dataset &own, MPI_Offset header_free, MPI_Offset data_align, MPI_Offset fixed_free,
            MPI_Offset record_align);
int redef(Dataset &own);
int sync(Dataset &own);
int flush(Dataset &own);
int sync_numrecs(Dataset &own);
int abort(Dataset &own);
int begin_indep_data(Dataset &own);
int end_indep_data(Dataset &own);
int close(Dataset &own);

// define.cpp
int set_fill(Dataset &own, int mode, int *before);
int def_var_fill(Dataset &own, int variable, int no_fill, const void *value);
int fill_var_rec(Dataset &own, int variable, MPI_Offset record);
int def_dim(Dataset &own, const char *name, MPI_Offset length, int *dim);
int def_var(Dataset &own, const char *name, nc_type type, int ndims, const int *dims, int *variable);
int rename_dim(Dataset &own, int dim, const char *name);
int rename_var(Dataset &own, int variable, const char *name);

// attributes.cpp
struct NewAttribute {
  int variable;
  const char *name;
  nc_type type;
  MPI_Offset length;
};
int put_att(Dataset &own, const NewAttribute &attribute, MPI_Datatype memory, const void *values);
int get_att(Dataset &own, int variable, const char *name, MPI_Datatype memory, void *values);
int inq_att(Dataset &own, int variable, const char *name, nc_type *type, MPI_Offset *length);
int inq_attid(Dataset &own, int variable, const char *name, int *number);
int inq_atttype(Dataset &own, int variable, const char *name, nc_type *type);
int inq_attlen(Dataset &own, int variable, const char *name, MPI_Offset *length);
int inq_attname(Dataset &own, int variable, int number, char *name);
int copy_att(int from, int from_variable, const char *name, int to, int to_variable);
int rename_att(Dataset &own, int variable, const char *name, const char *new_name);
int del_att(Dataset &own, int variable, const char *name);

// inquire.cpp
int inq(Dataset &own, int *ndims, int *nvars, int *natts, int *record_dim);
int inq_format(Dataset &own, int *format);
int inq_version(Dataset &own, int *mode);
int inq_striping(Dataset &own, int *bytes, int *count);
int inq_ndims(Dataset &own, int *count);
int inq_nvars(Dataset &own, int *count);
int inq_num_rec_vars(Dataset &own, int *count);
int inq_num_fix_vars(Dataset &own, int *count);
int inq_natts(Dataset &own, int *count);
int inq_unlimdim(Dataset &own, int *dim);
int inq_dimid(Dataset &own, const char *name, int *dim);
int inq_dim(Dataset &own, int dim, char *name, MPI_Offset *length);
int inq_dimname(Dataset &own, int dim, char *name);
int inq_dimlen(Dataset &own, int dim, MPI_Offset *length);
int inq_var(Dataset &own, int variable, char *name, nc_type *type, int *ndims, int *dims, int *natts);
int inq_varid(Dataset &own, const char *name, int *variable);
int inq_varname(Dataset &own, int variable, char *name);
int inq_vartype(Dataset &own, int variable, nc_type *type);
int inq_varndims(Dataset &own, int variable, int *ndims);
int inq_vardimid(Dataset &own, int variable, int *dims);
int inq_varnatts(Dataset &own, int variable, int *natts);
int inq_varoffset(Dataset &own, int variable, MPI_Offset *offset);
int inq_put_size(Dataset &own, MPI_Offset *bytes);
int inq_get_size(Dataset &own, MPI_Offset *bytes);
int inq_header_size(Dataset &own, MPI_Offset *bytes);
int inq_header_extent(Dataset &own, MPI_Offset *bytes);
int inq_recsize(Dataset &own, MPI_Offset *bytes);
int inq_var_fill(Dataset &own, int variable, int *no_fill, void *value);
int inq_path(Dataset &own, int *length, char *path);
int inq_file_info(Dataset &own, MPI_Info *info);
int get_file_info(Dataset &own, MPI_Info *info);

// requests.cpp
int wait(Dataset &own, int n, int *numbers, int *statuses);
int wait_all(Dataset &own, int n, int *numbers, int *statuses);
int cancel(Dataset &own, int n, int *numbers, int *statuses);
int buffer_attach(Dataset &own, MPI_Offset bytes);
int buffer_detach(Dataset &own);
int inq_buffer_usage(Dataset &own, MPI_Offset *usage);
int inq_buffer_size(Dataset &own, MPI_Offset *bytes);
int inq_nreqs(Dataset &own, int *count);

}  // namespace sv::pnetcdf
