// Between memory and the big-endian order of the file, as fast as a hand-written program would do it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sv_bench {

/// Copies and reverses the bytes of every element of `width` (4 or 8) bytes.
void swap_copy(const std::byte *from, std::byte *to, int64_t count, int64_t width);

}  // namespace sv_bench
