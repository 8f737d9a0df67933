// The trace of one file, in addition to the calls on it: its path and format, each rank's part, the ranges that each
// rank wrote, and the bytes from rank to rank (docs/tracing.md). The functions of src/engine report each such event to
// it; a File has a FileTrace only while a run is recorded. It is local to a rank: it makes no calls of MPI, and does
// not change the file that it describes.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "file/file.hpp"
#include "plan/route.hpp"
#include "store/written_ranges.hpp"
#include "trace/steps.hpp"

namespace sv {

class FileTrace {
 public:
  /// Both must outlive it.
  FileTrace(File &file, trace::Steps &steps) : file_(file), steps_(steps) {}

  /// Others than these ranks write it: who, by their numbers in the trace.
  void written_by(std::vector<int> others) { others_ = std::move(others); }
  trace::Subject subject(int variable);
  /// Something is about to be put on this decomposition. `route`: nullptr where it is combined with others.
  void put(const Decomp &decomp, const Route *route);
  /// A put has sent so many bytes to each of these ranks (by their numbers in the trace).
  void sent(int variable, const std::map<int, int64_t> &bytes);
  /// Starts to record the ranges that stores write, of fixed variables and of the first record.
  void begin_ranges();
  /// For stores to record in; nullptr before begin_ranges().
  WrittenRanges *ranges() { return has_ranges_ ? &ranges_ : nullptr; }
  /// Its definitions have changed.
  void redefined();
  /// Puts so far are complete; the file is.
  void committed();
  void closed();

 private:
  struct Sum {
    int64_t bytes = 0, puts = 0;
  };
  bool leads() const;
  bool has_offsets() const;
  void describe(const Layout *layout, const Route *route);
  std::vector<int> writers(const Layout *layout, const Route *route) const;
  std::string json_variable(int id) const;
  std::string variables() const;
  void note(const char *kind, std::vector<std::pair<std::string, std::string>> members);

  File &file_;
  trace::Steps &steps_;
  std::vector<int> others_;  // the ranks that write it instead of these
  std::string path_;
  uint32_t number_ = 0;
  std::map<int, uint32_t> variables_;
  std::set<int> decomps_;  // of which there is a note
  bool described_ = false, has_route_ = false, has_ranges_ = false;
  std::map<int, Sum> sent_;  // to whom
  WrittenRanges ranges_, reported_;
};

/// Of a file, and of one of its variables (−1: none), by their numbers in the trace; of no file where nothing is
/// recorded.
trace::Subject subject_of(const File &file, int variable = -1);

}  // namespace sv
