// The bytes of one put from rank to rank, counted for the trace. The rounds count them, and so does a model that hands
// its data to servers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "file/file_trace.hpp"
#include "packing/schedule.hpp"
#include "packing/source.hpp"

namespace sv {

class SentBytes {
 public:
  /// `numbers`: those of the ranks that sinks have, in the trace; nullptr: of the file's context.
  explicit SentBytes(File &file, const std::vector<int> *numbers = nullptr)
      : file_(file), numbers_(numbers == nullptr ? &file.context().trace_ranks : numbers) {}

  /// The source itself where nothing is recorded; otherwise one that counts, and lives as long as this.
  Source &counting(Source &source, std::function<int(int sink)> rank_of);
  Source &counting(Source &source, const Schedule &schedule) {
    return counting(source, [&schedule](int sink) { return schedule.rank_of(sink); });
  }
  void report(int variable) const;

 private:
  File &file_;
  const std::vector<int> *const numbers_;
  std::map<int, int64_t> bytes_;
  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace sv
