#include "base/swap.hpp"

#include <algorithm>
#include <cstring>

#include "base/by_machine.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace sv {
namespace {

SV_BY_MACHINE void swap2(const std::byte *__restrict from, std::byte *__restrict to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t value;
    std::memcpy(&value, from + 2 * i, 2);
    value = __builtin_bswap16(value);
    std::memcpy(to + 2 * i, &value, 2);
  }
}

SV_BY_MACHINE void swap4(const std::byte *__restrict from, std::byte *__restrict to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t value;
    std::memcpy(&value, from + 4 * i, 4);
    value = __builtin_bswap32(value);
    std::memcpy(to + 4 * i, &value, 4);
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
  if (width == 8) return swap8(from, to, count);
  if (width == 4) return swap4(from, to, count);
  if (width == 2) return swap2(from, to, count);
  if (count > 0) std::memcpy(to, from, static_cast<size_t>(count));
}

void swap_in_place(std::byte *bytes, int64_t count, int64_t width) {
  constexpr int64_t most_bytes = 4096;
  std::byte block[most_bytes];
  for (int64_t done = 0; done < count;) {
    const int64_t some = std::min(count - done, most_bytes / width);
    std::byte *const at = bytes + done * width;
    std::memcpy(block, at, static_cast<size_t>(some * width));
    swap_copy(block, at, some, width);
    done += some;
  }
}

#if defined(__x86_64__) && defined(__GNUC__)
namespace {

constexpr int64_t vector_bytes = 32;

/// Whole vectors; `to` is aligned to them.
__attribute__((target("avx2"))) void stream(const std::byte *from, std::byte *to, int64_t vectors, int64_t width) {
  alignas(vector_bytes) char places[vector_bytes];
  for (int64_t i = 0; i < vector_bytes; ++i)
    places[i] = static_cast<char>(i % 16 / width * width + width - 1 - i % width);  // within a lane of 16 bytes
  const __m256i order = _mm256_load_si256(reinterpret_cast<const __m256i *>(places));
  for (int64_t i = 0; i < vectors; ++i) {
    const __m256i values = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from + i * vector_bytes));
    _mm256_stream_si256(reinterpret_cast<__m256i *>(to + i * vector_bytes), _mm256_shuffle_epi8(values, order));
  }
  _mm_sfence();  // before another thread is signalled and reads it
}

}  // namespace

void swap_copy_past_caches(const std::byte *from, std::byte *to, int64_t count, int64_t width) {
  static const bool can = __builtin_cpu_supports("avx2") != 0;
  const auto beyond = static_cast<int64_t>(reinterpret_cast<uintptr_t>(to) % vector_bytes);
  const int64_t head = std::min((vector_bytes - beyond) % vector_bytes / width, count);
  if (!can || beyond % width != 0) return swap_copy(from, to, count, width);
  const int64_t vectors = (count - head) * width / vector_bytes, done = head + vectors * vector_bytes / width;
  swap_copy(from, to, head, width);
  stream(from + head * width, to + head * width, vectors, width);
  swap_copy(from + done * width, to + done * width, count - done, width);
}
#else
void swap_copy_past_caches(const std::byte *from, std::byte *to, int64_t count, int64_t width) {
  swap_copy(from, to, count, width);
}
#endif

}  // namespace sv
