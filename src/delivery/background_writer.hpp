// Writing behind: the data that a rank receives during a call are written to the file after the call has returned, by a
// thread of that rank, while the model computes. On each rank, a context that writes so has one of these: the ring of
// memory that its node shares, where bytes stay until they are written, and the thread of the rank. The deliveries of
// its files (behind_delivery.hpp) hand data to it. The thread makes no calls of MPI.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/loan.hpp"
#include "delivery/slab_writing.hpp"
#include "file/context.hpp"
#include "plan/output_modes.hpp"
#include "transport/node_ring.hpp"

namespace sv {

/// HDF5, one in a process, which is the program's, and is not made for threads: the program's thread lends it while it
/// packs, waits for a thread that writes behind the calls, or meets the other ranks.
Loan &hdf5();

class BackgroundWriter {
 public:
  /// Collective. `context` outlives it; `ring_bytes`: of each node.
  BackgroundWriter(Context &context, int64_t ring_bytes);

  /// Local. Something will be written behind the calls soon.
  void prepare() { ring_.prepare(); }

  // The same calls on all ranks of the node; the rest is local.

  /// Writes all queued values now, before any other task.
  void flush_now() {
    writing_.flush();
    writing_.go();
  }
  /// Whether later values are written after the calls. It is changed only while nothing is queued.
  bool is_on = true;
  /// The places of the slices of a schedule's rounds.
  std::unique_ptr<RingSliceMemory> rooms(const Schedule &schedule) {
    return std::make_unique<RingSliceMemory>(ring_, schedule, [this] { flush_now(); });
  }

  /// While it lives, ranks pack, and the thread leaves them the cores: it begins when the ring is full, when they are
  /// done and have had a moment to leave the call, or when that takes long.
  class Packing {
   public:
    explicit Packing(BackgroundWriter &behind) : lent_(hdf5()), writing_(behind.writing_) {
      writing_.hold_back(most_patience);
    }
    ~Packing() { writing_.hold_back(handover_delay); }

   private:
    static constexpr std::chrono::milliseconds most_patience{50}, handover_delay{2};
    const Lent lent_;
    SlabWriting &writing_;
  };

  /// The size of a round of a plan at a node whose window has this budget.
  Budget limited(Budget window) const { return {std::min(window.slices, ring_.most_block_bytes()), window.outgoing}; }
  SlabWriting &writing() { return writing_; }
  /// The step has ended: nothing is kept back any more.
  void end_step() { writing_.flush(); }
  /// Waits until this rank's thread has done all it was given. Throws where the node is poisoned meanwhile.
  void rest();
  /// The same, however long it takes.
  void finish();

  /// Soon, behind all that was given to the thread so far: these are to be synchronised. `number` rises.
  void ask(int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs);
  /// Everything that was given to the thread before it was asked for this number is written and, where it was to be,
  /// synchronised: INT64_MAX where nothing waits.
  int64_t done() const;

  /// The progress of the thread at the last recorded number.
  Passed passed() const;

  double waited_seconds() const { return ring_.waited_seconds(); }
  /// Excludes the time of waiting for HDF5.
  double busy_seconds() const { return writer_.busy_seconds() - hdf5().waited_seconds(writer_.id()); }
  double processor_seconds() const { return writer_.processor_seconds() + ordering_.thread().processor_seconds(); }

 private:
  Context &context_;
  NodeRing ring_;
  EventCount bell_;
  void pass(int64_t number, const std::vector<std::shared_ptr<SyncJob>> &jobs);

  mutable Mutex mutex_;
  Passed passed_ SV_GUARDED_BY(mutex_);  // the thread's
  int64_t asked_ = 0;
  Ordering ordering_;
  Worker writer_;  // destroyed before the members that it uses
  SlabWriting writing_;
  const Borrower borrower_;
};

// The tasks of a context's writing threads, which also exist in a context without such threads: synchronising has a
// thread of its own (file/syncer.hpp).

/// Local. As BackgroundWriter::done.
int64_t done_requests(Context &context);
/// Local. As BackgroundWriter::ask.
void ask_writer(Context &context, int64_t number, std::vector<std::shared_ptr<SyncJob>> jobs);
/// Local. As BackgroundWriter::rest.
void await_writer(Context &context);

}  // namespace sv
