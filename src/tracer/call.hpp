// The parts of a wrapper: each function of the tracer that replaces one of a library uses the real function, and a
// Call, which records the function, its arguments and its duration. The sources of src/tracer write such functions;
// they must never change the results that the program gets from the real one.
//
//   SV_TRACED int nc_close(int ncid) {
//     static Traced<int(int)> traced(Layer::netcdf, "nc_close");
//     Call call(traced);
//     call.about(files().of_ncid(ncid));
//     return call.returns(traced.real()(ncid));
//   }
//
// The tracer includes no headers of MPI, netCDF or PnetCDF, and is not linked to them: it works with any version of
// them, and MPI's handles are passed on as integers of the size of a pointer (tracer/mpi.hpp).
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "trace/recorder.hpp"
#include "tracer/process.hpp"

#define SV_TRACED extern "C" __attribute__((visibility("default")))
// A list in parentheses that goes on another one, with a comma unless it is empty: (int a SV_AND (int b)).
#define SV_AND(...) __VA_OPT__(, ) __VA_ARGS__
// A function of the C library, under this name in the trace. `action` has `traced`, and `real`, which calls the real
// one.
#define SV_POSIX(Result, symbol, name, parameters, values, action)                                \
  SV_TRACED Result symbol parameters {                                                            \
    static sv::profile::Traced<Result parameters> traced(sv::profile::Layer::posix, name);        \
    [[maybe_unused]] const auto real = [&, function = traced.real()] { return function values; }; \
    return action;                                                                                \
  }

namespace sv::profile {

using trace::Argument;
using trace::Layer;

/// A handle of any interface, or an argument that is passed on.
using Word = uintptr_t;

/// The function that the caller would have called without the tracer: the next one in the search order of the program;
/// where there is none, that of the calling library's own dependencies (`caller`: an address in it), as with extensions
/// of Python, whose libraries are not in the global order; or else that of any library that is loaded. Ends the program
/// with a message where there is none: it could not have been called.
void *real_function(const char *name, const void *caller);

/// An interposed function: its name, its number in the trace, and the real one; one static object each.
class TracedName {
 public:
  constexpr TracedName(Layer layer, const char *name) : layer_(layer), name_(name) {}
  /// In the trace of this process (numbers change by a fork).
  uint32_t number(trace::Recorder &recorder);
  Layer layer() const { return layer_; }
  const char *name() const { return name_; }

 protected:
  void *find(const void *caller);  // real_function, once

 private:
  Layer layer_;
  const char *name_;
  std::atomic<void *> real_{nullptr};
  std::atomic<uint64_t> numbered_{0};  // the process, and the number
};

template <typename Type>
class Traced : public TracedName {
 public:
  using TracedName::TracedName;
  Type *real(const void *caller = __builtin_return_address(0)) { return reinterpret_cast<Type *>(find(caller)); }
  /// Of the real one: in the library that has it, or that needs it.
  const void *address(const void *caller = __builtin_return_address(0)) { return find(caller); }
};

/// A call from its beginning to the end of its life. Cheap and silent when nothing is recorded. `only_within`: recorded
/// only inside another traced call, as MPI's collectives are. Keeps errno.
class Call {
 public:
  explicit Call(TracedName &function, bool only_within = false);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// Whether it is recorded at all: otherwise expensive arguments need not be found.
  explicit operator bool() const { return recorder_ != nullptr; }
  trace::Recorder &recorder() const { return *recorder_; }
  void about(uint32_t file, uint32_t variable = 0);
  void bytes(int64_t bytes) { event_.bytes = bytes; }
  void offset(int64_t offset) { event_.offset = offset; }
  void argument(Argument kind, int64_t value);
  void argument(Argument kind, std::span<const int64_t> values);
  void failed() { event_.failed = true; }
  /// Stops the clock: the tracer's own work follows, and is not recorded. Without it, the clock stops at the end of
  /// this object's life.
  void over();
  /// over(), and a status: not 0 is an error. Returns it.
  int returns(int status);
  /// The same for a function that returns -1 and sets errno, or returns an error number.
  int results(int result);
  /// Nothing is recorded of this call after all (a file that is not traced).
  void forget();

 private:
  trace::Recorder *recorder_;
  trace::Open open_;
  trace::Event event_;
  trace::Arguments arguments_;
  std::optional<Unseen> over_;
};

}  // namespace sv::profile
