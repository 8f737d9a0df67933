// Copies of values: the memory that they need, which the waiting copies of a process are limited by.
#include "serial/value_copies.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace sv {
namespace {

TEST(ValueCopies, SmallValuesNeedTheMemoryOfTheirSlabs) {
  constexpr int64_t count = 1000, bytes = 8;
  ValueCopies copies;
  for (int64_t n = 0; n < count; ++n) *copies.add({}, bytes) = std::byte{1};
  EXPECT_EQ(copies.bytes(), count * bytes);
  EXPECT_GE(copies.memory_bytes(), count * (bytes + static_cast<int64_t>(sizeof(SlabPart))));
  EXPECT_EQ(std::ssize(copies.parts()), count);
}

}  // namespace
}  // namespace sv
