// The characters of Unicode that normalisation changes or moves: the table of base/normalisation.cpp, each list in
// ascending order. scripts/normalisation-table makes it.
#pragma once

#include <cstdint>
#include <span>

namespace sv::unicode {

/// A character and the two that it stands for; the second is 0 where it stands for one.
struct Decomposition {
  char32_t whole, first, second;
};
extern const std::span<const Decomposition> composed;      // of the two, NFC makes the character again
extern const std::span<const Decomposition> not_composed;  // it does not

/// Characters first to last have this class of combination, which is not 0.
struct CombiningClass {
  char32_t first, last;
  uint8_t number;
};
extern const std::span<const CombiningClass> classes;

}  // namespace sv::unicode
