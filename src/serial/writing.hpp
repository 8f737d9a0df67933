// The pending writes of serial files, and the thread that carries them out while the program continues. A file hands
// over jobs, which are carried out in order by the thread of the process, which serves all files in turn, or by a
// caller that waits for them. The first job starts the thread, which calls no MPI; if the system gives no thread, the
// caller carries the job out.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/deferred_error.hpp"
#include "base/mutex.hpp"
#include "serial/batch.hpp"
#include "serial/slabs.hpp"
#include "store/byte_ranges.hpp"

namespace sv {

/// Bytes of a header, or of a record count.
struct HeaderJob {
  int64_t offset_bytes;
  std::vector<std::byte> bytes;
};
/// Fill values for unwritten bytes.
struct FillJob {
  std::shared_ptr<const Slabs> slabs;
  std::vector<std::pair<int64_t, int64_t>> ranges;  // begin and end, ascending
};
/// Slabs that stand elsewhere from now on, all of them further back: as far as they were written.
struct MoveJob {
  std::shared_ptr<const Slabs> before, after;
  ByteRanges written;
};
using Job = std::variant<Batch, HeaderJob, FillJob, MoveJob>;
int64_t bytes_of(const Job &job);

/// One file and its jobs. Its functions are for the thread that uses the file.
class Outflow {
 public:
  explicit Outflow(PositionalFile file) : file_(std::move(file)) {}
  Outflow(const Outflow &) = delete;
  ~Outflow();  // waits for its jobs

  /// Whether the caller of submit continues, or calls drain() next and carries the job out itself: waking the thread
  /// for it would cost more than a short write.
  enum class Then { goes_on, drains };
  /// Returns at once, unless more waits to be written than may (256 MiB in all files together).
  void submit(Job job, Then then = Then::goes_on);
  /// Takes back, in order, the jobs that have not begun and were submitted after the last move.
  std::vector<Job> take_back();
  /// No job is left when it returns. Carries out itself what the thread has not begun.
  void rest();
  /// All is written when it returns; throws the first error.
  void drain();
  /// Throws an error of writing, at every call after it.
  void check() const { error_.check(); }
  /// The bytes that are written or in writing: after take_back, in the places after the last move.
  ByteRanges written() const;
  void set_written(ByteRanges written);
  /// For reading, and after drain() for all.
  PositionalFile &file() { return file_; }

 private:
  friend class WritingThread;
  void carry_out(Job &job) noexcept;
  void write(FillJob &fill);
  void write(MoveJob &move);
  void move(int64_t from, int64_t to, int64_t length);
  void note_begun(const Job &job) SV_REQUIRES(mutex_);

  PositionalFile file_;
  StoreCounters counters_;       // those of the current job, for its executor
  std::vector<std::byte> room_;  // for fill values and moves; likewise
  DeferredError error_;
  static inline Mutex mutex_;  // of all files, and of the thread that writes them
  std::deque<Job> jobs_ SV_GUARDED_BY(mutex_);
  bool is_busy_ SV_GUARDED_BY(mutex_) = false;    // a job is under way
  bool is_listed_ SV_GUARDED_BY(mutex_) = false;  // the thread knows that there are others
  ByteRanges written_ SV_GUARDED_BY(mutex_);
};

}  // namespace sv
