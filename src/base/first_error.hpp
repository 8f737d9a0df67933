// The first error of attempts that are all made, even after one has failed: in each round that other ranks wait for,
// on each file of a list, in each stage of an end. Their caller throws it, or gives it to a gate, after the last
// attempt. Local; one thread uses it (base/deferred_error.hpp is for several).
#pragma once

#include <optional>
#include <utility>

#include "base/error.hpp"

namespace sv {

class FirstError {
 public:
  /// Errors that have no rank name this one; −1: none.
  explicit FirstError(int rank = -1) : rank_(rank) {}

  /// Runs `action`. Returns whether it threw nothing.
  template <class Action>
  bool attempt(Action &&action) {
    auto error = caught(rank_, action);
    const bool done = !error;
    note(std::move(error));
    return done;
  }
  /// Keeps the error, if it is one, unless there was one before.
  void note(std::optional<Error> error) {
    if (!error_) error_ = std::move(error);
  }
  explicit operator bool() const { return error_.has_value(); }
  const std::optional<Error> &error() const { return error_; }
  /// Throws the error, if there is one.
  void check() const {
    if (error_) throw Error(*error_);
  }

 private:
  int rank_;
  std::optional<Error> error_;
};

}  // namespace sv
