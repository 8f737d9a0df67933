// The functions that generated code calls (face/generate.py), besides the answers that calls.hpp declares and
// face/inquiry.hpp has. All return netCDF's codes, or throw them.
#pragma once

#include <functional>

#include "../face/inquiry.hpp"
#include "access_args.hpp"
#include "dataset.hpp"
#include "real.hpp"

namespace sv::netcdf {

int transfer(Dataset &own, const Access &access);

// files.cpp: a file is taken over when it is made or opened, or left to `real`, which makes or opens it.
struct Call {
  const void *caller;  // an address in the code that calls
  const char *path;
  int mode;
  bool is_new;
  bool is_by_handle = false;  // perhaps the program calls the real library itself, which will not know a number of ours
};
int begin(const Call &call, size_t *chunk, int *ncid, const std::function<int()> &real);
/// A call that makes or opens a file which is never taken over.
int leave(const char *path, const char *reason, const std::function<int()> &real);
int set_default_format(int format, const std::function<int()> &real);

// attributes.cpp
struct NewAttribute {
  int variable;
  const char *name;
  nc_type type;
  size_t length;
};
int put_att(Dataset &own, const NewAttribute &attribute, nc_type memory, const void *values);
int get_att(Dataset &own, int variable, const char *name, nc_type memory, void *values);

// copying.cpp: between two files, at least one of which is ours, by the numbers that the program has for them.
int copy_att(int from, int from_variable, const char *name, int to, int to_variable);
int copy_var(int from, int number, int to);

}  // namespace sv::netcdf
