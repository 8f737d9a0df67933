// A batch: all requests that the ranks carry out in one collective call. Waits, lists of puts and gets, single
// sub-arrays (engine/combine.hpp) and the puts of a step (engine/recorded.hpp) make one. Collective.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transfer/combined_transfer.hpp"

namespace sv {

/// All requests of one call.
class Batch {
 public:
  enum class Kind {
    any,             // ranks have different requests
    all_or_nothing,  // one that cannot be carried out keeps the others from it
    alike            // all ranks have made the same calls: one that a rank leaves out is left out by all
  };
  /// A request, and its outcome.
  struct Item {
    Request *request;
    int place;
    std::optional<Error> outcome = std::nullopt;
    bool done = false;
  };
  Batch(File &file, std::string call, Kind kind) : file_(file), call_(std::move(call)), kind_(kind) {}

  /// `place`: in the list of the caller.
  void add(Request &request, int place) {
    items_.push_back({&request, place});
    count_ = std::max(count_, place + 1);
  }
  void mark_failed() { complains_ = true; }  // of something else
  /// How many the list of the caller has, where some are not in this batch.
  void count(int64_t all) { count_ = static_cast<int>(all); }
  /// Nothing is carried out, on any rank: its first gate throws this.
  void give_up(const Error &error) { given_up_ = error; }
  /// Throws an error that fails the file; the items then (and otherwise) contain their outcomes.
  void run();
  bool has_run() const { return has_run_; }
  const std::vector<Item> &items() const { return items_; }
  /// Collective: throws, on every rank, the errors of the requests of some rank, `other` before.
  void conclude(const std::optional<Error> &other) const;

 private:
  bool run_alone();
  bool phase(Direction direction);
  RequestList gather(Direction direction);
  void refuse(const std::vector<Refusal> &refused);
  Item &chosen(int request) { return items_[chosen_[static_cast<size_t>(request)]]; }

  File &file_;
  const std::string call_;
  const Kind kind_;
  std::vector<Item> items_;
  std::vector<size_t> chosen_;  // of the items: those of the present phase
  int count_ = 0;               // of the caller's list
  bool complains_ = false, complaints_ = false, has_run_ = false;
  std::optional<Error> given_up_;
};

}  // namespace sv
