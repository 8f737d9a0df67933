// What is recorded of one file, beside what its calls do and how long: notes that tell who it is, which part of it each
// rank has, who wrote what of it, and who sent how much to whom (docs/tracing.md). Local; makes no calls of MPI.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/decomp.hpp"
#include "plan/route.hpp"
#include "store/store.hpp"
#include "trace/steps.hpp"
#include "transport/exchange.hpp"

namespace sv {

class File;

class FileTrace {
 public:
  /// Both must outlive it.
  FileTrace(File &file, trace::Steps &steps) : file_(file), steps_(steps) {}

  trace::Subject subject(int variable);
  /// Something is about to be put on this decomposition. `route`: nullptr where it is combined with others.
  void put(const Decomp &decomp, const Route *route);
  /// A put has sent so many bytes to each of these ranks (by their numbers in the trace).
  void sent(int variable, const std::map<int, int64_t> &bytes);
  /// What a new store writes of values that stand fast, and of the first record, is told from now on.
  void keep_ranges(Store &store);
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
  int number(int rank) const;
  void describe(const Layout *layout, const Route *route);
  std::vector<int> writers(const Layout *layout, const Route *route) const;
  std::string variables() const;
  void note(const char *kind, std::vector<std::pair<std::string, std::string>> members);

  File &file_;
  trace::Steps &steps_;
  std::string path_;
  uint32_t number_ = 0;
  std::map<int, uint32_t> variables_;
  std::set<int> decomps_;  // of which there is a note
  bool described_ = false, has_route_ = false;
  std::map<int, Sum> sent_;  // to whom
  WrittenRanges ranges_, told_;
};

/// Counts what one put sends to whom, where that is recorded.
class SentBytes {
 public:
  /// `numbers`: those of the ranks that sinks have, in the trace.
  SentBytes(File &file, const std::vector<int> *numbers) : file_(file), numbers_(numbers) {}

  /// The source itself where nothing is recorded; otherwise one that counts, and lives as long as this.
  Source &counting(Source &source, std::function<int(int sink)> rank_of);
  void tell(int variable) const;

 private:
  File &file_;
  const std::vector<int> *const numbers_;
  std::map<int, int64_t> bytes_;
  std::vector<std::unique_ptr<Source>> sources_;
};

}  // namespace sv
