// How a server writes what has arrived: large runs at once, small ones together at the end of the step, in the order of
// the file (issue: combining). Local, but for stores whose calls are collective.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "file/file.hpp"
#include "serve/writer.hpp"

namespace sv {

/// A file of a server: what it failed with while others went on is told at its next commit.
struct ServedFile {
  std::shared_ptr<File> file;
  int component = 0;
  int64_t number = 0;
  bool told = false;  // the models know that it has failed

  void note(const Error &error) {
    const std::scoped_lock lock(mutex_);
    if (!late_) late_ = error;
  }
  std::optional<Error> late() const {
    const std::scoped_lock lock(mutex_);
    return late_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Error> late_;
};

/// A run of a slab that has arrived. `release`: called when it was written, by whatever thread.
struct ArrivedRun {
  Slab slab;
  std::span<std::byte> values;
};

class SlabWriting {
 public:
  /// `steps`: where it records, or nullptr.
  SlabWriting(Writer &writer, trace::Steps *steps) : writer_(writer), steps_(steps) {}

  /// Runs of one slice, whose memory is free after `release`.
  void write(ServedFile &served, std::vector<ArrivedRun> runs, std::function<void()> release);
  /// Runs that are not to be kept back: their memory is wanted soon.
  void write_now(ServedFile &served, std::vector<ArrivedRun> runs, std::function<void()> release);
  /// What was kept back is written.
  void flush();
  /// Where memory runs short: the same, once the writer has nothing else to do. What comes while it is busy is written
  /// together: where each run went to it at once, a slow device would get the smallest writes, and stay behind.
  void relieve();

 private:
  struct Held {
    ServedFile *served;
    ArrivedRun run;
    Segment in_file;                // in the file, with the padding behind it
    std::shared_ptr<void> release;  // with the last of its slice
  };
  void post(std::vector<Held> batch);

  Writer &writer_;
  trace::Steps *const steps_;
  std::vector<Held> held_;
  std::set<std::pair<ServedFile *, std::pair<int, int64_t>>> slabs_;  // of which something is held
};

}  // namespace sv
