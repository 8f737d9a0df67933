// What answers in netCDF's place for a file that is taken over: a function for each of its names, without the prefix
// nc_, with the file in place of its number. The generated functions call these. They return netCDF's codes, or throw
// them (codes.hpp).
#pragma once

#include <functional>

#include "dataset.hpp"

namespace sv::netcdf {

// files.cpp: a file is taken over when it is made or opened, or left to `real`, which makes or opens it.
struct Call {
  const void *caller;  // an address in the code that calls
  const char *path;
  int mode;
  bool is_new;
  bool is_by_handle = false;  // perhaps the program calls the real library itself, which will not know a number of ours
};
int begin(const Call &call, size_t *chunk, int *ncid, const std::function<int()> &real);
/// A call that makes or opens what is never taken over.
int leave(const char *path, const char *reason, const std::function<int()> &real);
int set_default_format(int format, const std::function<int()> &real);
int redef(Dataset &own);
int _enddef(Dataset &own, size_t header_free, size_t data_align, size_t fixed_free, size_t record_align);
int enddef(Dataset &own);
int sync(Dataset &own);
int abort(Dataset &own);
int close(Dataset &own);
int close_memio(Dataset &own, void *info);
int set_base_pe(Dataset &own, int pe);
int inq_base_pe(Dataset &own, int *pe);

// define.cpp
int set_fill(Dataset &own, int mode, int *before);
int def_var_fill(Dataset &own, int variable, int no_fill, const void *value);
int def_dim(Dataset &own, const char *name, size_t length, int *dim);
int def_var(Dataset &own, const char *name, nc_type type, int ndims, const int *dims, int *variable);
int rename_dim(Dataset &own, int dim, const char *name);
int rename_var(Dataset &own, int variable, const char *name);

// attributes.cpp
struct NewAttribute {
  int variable;
  const char *name;
  nc_type type;
  size_t length;
};
int put_att(Dataset &own, const NewAttribute &attribute, nc_type memory, const void *values);
int get_att(Dataset &own, int variable, const char *name, nc_type memory, void *values);
int inq_att(Dataset &own, int variable, const char *name, nc_type *type, size_t *length);
int inq_attid(Dataset &own, int variable, const char *name, int *number);
int inq_atttype(Dataset &own, int variable, const char *name, nc_type *type);
int inq_attlen(Dataset &own, int variable, const char *name, size_t *length);
int inq_attname(Dataset &own, int variable, int number, char *name);
int rename_att(Dataset &own, int variable, const char *name, const char *new_name);
int del_att(Dataset &own, int variable, const char *name);

}  // namespace sv::netcdf
