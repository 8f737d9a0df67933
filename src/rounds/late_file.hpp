// A file whose bytes are written after the call that brought them, by a thread of this rank: what that fails with
// stands here until a call can tell it. Servers keep one for each file, and so does the home of a file that is written
// behind.
#pragma once

#include <mutex>
#include <optional>

#include "file/file.hpp"

namespace sv {

struct LateFile {
  File *file = nullptr;
  int64_t number = 0;  // orders the files of a rank

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
