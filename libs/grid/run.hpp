// The library's own run through the public interface: one rank computes, and all ranks know the outcome.
#pragma once

#include <functional>

#include "failure.hpp"
#include "sverdrup/binding.h"

namespace sv::grid {

/// Throws ReportedFailure for a status of the public interface that is not SV_OK.
void must(int status);

class Run {
 public:
  /// Collective. `comm` is borrowed.
  explicit Run(MPI_Comm comm);
  /// Collective, and may throw ReportedFailure. Without it (after an error), close() frees the context.
  void finish();
  /// Collective. After an error: gives everything back, and leaves sv_message() as it is.
  void close() noexcept;

  /// Collective. Every rank works; an error of one is thrown on all, as ReportedFailure.
  void on_all(const std::function<void()> &work);
  /// Collective. Rank 0 works, while the others wait outside of all watched calls. Its error is thrown on every rank,
  /// as ReportedFailure.
  void on_root(const std::function<void()> &work);
  /// Collective. Works with a file of this context, and closes it, after an error too.
  void closing(sv_file *file, const std::function<void()> &work);
  /// Collective. From rank 0 to all.
  template <class Value>
  void share(Value *values, size_t count) {
    share_bytes(values, count * sizeof(Value));
  }
  bool is_root();
  sv_context *io() const { return io_; }

 private:
  void share_bytes(void *bytes, size_t count);
  /// Of this rank, unless `code` is MPI_SUCCESS.
  void must_mpi(int code, const char *call);

  MPI_Comm comm_;
  sv_context *io_ = nullptr;
};

}  // namespace sv::grid
