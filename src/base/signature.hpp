// A number that stands for a text: two texts with different signatures differ, two with equal ones are all but
// certainly equal. Files keep one as a checksum, which must never change; ranks of a run compare what they call by
// another one, which takes less time.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>

namespace sv {

/// FNV-1a, 64 bits.
constexpr uint64_t signature_of(std::string_view text) {
  uint64_t signature = 0xcbf29ce484222325;
  for (const char c : text) signature = (signature ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return signature;
}

/// The same for a comparison within one run, whose result is not stored: much faster for long texts.
inline uint64_t run_local_hash(std::string_view text) { return std::hash<std::string_view>{}(text); }
/// Signature of an item that follows items with the signature `before`.
constexpr uint64_t passing_signature_after(uint64_t before, uint64_t next) {
  return std::rotl(before, 7) * 0x9e3779b97f4a7c15 ^ next;
}
/// As a number that ranks compare by its maximum and that of its negative (Context::agree): positive.
constexpr int64_t compared_number(uint64_t signature) { return static_cast<int64_t>(signature >> 2 | 1); }

}  // namespace sv
