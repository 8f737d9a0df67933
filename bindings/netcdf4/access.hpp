// The functions of a dataset that the generated functions call (face/generate.py), in addition to those of calls.hpp.
// All return netCDF's codes, or throw them. They are collective where netCDF's functions are.
#pragma once

#include "../netcdf/access_args.hpp"
#include "dataset.hpp"

namespace sv::netcdf4 {

using netcdf::Access;
using netcdf::Kind;

/// The call of the program, once more, with another number in place of the file's: of the real library. It goes to the
/// same group of that file. Borrows it.
class RealCall {
 public:
  template <class Action>
  explicit RealCall(const Action &action, int group = 0)
      : group_(group),
        action_(&action),
        call_([](const void *own, int ncid) { return (*static_cast<const Action *>(own))(ncid); }) {}
  int operator()(int ncid) const { return call_(action_, ncid + group_); }
  /// Its number in the file; 0: the outermost one.
  int group() const { return group_; }

 private:
  int group_;
  const void *action_;
  int (*call_)(const void *, int);
};

/// `reason`: why Sverdrup cannot have a file with this definition; nullptr: it can.
int define(Dataset &own, const RealCall &real, const char *reason);
/// Of a dimension or a variable.
int rename(Dataset &own, const RealCall &real);
int transfer(Dataset &own, const RealCall &real, const Access &access);
/// Inquiry about a variable.
int inquire(Dataset &own, const RealCall &real, int variable);
/// NetCDF has read how this variable is stored.
void note_read(Dataset &own, int group, int variable);

/// Why Sverdrup has no variables of a type, no attributes of a type, and no filter of a number; nullptr: it has.
const char *reason_of_type(const Dataset &own, nc_type type);
const char *reason_of_attribute(const Dataset &own, const char *name, nc_type type);
const char *reason_of_filter(unsigned filter);

}  // namespace sv::netcdf4
