// The calls of the interfaces of datasets (netCDF-C, PnetCDF), which are alike.
#pragma once

#include <cstdint>

#include "profile/datasets.hpp"

namespace sv::profile {

/// varid of a call that is about a whole dataset (NC_GLOBAL too).
inline constexpr int no_variable = -1;

/// A variable, as its interface numbers it.
struct VariableId {
  int ncid, varid;
};

/// A call about a dataset that is open.
class DatasetCall {
 public:
  DatasetCall(TracedName &function, Datasets &datasets, int ncid, int varid = no_variable);
  explicit operator bool() const { return static_cast<bool>(call_); }
  Call *operator->() { return &call_; }
  const KnownVariable &known() const { return known_; }
  void argument(Argument kind, int64_t value) { call_.argument(kind, value); }
  /// `n` dimension ids or lengths; not there: nullptr.
  void arguments(Argument kind, const int *values, int n);
  void arguments(Argument kind, const int64_t *values, int n);
  int returns(int status) { return call_.returns(status); }

 private:
  Call call_;
  KnownVariable known_;
};

/// A call that puts or gets an attribute. Bytes: its values in memory.
class AttributeCall {
 public:
  AttributeCall(TracedName &function, Datasets &datasets, VariableId id)
      : call_(function, datasets, id.ncid, id.varid), datasets_(datasets), id_(id) {}
  /// `count` values of `type`, a number of the interface, are put.
  void puts(int type, int64_t count);
  int returns(int status) { return call_.returns(status); }
  /// The values of attribute `name` were got, in elements of `element_bytes`, as_in_file or of_no_size.
  int returns(int status, const char *name, int64_t element_bytes);

 private:
  DatasetCall call_;
  Datasets &datasets_;
  VariableId id_;
};

/// A call that makes a dataset (create, open): `returns` learns its number. `path` as given to it.
class OpeningCall {
 public:
  OpeningCall(TracedName &function, Datasets &datasets, const char *path, int mode);
  Call *operator->() { return &call_; }
  explicit operator bool() const { return static_cast<bool>(call_); }
  int returns(int status, const int *ncid, const void *function);

 private:
  Call call_;
  Datasets &datasets_;
  const std::string path_;
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
class TransferCall {
 public:
  /// `element_bytes`: in memory.
  TransferCall(TracedName &function, Datasets &datasets, VariableId id, const Access &access, int64_t element_bytes);
  explicit operator bool() const { return static_cast<bool>(call_); }
  DatasetCall &dataset() { return call_; }
  /// The bytes are known, not to be computed.
  void bytes(int64_t bytes) { bytes_ = bytes; }
  int returns(int status);

 private:
  DatasetCall call_;
  Datasets &datasets_;
  VariableId id_;
  Choice choice_;
  int64_t element_bytes_;
  int64_t elements_ = -1;
  int64_t bytes_ = -1;
};

/// Of a block of `ndims` dimensions.
int64_t elements_of(const int64_t *count, int ndims);

}  // namespace sv::profile

// A list in parentheses that goes on another one, with a comma unless it is empty: (int a SV_AND (int b)).
#define SV_AND(...) __VA_OPT__(, ) __VA_ARGS__
