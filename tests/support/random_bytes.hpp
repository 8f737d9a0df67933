// Bytes without any order in them, for tests of code that moves or changes bytes.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace sv {

using Bytes = std::vector<std::byte>;

inline Bytes random_bytes(std::mt19937 &engine, size_t length) {
  Bytes bytes(length);
  for (std::byte &each : bytes) each = static_cast<std::byte>(engine());
  return bytes;
}

}  // namespace sv
