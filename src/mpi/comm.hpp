// A communicator of MPI: a move-only object that owns an MPI_Comm and frees it, with the few collective calls that
// Sverdrup uses, in which counts have 64 bits and every return code is checked. The floors above src/transport
// (docs/architecture.md), which must not call MPI themselves, communicate through it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace sv {

/// Throws Error(mpi) with MPI's own text when `code` is not MPI_SUCCESS.
void check_mpi(int code, const char *what);
/// Whether a message is through.
bool is_done(MPI_Request &request);
/// Waits for the request. Long waits sleep in between, for a small part of the elapsed time, because MPI's own waiting
/// would take oversubscribed cores from the awaited ranks.
void await(MPI_Request &request);

/// Bytes for a rank, or from it.
struct Packet {
  int rank;
  std::vector<std::byte> bytes;
};

/// Owns a communicator. Nothing communicates in its destructor: call free(), which is collective.
class Comm {
 public:
  Comm() = default;
  Comm(Comm &&other) noexcept;
  Comm &operator=(Comm &&other) noexcept;
  ~Comm() = default;

  /// Collective over `comm`. Errors of the duplicate return codes instead of ending the job.
  static Comm duplicate(MPI_Comm comm);
  /// Collective. The same for the model's own use: errors do what the model wants them to do.
  static Comm duplicate_for_model(MPI_Comm comm);
  /// Collective. Ranks with equal `color` form one communicator, in the order of their ranks here.
  Comm split(int color) const;
  /// Collective. The ranks that can share memory with this one; of these, where `most` says so, as many neighbours.
  Comm split_shared(int most = 0) const;
  /// Local. Lets MPI progress: a call may return while its message is still in this process, and the message leaves
  /// only within later calls. Code that waits without MPI for other ranks calls this now and then, since they may wait
  /// for that message.
  void stir() const;
  void free();

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Collective; any number of bytes.
  void broadcast(void *data, int64_t bytes, int root) const;
  /// Collective. The same number of values from every rank, ordered by rank.
  template <class T>
  std::vector<T> all_gather(std::span<const T> mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(mine.size() * static_cast<size_t>(size_));
    all_gather_bytes(mine.data(), static_cast<int64_t>(mine.size_bytes()), all.data());
    return all;
  }
  /// Collective. At the root: the values of all ranks, ordered by rank; elsewhere empty.
  template <class T>
  std::vector<T> gather(std::span<const T> mine, int root) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(rank_ == root ? mine.size() * static_cast<size_t>(size_) : 0);
    gather_bytes(mine.data(), static_cast<int64_t>(mine.size_bytes()), all.data(), root);
    return all;
  }
  /// Collective. Sends each packet to its rank (at most one each). Returns the received packets in the order of ranks.
  std::vector<Packet> exchange(const std::vector<Packet> &outgoing) const;
  /// Collective. Every rank receives the root's text.
  void broadcast(std::string &text, int root) const;
  /// Collective. True when it is true on every rank.
  bool all_true(bool mine) const;

 private:
  friend class Duplicating;
  /// Owns `comm`. `returns_errors`: MPI returns codes instead of calling the earlier error handler.
  explicit Comm(MPI_Comm comm, bool returns_errors = true);
  void all_gather_bytes(const void *mine, int64_t bytes, void *all) const;
  void gather_bytes(const void *mine, int64_t bytes, void *all, int root) const;

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0;
};

/// The one place where a count is narrowed for MPI. Throws Error(limit) for 2^31 and more.
int mpi_count(int64_t count);

/// Throws Error(order) outside of MPI_Init and MPI_Finalize, Error(invalid) for MPI_COMM_NULL and for an
/// intercommunicator: MPI itself would end the job, or hang.
void check_ready(MPI_Comm comm);
/// Throws Error(order) after MPI_Finalize, when a call of MPI would end the process.
void require_mpi();

/// Whether other threads than the one that calls MPI may run; whether all of them may call it.
bool may_have_threads();
bool may_call_from_threads();
/// Seconds since some moment in the past.
double wall_seconds();
/// The MPI library and its version, without its build options.
std::string mpi_version();

}  // namespace sv
