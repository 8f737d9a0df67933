// What a thread fails with while its rank is elsewhere: it stands here until a call can tell it.
#pragma once

#include <mutex>
#include <optional>

#include "base/error.hpp"

namespace sv {

class LateNote {
 public:
  /// The first stays.
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

}  // namespace sv
