#include "codec/shuffle.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "support/random_bytes.hpp"

namespace sv {
namespace {

/// H5Zshuffle.c, as its comments describe it.
Bytes shuffled_slowly(const Bytes &from, size_t element) {
  const size_t elements = from.size() / element;
  Bytes to = from;
  for (size_t b = 0; b < element; ++b)
    for (size_t i = 0; i < elements; ++i) to[b * elements + i] = from[i * element + b];
  return to;
}

TEST(Shuffle, IsThatOfHdf5AndGoesBack) {
  std::mt19937 engine(5);
  for (const int element : {1, 2, 4, 8})
    for (int i = 0; i < 200; ++i) {
      const Bytes from = random_bytes(engine, engine() % (i % 10 == 0 ? 40000 : 70));
      Bytes to(from.size()), back(from.size());
      shuffle_bytes(from, to, element);
      ASSERT_EQ(to, shuffled_slowly(from, static_cast<size_t>(element))) << element << ", " << from.size();
      unshuffle_bytes(to, back, element);
      ASSERT_EQ(back, from) << element << ", " << from.size();
    }
}

/// What H5_checksum_fletcher32 of HDF5 1.10.8 returns for bytes i · 7 + 3.
TEST(Fletcher32, IsThatOfHdf5) {
  const auto sum_of = [](size_t length) {
    Bytes bytes(length);
    for (size_t i = 0; i < length; ++i) bytes[i] = static_cast<std::byte>(i * 7 + 3);
    return fletcher32(bytes);
  };
  EXPECT_EQ(sum_of(1), 0x03000300U);
  EXPECT_EQ(sum_of(2), 0x030a030aU);
  EXPECT_EQ(sum_of(3), 0x1714140aU);
  EXPECT_EQ(sum_of(4), 0x172c1422U);
  EXPECT_EQ(sum_of(5), 0x4a4e3322U);
  EXPECT_EQ(sum_of(255), 0x9d823ec4U);
  EXPECT_EQ(sum_of(719), 0xacc6d0feU);
  EXPECT_EQ(sum_of(720), 0xad72d1aaU);
  EXPECT_EQ(sum_of(721), 0x321e84abU);
  EXPECT_EQ(sum_of(722), 0x32d88565U);
  EXPECT_EQ(sum_of(1440), 0x3c8b24d7U);
  EXPECT_EQ(sum_of(65537), 0x21fec33fU);
}

}  // namespace
}  // namespace sv
