// Calls about files of an interface that knows them by handles and has variables: netCDF-C, PnetCDF, Sverdrup.
#pragma once

#include <string>

#include "tracer/open_files.hpp"

namespace sv::profile {

/// Those of netCDF-C, PnetCDF or Sverdrup.
OpenFiles &files_of(Layer layer);

/// The id of a variable in a call that is about a whole file (NC_GLOBAL too).
inline constexpr int no_variable = -1;

/// A call about a file that is open, of the interface that the function belongs to.
class FileCall {
 public:
  FileCall(TracedName &function, Word handle, int variable = no_variable);
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

/// A call that makes a file (create, open): `returns` learns its handle. `path` as given to it.
class OpeningCall {
 public:
  OpeningCall(TracedName &function, const char *path, int mode);
  /// The ranks of a communicator open it together; `function`: an address in a library that needs MPI.
  void among(Word communicator, const void *function);
  template <typename Handle>
  int returns(int status, const Handle *made, const void *function) {
    call_.returns(status);
    if (status == 0 && made != nullptr) {
      files_.opened(static_cast<Word>(*made), path_, function);
    }
    return status;
  }

 private:
  Call call_;
  OpenFiles &files_;
  const std::string path_;
};

/// Of a block of `ndims` dimensions.
int64_t elements_of(const int64_t *count, int ndims);

}  // namespace sv::profile

// A function that makes a file, whose handle it puts at `made`. The rest: statements that add arguments to `call`.
#define SV_OPENING(layer, name, parameters, values, ...)               \
  SV_TRACED int name parameters {                                      \
    static Traced<int parameters> traced(layer, #name);                \
    OpeningCall call(traced, path, mode);                              \
    __VA_ARGS__;                                                       \
    return call.returns(traced.real() values, made, traced.address()); \
  }
// A function that changes the knowledge of the file, for any result: `changed` is a function of OpenFiles.
#define SV_CHANGING(layer, name, parameters, values, handle, changed)                             \
  SV_TRACED int name parameters {                                                                 \
    static Traced<int parameters> traced(layer, #name);                                           \
    const int status = FileCall(traced, static_cast<Word>(handle)).returns(traced.real() values); \
    files_of(layer).changed(static_cast<Word>(handle));                                           \
    return status;                                                                                \
  }
