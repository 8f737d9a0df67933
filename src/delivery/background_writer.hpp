// Writing behind: the data that a rank receives during a call are written to the file after the call has returned, by a
// thread of that rank, while the model computes. On each rank, a context that writes so has one Behind: the ring of
// memory that its node shares, where bytes stay until they are written, and the thread of the rank. The loop that
// writes (transfer/rounds.hpp) hands data to it where the home of a file says so. The thread makes no calls of MPI.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "delivery/async_file.hpp"
#include "delivery/lent_hdf5.hpp"
#include "delivery/slab_writing.hpp"
#include "file/written_slab.hpp"
#include "plan/ways.hpp"
#include "transport/node_ring.hpp"

namespace sv {

class BackgroundWriter {
 public:
  /// Collective. `context` outlives it; `ring_bytes`: of each node.
  BackgroundWriter(Context &context, int64_t ring_bytes);

  /// Local. Something will be written behind the calls soon.
  void prepare() { ring_.prepare(); }

  // The same calls on all ranks of the node; the rest is local.

  /// What was given to the thread is written now, whatever else there is to do.
  void flush_now() {
    writing_.flush();
    writing_.go();
  }
  /// Whether what comes from now on is written behind the calls. It is changed while nothing is under way.
  bool is_on = true;
  /// The places of the slices of a schedule's rounds.
  std::unique_ptr<RingSliceMemory> rooms(const Schedule &schedule);

  /// While it lives, ranks pack, and the thread leaves them the cores: it begins when the ring is full, when they are
  /// done and have had a moment to leave the call, or when that takes long.
  class Packing {
   public:
    explicit Packing(BackgroundWriter &behind) : lent_(hdf5()), writing_(behind.writing_) {
      writing_.hold_back(most_patience);
    }
    ~Packing() { writing_.hold_back(way_out); }

   private:
    static constexpr std::chrono::milliseconds most_patience{50}, way_out{2};
    const Lent lent_;
    SlabWriting &writing_;
  };

  /// What one round of a plan may bring to a node, where its window has room for `window`.
  Budget limited(Budget window) const;
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

  /// What the thread had done when it came to the last number.
  Passed passed() const;

  double waited_seconds() const { return ring_.waited_seconds(); }
  /// But for waiting until the program lends HDF5.
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
  Worker writer_;  // ends before what it waits for
  SlabWriting writing_;
  const Borrower borrower_;
};

/// By whom a slab is written: by the owners of ranges of the file, or by those of stretches of one call. Filling: with
/// fill values, by the owners of ranges, before anybody else.
enum class WriterAssignment { ranges, stretches, filling };

/// A file whose bytes are written so. Its home has it.
class WriteBehindFile : public AsyncFile {
 public:
  /// `in_pieces`: of a set, of which every rank writes its own.
  WriteBehindFile(BackgroundWriter &behind, File &of, bool in_pieces) : behind_(behind), in_pieces_(in_pieces) {
    file = &of;
  }

  BackgroundWriter &behind() const { return behind_; }
  SlabWriting &writing() { return behind_.writing(); }
  /// Something of it is under way, on some rank. The same on all ranks.
  void begin() { under_way_ = true; }
  /// Collective; filling, local, but the same on all ranks. These slabs are about to be written, by one call. Where
  /// other ranks may still be writing one of them, they do so first: of several threads, each keeps only its own order.
  /// Filling waits for nobody, and so throws Error(internal) there.
  void begin(std::span<const WrittenSlab> slabs, WriterAssignment dealing);
  /// The same on all ranks: they have written what they were asked for up to this number.
  void forget(int64_t done);
  /// Collective. Nothing of it is under way.
  void settle();
  /// The thread of its owner does all that is done to it: so what comes later is done later.
  bool has_one_thread() const;
  /// Nothing will come to it any more, and nothing is under way.
  bool is_over = false;

 private:
  struct UnderWay {
    WriterAssignment dealing;
    int64_t number;  // of the request behind which it is written
  };
  BackgroundWriter &behind_;
  const bool in_pieces_;
  bool under_way_ = false;
  std::map<std::pair<int, int64_t>, UnderWay> slabs_;  // where several ranks write
};

/// How a file is written behind the calls, now; nullptr: it is not.
WriteBehindFile *behind_of(const File &file);
/// Local. Returns when nothing of it is under way any more, as far as this rank goes.
void rest(File &file);
/// What a round of a plan of so many stages may bring.
Budget round_budget(const File &file, int stages);
/// Local. Something is done to this rank's open store: now or, where its file is written behind, after what is under
/// way.
void with_store(File &file, std::function<void(Store &)> action);

}  // namespace sv
