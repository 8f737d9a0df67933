// MPI without its headers: the tracer works with every MPI library that a program brings. Handles are words: pointers
// of OpenMPI and of the standard's ABI (MPI 5.0, chapter 20), numbers of MPICH's, which are int: those pass through in
// the low half of a register whose high half means nothing. All MPI functions are in two names, MPI_X and PMPI_X;
// Fortran's interfaces, those of OpenMPI and others, call the second, and so does ROMIO inside.
#pragma once

#include <cstdint>
#include <optional>

#include "tracer/call.hpp"

namespace sv::profile {

/// The MPI library of this process, found through that of a function which is in it or needs it. Functions that it has
/// not are nullptr.
struct MpiLibrary {
  int (*comm_size)(Word, int *) = nullptr;
  int (*comm_rank)(Word, int *) = nullptr;
  int (*type_size)(Word, int *) = nullptr;
  int (*type_size_long)(Word, int64_t *) = nullptr;
  int (*initialized)(int *) = nullptr;
  int (*file_get_info)(Word, Word *) = nullptr;
  int (*info_get_nkeys)(Word, int *) = nullptr;
  int (*info_get_nthkey)(Word, int, char *) = nullptr;
  int (*info_get)(Word, const char *, int, char *, int *) = nullptr;
  int (*info_free)(Word *) = nullptr;
  Word comm_world = 0, datatype_null = 0, info_null = 0;
  bool numbers = false;  // handles are int (but those of files)

  /// The i-th of an array of handles (but those of files).
  Word handle_in(const void *handles, int i) const {
    return numbers ? static_cast<Word>(static_cast<const int *>(handles)[i]) : static_cast<const Word *>(handles)[i];
  }
  bool same(Word one, Word other) const {
    return numbers ? static_cast<int>(one) == static_cast<int>(other) : one == other;
  }
  /// Ranks of a communicator, and this one's; -1: not known. Only for handles that an MPI function has just accepted or
  /// is about to get: wrong ones end the program.
  int64_t ranks(Word communicator) const;
  int64_t rank(Word communicator) const;
  /// Of the data of one item; 0 for MPI_DATATYPE_NULL; -1: not known.
  int64_t type_bytes(Word datatype) const;
};
const MpiLibrary &mpi_library(const void *function);

/// A call of MPI: recorded once where MPI_X of a tool calls PMPI_X.
class MpiCall {
 public:
  MpiCall(TracedName &function, const void *real, bool only_within);
  ~MpiCall();
  MpiCall(const MpiCall &) = delete;
  MpiCall &operator=(const MpiCall &) = delete;

  explicit operator bool() const { return call_ && *call_; }
  Call *operator->() { return &*call_; }
  const MpiLibrary &library() const { return library_; }
  int returns(int status) { return call_ ? call_->returns(status) : status; }

 private:
  const MpiLibrary &library_;
  const char *const outer_;  // the call of MPI that the thread was in
  std::optional<Call> call_;
};

/// Writes MPI's rank and size into the trace's header: after MPI_Init, or at the first recorded call if that was not
/// seen.
void describe_world(trace::Recorder &recorder, const MpiLibrary &library);

}  // namespace sv::profile

// MPI_X and PMPI_X. `...`: the statements, with `call`, and `real`, which calls the real function.
#define SV_MPI_FUNCTION(layer, only_within, recorded, function, parameters, values, ...) \
  SV_TRACED int function parameters {                                                    \
    static Traced<int parameters> traced(layer, #recorded), target(layer, #function);    \
    const auto real = [&, found = target.real()] { return found values; };               \
    MpiCall call(traced, target.address(), only_within);                                 \
    __VA_ARGS__;                                                                         \
  }
#define SV_MPI_DOING(layer, only_within, name, ...)                        \
  SV_MPI_FUNCTION(layer, only_within, MPI_##name, MPI_##name, __VA_ARGS__) \
  SV_MPI_FUNCTION(layer, only_within, MPI_##name, PMPI_##name, __VA_ARGS__)
// The same, and calls the function. `...`: statements before.
#define SV_MPI_BOTH(layer, only_within, name, parameters, values, ...) \
  SV_MPI_DOING(                                                        \
      layer, only_within, name, parameters, values, if (call) { __VA_ARGS__; } return call.returns(real()))
