// A file whose bytes are written after the call that brought them, by a thread of this rank, and what that has failed
// with. Servers keep one for each file, and so does the home of a file that is written behind.
#pragma once

#include <cstdint>

#include "base/deferred_error.hpp"
#include "file/file.hpp"

namespace sv {

struct AsyncFile : DeferredError {
  File *file = nullptr;
  int64_t number = 0;  // orders the files of a rank
};

}  // namespace sv
