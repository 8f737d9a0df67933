// The state of a file so far: the slabs that were put, pending records, its error, its end. Everything here is the same
// on all ranks. State of one File; calls of the engine keep it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "file/definitions.hpp"

namespace sv {

/// A variable, or one record of it, that a call writes.
struct WrittenSlab {
  int variable;
  int64_t record;
};

class Ledger {
 public:
  /// `definitions` outlive it; its schema's `records` are those that count.
  explicit Ledger(Definitions &definitions) : definitions_(definitions) {}

  /// Whether something was put into this slab since it came to be; of a variable without records, `record` is ignored.
  bool touched(int variable, int64_t record) const;
  /// The first record from this one on of which something was put, and which does not count yet; INT64_MAX: none.
  int64_t next_touched(int64_t record) const;
  void touch(int variable, int64_t record);
  void touch(std::span<const WrittenSlab> slabs) {
    for (const WrittenSlab &each : slabs) touch(each.variable, each.record);
  }
  void touch_fixed();  // all fixed variables
  /// Ranks have made unknown puts in independent access, and there are so many records.
  void put_alone(int64_t records);
  /// So many records stand in a file that is opened, with all fixed variables.
  void find(int64_t records);
  /// Definitions are complete: the new variables have not been put yet.
  void end_define();

  int64_t pending_records() const { return pending_records_; }
  bool has_uncommitted() const { return pending_records_ > definitions_.schema.records || dirty_ || recorded_ > 0; }
  /// Puts that were recorded, and are carried out later.
  void record(int64_t puts) { recorded_ = puts; }
  /// All pending records count now.
  void committed();
  /// Whether the next commit gives a new file the place of one whose records were committed long ago.
  bool replaces_committed() const { return replaces_committed_; }
  void replace_committed(bool replaces) { replaces_committed_ = replaces; }
  /// A redefinition has ended; it has moved so many bytes of values.
  void redefined() { ++redefinitions_; }
  void moved(int64_t bytes) { moved_bytes_ += bytes; }
  int redefinitions() const { return redefinitions_; }
  int64_t moved_bytes() const { return moved_bytes_; }

  /// The first failure stays.
  void fail(const Error &error);
  bool failed() const { return failure_ != nullptr; }
  const Error &failure() const { return *failure_; }

  /// How it ended, in words: "complete", "abandoned: ...".
  void close(const std::string &outcome);
  bool is_closed() const { return closed_; }
  std::string outcome() const { return outcome_.empty() ? "open" : outcome_; }

 private:
  Definitions &definitions_;
  int64_t pending_records_ = 0, recorded_ = 0, moved_bytes_ = 0;
  int redefinitions_ = 0;
  bool dirty_ = false, replaces_committed_ = false, closed_ = false;
  std::vector<bool> touched_fixed_;
  std::map<int64_t, std::vector<bool>> touched_records_;  // of records not yet committed
  std::unique_ptr<Error> failure_;
  std::string outcome_;
};

}  // namespace sv
