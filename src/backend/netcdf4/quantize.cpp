#include "backend/netcdf4/quantize.hpp"

#include <cstdint>
#include <cstring>

namespace sv::netcdf4 {

namespace {

template <class Word>
void round_words(std::span<std::byte> values, int mantissa_bits, int bits, Word exponent,
                 std::span<const std::byte> fill) {
  if (bits >= mantissa_bits) return;
  Word kept = 0;
  std::memcpy(&kept, fill.data(), sizeof kept);
  const Word cleared = static_cast<Word>(~Word{0} << (mantissa_bits - bits));
  const Word half = static_cast<Word>(~cleared & (cleared >> 1));
  for (size_t at = 0; at + sizeof(Word) <= values.size(); at += sizeof(Word)) {
    Word word = 0;
    std::memcpy(&word, values.data() + at, sizeof word);
    if (word == kept || (word & exponent) == exponent) continue;
    word = static_cast<Word>(word + half) & cleared;
    std::memcpy(values.data() + at, &word, sizeof word);
  }
}

}  // namespace

void bit_round(std::span<std::byte> values, Type type, int bits, std::span<const std::byte> fill) {
  if (type == Type::float32) round_words<uint32_t>(values, 23, bits, 0x7f800000U, fill);
  if (type == Type::float64) round_words<uint64_t>(values, 52, bits, 0x7ff0000000000000U, fill);
}

}  // namespace sv::netcdf4
