// The error with which the next collective call must fail at the model's request (sv_refuse). Values of one rank.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace sv {

class Refusals {
 public:
  struct Refusal {
    Status status;
    std::string cause, remedy;
  };
  /// The next agreement fails, on every rank, with this.
  void refuse(Status status, const std::string &cause, const std::string &remedy) {
    refusal_ = Refusal{status, cause, remedy};
  }
  bool any() const { return refusal_.has_value(); }
  /// The Error of rank `rank`, where there is one; then there is none.
  std::optional<Error> take(const std::string &call, int rank) {
    const auto refusal = hold();
    if (!refusal) return std::nullopt;
    return Error(refusal->status, call + ": " + refusal->cause, refusal->remedy).on_rank(rank);
  }
  /// Puts it aside while another call passes gates, and back.
  std::optional<Refusal> hold() { return std::exchange(refusal_, std::nullopt); }
  void restore(std::optional<Refusal> refusal) { refusal_ = std::move(refusal); }

 private:
  std::optional<Refusal> refusal_;
};

}  // namespace sv
