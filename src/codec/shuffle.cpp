#include "codec/shuffle.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <utility>

namespace sv {

namespace {

#ifdef __SSE2__

constexpr size_t lanes = sizeof(__m128i);

/// Takes bytes from the first and the second half of the vectors in turn, so that the byte at the place whose number
/// has the bits abc...z moves to bc...za.
template <size_t vectors>
void interleave(__m128i (&v)[vectors]) {
  __m128i mixed[vectors];
  for (size_t i = 0; i < vectors / 2; ++i) {
    mixed[2 * i] = _mm_unpacklo_epi8(v[i], v[i + vectors / 2]);
    mixed[2 * i + 1] = _mm_unpackhi_epi8(v[i], v[i + vectors / 2]);
  }
  std::copy(std::begin(mixed), std::end(mixed), std::begin(v));
}

/// Sixteen elements at a time, one vector of them for each of their bytes. The place of a byte has the bits of its
/// element before those of its number in it; the shuffled place, behind them. Returns how many elements it has done.
template <size_t element_bytes>
size_t shuffle_vectors(const std::byte *from, std::byte *to, size_t elements) {
  size_t done = 0;
  for (; done + lanes <= elements; done += lanes) {
    __m128i v[element_bytes];
    for (size_t i = 0; i < element_bytes; ++i)
      v[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + done * element_bytes) + i);
    for (size_t bit = 1; bit < lanes; bit *= 2) interleave(v);
    for (size_t b = 0; b < element_bytes; ++b)
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + b * elements + done), v[b]);
  }
  return done;
}

template <size_t element_bytes>
size_t unshuffle_vectors(const std::byte *from, std::byte *to, size_t elements) {
  size_t done = 0;
  for (; done + lanes <= elements; done += lanes) {
    __m128i v[element_bytes];
    for (size_t b = 0; b < element_bytes; ++b)
      v[b] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + b * elements + done));
    for (size_t bit = 1; bit < element_bytes; bit *= 2) interleave(v);
    for (size_t i = 0; i < element_bytes; ++i)
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + done * element_bytes) + i, v[i]);
  }
  return done;
}

#else

template <size_t element_bytes>
size_t shuffle_vectors(const std::byte *, std::byte *, size_t) {
  return 0;
}

template <size_t element_bytes>
size_t unshuffle_vectors(const std::byte *, std::byte *, size_t) {
  return 0;
}

#endif

constexpr size_t block_elements = 1024;  // which stay in the fastest cache while each of their bytes is picked

template <class Word>
void shuffle_words(const std::byte *from, std::byte *to, size_t elements) {
  Word words[block_elements];
  for (size_t first = shuffle_vectors<sizeof(Word)>(from, to, elements); first < elements; first += block_elements) {
    const size_t here = std::min(block_elements, elements - first);
    std::memcpy(words, from + first * sizeof(Word), here * sizeof(Word));
    for (size_t b = 0; b < sizeof(Word); ++b) {
      auto *const out = reinterpret_cast<uint8_t *>(to + b * elements + first);
      for (size_t i = 0; i < here; ++i) out[i] = static_cast<uint8_t>(words[i] >> (8 * b));
    }
  }
}

/// All bytes of an element in one expression, which compilers turn into interleavings of whole vectors.
template <class Word, size_t... b>
void unshuffle_words(const std::byte *from, std::byte *to, size_t elements, std::index_sequence<b...>) {
  const auto *const in = reinterpret_cast<const uint8_t *>(from);
  Word words[block_elements];
  for (size_t first = unshuffle_vectors<sizeof(Word)>(from, to, elements); first < elements; first += block_elements) {
    const size_t here = std::min(block_elements, elements - first);
    const uint8_t *const at[] = {(in + b * elements + first)...};
    for (size_t i = 0; i < here; ++i) words[i] = static_cast<Word>(((static_cast<Word>(at[b][i]) << (8 * b)) | ...));
    std::memcpy(to + first * sizeof(Word), words, here * sizeof(Word));
  }
}

template <class Word>
void unshuffle_words(const std::byte *from, std::byte *to, size_t elements) {
  unshuffle_words<Word>(from, to, elements, std::make_index_sequence<sizeof(Word)>());
}

/// Calls words(word, elements) for the elements, with a word of their size. A part of an element at the end stays as it
/// is, and so does everything where there is nothing to exchange. Words are little-endian here, as on every machine
/// that we build for: base/swap.hpp asks the same.
template <class Words>
void for_words(std::span<const std::byte> from, std::span<std::byte> to, int element_bytes, Words &&words) {
  const auto bytes = static_cast<size_t>(element_bytes);
  size_t elements = from.size() / bytes;
  if (bytes == 1 || elements <= 1) elements = 0;
  if (bytes == 2) words(uint16_t{}, elements);
  if (bytes == 4) words(uint32_t{}, elements);
  if (bytes == 8) words(uint64_t{}, elements);
  const auto rest = static_cast<std::ptrdiff_t>(elements * bytes);
  std::copy(from.begin() + rest, from.end(), to.begin() + rest);
}

}  // namespace

void shuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, int element_bytes) {
  for_words(from, to, element_bytes,
            [&](auto word, size_t elements) { shuffle_words<decltype(word)>(from.data(), to.data(), elements); });
}

void unshuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, int element_bytes) {
  for_words(from, to, element_bytes,
            [&](auto word, size_t elements) { unshuffle_words<decltype(word)>(from.data(), to.data(), elements); });
}

uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr size_t longest_sum = 360;  // words, before 32 bits overflow
  uint32_t sum1 = 0, sum2 = 0;
  const auto fold = [](uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
  const auto at = [&](size_t i) { return static_cast<uint32_t>(bytes[i]); };
  for (size_t i = 0, words = bytes.size() / 2; words > 0;) {
    size_t here = std::min(words, longest_sum);
    words -= here;
    for (; here > 0; --here, i += 2) {
      sum1 += at(i) << 8 | at(i + 1);
      sum2 += sum1;
    }
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  if (bytes.size() % 2 != 0) {
    sum1 = sum1 + (at(bytes.size() - 1) << 8);
    sum2 += sum1;
    sum1 = fold(sum1);
    sum2 = fold(sum2);
  }
  return fold(sum2) << 16 | fold(sum1);
}

}  // namespace sv
