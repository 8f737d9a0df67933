// Writes values that have arrived at a rank, in a thread: large runs immediately, small ones together at the end of the
// step, in file order. Servers call it, and so do ranks that write behind their calls. Local.
#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/deferred_error.hpp"
#include "base/worker.hpp"
#include "delivery/ordering.hpp"
#include "file/file.hpp"
#include "store/store.hpp"

namespace sv {

/// A file whose bytes a thread of this rank writes after the call that brought them, and its error. Servers keep one
/// for each file, and so does the delivery of a file that is written behind the calls.
struct AsyncFile : DeferredError {
  File *file = nullptr;
  int64_t number = 0;  // orders the files of a rank
};

/// A run of a slab that has arrived.
struct ArrivedRun {
  Slab slab;
  std::span<std::byte> values;
};

/// A slice that is put into the order of the file by who writes it.
struct SliceInParts {
  int64_t bytes;
  std::function<void(std::byte *slice)> put_in_order;
  struct Run {
    Slab slab;
    int64_t begin_bytes, bytes;  // in the slice
  };
  std::vector<Run> runs;
};
/// The parts of a share of a slab that are written, of elements of so many bytes, as runs of the share's slice; and the
/// same where the slice stands in order.
std::vector<SliceInParts::Run> runs_of(const Slab &share, const std::vector<Segment> &written, int64_t element_bytes);
void add_runs(std::vector<ArrivedRun> &all, const std::vector<SliceInParts::Run> &runs, std::byte *slice);
/// Into the file's open store. Chunks all together: then several threads compress them.
void write_runs(const File &file, Writer &store, const std::vector<ArrivedRun> &runs);

class SlabWriting {
 public:
  /// `steps`: where it records, or nullptr. `ordering`: where slices come in parts.
  SlabWriting(Worker &writer, trace::Steps *steps, Ordering *ordering = nullptr)
      : writer_(writer), steps_(steps), ordering_(ordering) {}

  /// Runs of one slice, whose memory is free after `release`.
  void write(AsyncFile &late, std::vector<ArrivedRun> runs, std::function<void()> release);
  /// Writes runs without delay, because their memory is needed soon. They follow the delayed runs of the same slabs.
  void write_now(AsyncFile &late, std::vector<ArrivedRun> runs, std::function<void()> release);
  /// Slices of one slab. `room` keeps their memory alive.
  void write_slices(AsyncFile &late, std::vector<SliceInParts> slices, std::shared_ptr<void> room);
  /// Parts in the order of the file, together. `room`: keeps their memory.
  void write_parts(AsyncFile &late, std::vector<SlabPart> parts, std::shared_ptr<void> room);
  /// The same order for something else that is done to the store of a file. Nothing is done once the file has failed.
  void post(AsyncFile &late, std::function<void(Store &)> action);
  /// Nothing begins to be written for so long, or until go().
  void hold_back(std::chrono::milliseconds time);
  void go();
  /// Writes all delayed runs.
  void flush();
  /// The same when memory runs short, once the writer is idle. Values that arrive while it is busy are then written
  /// together; immediate writes would be the smallest ones, and a slow device would fall behind.
  void flush_if_idle();
  /// Whether the thread was given anything at all.
  bool is_used() const { return used_; }

 private:
  struct Held {
    AsyncFile *late;
    ArrivedRun run;
    Segment in_file;                // in the file, with the padding behind it
    std::shared_ptr<void> release;  // with the last of its slice
  };
  using HeldSlab = std::pair<AsyncFile *, std::pair<int, int64_t>>;
  static HeldSlab held_slab(AsyncFile &late, const ArrivedRun &run) {
    return {&late, {run.slab.variable, run.slab.record}};
  }
  void flush_before(AsyncFile &late, const std::vector<ArrivedRun> &runs);
  void post_batch(std::vector<Held> batch);

  Worker &writer_;
  trace::Steps *const steps_;
  Ordering *const ordering_;
  bool used_ = false;
  std::vector<Held> held_;
  std::set<HeldSlab> slabs_;  // of which something is held
};

}  // namespace sv
