// The calls of the interfaces of datasets (netCDF-C, PnetCDF), which are alike.
#pragma once

#include <cstdint>

#include "tracer/datasets.hpp"
#include "tracer/file_calls.hpp"

namespace sv::profile {

/// A variable, as its interface numbers it.
struct VariableId {
  int ncid, varid;
};

/// A call about a dataset that is open.
class DatasetCall : public FileCall {
 public:
  DatasetCall(TracedName &function, int ncid, int varid = no_variable)
      : FileCall(function, static_cast<Word>(ncid), varid),
        ncid_(ncid),
        varid_(varid),
        datasets_(datasets_of(function.layer())) {}
  /// `count` values of `type`, a number of the interface, are put into an attribute. Bytes: in memory.
  void puts_attribute(int type, int64_t count);
  using FileCall::returns;
  /// The values of attribute `name` were got, in elements of `element_bytes`, as_in_file or of_no_size.
  int returns(int status, const char *name, int64_t element_bytes);

 protected:
  const int ncid_, varid_;
  Datasets &datasets_;
};

/// Which elements of a variable a call is about.
enum class Choice {
  all,   // var
  one,   // var1: `start`
  block  // vara, vars, varm: `start`, `count`; `stride`, `imap` where they are not nullptr
};
struct Access {
  Choice choice = Choice::all;
  const int64_t *start = nullptr, *count = nullptr, *stride = nullptr, *imap = nullptr;
};

/// A call that puts or gets elements of one variable. Bytes: those in memory.
class TransferCall : public DatasetCall {
 public:
  /// `element_bytes`: in memory.
  TransferCall(TracedName &function, VariableId id, const Access &access, int64_t element_bytes);
  /// The memory is described by MPI; `items` < 0 (NC_COUNT_IGNORE) or no type: as the variable is.
  void described(int64_t items, Word datatype, const void *function);
  int returns(int status);

 private:
  Choice choice_;
  int64_t element_bytes_;
  int64_t elements_ = -1;
  int64_t bytes_ = -1;  // where they are known
};

}  // namespace sv::profile
