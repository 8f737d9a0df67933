#include "codec/crc32c.hpp"

#include <array>

namespace sv {

namespace {

constexpr std::array<uint32_t, 256> make_table() {
  constexpr uint32_t reversed_polynomial = 0x82F63B78U;
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? (sum >> 1U) ^ reversed_polynomial : sum >> 1U;
    table[byte] = sum;
  }
  return table;
}

constexpr std::array<uint32_t, 256> table = make_table();

}  // namespace

uint32_t crc32c(std::span<const std::byte> bytes, uint32_t before) {
  uint32_t sum = ~before;
  for (const std::byte each : bytes) sum = table[(sum ^ static_cast<uint32_t>(each)) & 0xFFU] ^ (sum >> 8U);
  return ~sum;
}

}  // namespace sv
