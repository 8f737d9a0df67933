#include "workload/swap.hpp"

#include <cstring>

// The baseline of x86-64 has no byte shuffle; where the loader can choose, it takes the variant for the machine.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define SV_BY_MACHINE __attribute__((target_clones("arch=x86-64-v4", "avx2", "ssse3", "default")))
#else
#define SV_BY_MACHINE
#endif

namespace sv_bench {

namespace {

SV_BY_MACHINE void swap4(const std::byte *__restrict from, std::byte *__restrict to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t value;
    std::memcpy(&value, from + 4 * i, 4);
    value = __builtin_bswap32(value);
    std::memcpy(to + 4 * i, &value, 4);
  }
}

SV_BY_MACHINE void swap2(const std::byte *__restrict from, std::byte *__restrict to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t value;
    std::memcpy(&value, from + 2 * i, 2);
    value = __builtin_bswap16(value);
    std::memcpy(to + 2 * i, &value, 2);
  }
}

SV_BY_MACHINE void swap8(const std::byte *__restrict from, std::byte *__restrict to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value;
    std::memcpy(&value, from + 8 * i, 8);
    value = __builtin_bswap64(value);
    std::memcpy(to + 8 * i, &value, 8);
  }
}

}  // namespace

void swap_copy(const std::byte *from, std::byte *to, int64_t count, int64_t width) {
  if (width == 8) {
    swap8(from, to, count);
  } else if (width == 4) {
    swap4(from, to, count);
  } else if (width == 2) {
    swap2(from, to, count);
  } else if (count > 0) {
    std::memcpy(to, from, static_cast<size_t>(count));
  }
}

}  // namespace sv_bench
