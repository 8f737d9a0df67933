// A number that stands for a text: two texts with different signatures differ, two with equal ones are all but
// certainly equal. Ranks compare what they call by it, and files keep it as a checksum, so that it must never change.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace sv {

/// FNV-1a, 64 bits; of a text that goes on after another one, from the other's signature.
constexpr uint64_t signature_of(std::string_view text, uint64_t before = 0xcbf29ce484222325) {
  uint64_t signature = before;
  for (const char c : text) signature = (signature ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return signature;
}

/// The same for a comparison within one run, which nobody keeps: of long texts much faster.
inline uint64_t passing_signature_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

}  // namespace sv
