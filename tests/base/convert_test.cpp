#include "base/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/swap.hpp"

namespace sv {
namespace {

const Type numbers[] = {Type::int8,  Type::int16,  Type::int32,  Type::float32, Type::float64,
                        Type::uint8, Type::uint16, Type::uint32, Type::int64,   Type::uint64};

using Bytes = std::vector<std::byte>;

// A small number in the given type and order, so that every pair of types holds it exactly.
void put(Type type, ByteOrder order, int value, std::byte *at) {
  Bytes bytes(static_cast<size_t>(size_of(type)));
  const auto store = [&](auto typed) { std::memcpy(bytes.data(), &typed, sizeof typed); };
  switch (type) {
    case Type::int8:
    case Type::uint8:
    case Type::text:
      store(static_cast<uint8_t>(value));
      break;
    case Type::int16:
    case Type::uint16:
      store(static_cast<uint16_t>(value));
      break;
    case Type::int32:
    case Type::uint32:
      store(static_cast<uint32_t>(value));
      break;
    case Type::int64:
    case Type::uint64:
      store(static_cast<uint64_t>(value));
      break;
    case Type::float32:
      store(static_cast<float>(value));
      break;
    case Type::float64:
      store(static_cast<double>(value));
      break;
    case Type::string:  // has no values in memory
      break;
  }
  if (order == ByteOrder::big) std::reverse(bytes.begin(), bytes.end());
  std::copy(bytes.begin(), bytes.end(), at);
}

// Longer than a block of the kernels, with an uneven tail; memory padded by `gap` bytes and off alignment by one.
void round_trip(Type memory, Type file, ByteOrder order, int64_t gap) {
  constexpr int64_t count = 1301;
  const int64_t stride = size_of(memory) + gap, width = size_of(file);
  const std::byte untouched{0x5a};
  Bytes from(1 + count * stride, untouched), expected(1 + count * width), packed(1 + count * width);
  Bytes back(1 + count * stride, untouched);
  for (int64_t i = 0; i < count; ++i) {
    const int value = static_cast<int>(i % 127);
    put(memory, ByteOrder::native, value, &from[1 + i * stride]);
    put(file, order, value, &expected[1 + i * width]);
  }
  EXPECT_EQ(pack_row(memory, file, order)(from.data() + 1, stride, packed.data() + 1, count), 0);
  EXPECT_EQ(packed, expected) << name_of(memory) << " to " << name_of(file);
  EXPECT_EQ(unpack_row(file, memory, order)(packed.data() + 1, back.data() + 1, stride, count), 0);
  EXPECT_EQ(back, from) << name_of(file) << " to " << name_of(memory);
}

TEST(Convert, EveryPairOfTypesRoundTripsInBothOrdersAndAnyStride) {
  for (const Type memory : numbers)
    for (const Type file : numbers)
      for (const ByteOrder order : {ByteOrder::big, ByteOrder::native})
        for (const int64_t gap : {0, 3, 8}) round_trip(memory, file, order, gap);
}

TEST(Convert, TextGoesToTextOnly) {
  round_trip(Type::text, Type::text, ByteOrder::big, 0);
  round_trip(Type::text, Type::text, ByteOrder::big, 2);
  for (const Type type : numbers) {
    EXPECT_THROW(pack_row(Type::text, type, ByteOrder::big), Error);
    EXPECT_THROW(unpack_row(type, Type::text, ByteOrder::native), Error);
  }
}

TEST(Convert, NegativeStridesWalkBackwards) {
  const double values[] = {1, 2, 3};
  float packed[3];
  const auto *last = reinterpret_cast<const std::byte *>(&values[2]);
  pack_row(Type::float64, Type::float32, ByteOrder::native)(last, -8, reinterpret_cast<std::byte *>(packed), 3);
  EXPECT_EQ(packed[0], 3);
  EXPECT_EQ(packed[2], 1);
}

template <typename To, typename From>
To converted(Type from, Type to, From value, OutOfRange range_errors) {
  To result;
  const auto kernel = pack_row(from, to, ByteOrder::native);
  EXPECT_EQ(
      kernel(reinterpret_cast<const std::byte *>(&value), sizeof value, reinterpret_cast<std::byte *>(&result), 1),
      range_errors)
      << +value;
  return result;
}

TEST(Convert, IntegersThatDoNotFitAreClampedAndCounted) {
  EXPECT_EQ((converted<int8_t>(Type::int32, Type::int8, int32_t{127}, 0)), 127);
  EXPECT_EQ((converted<int8_t>(Type::int32, Type::int8, int32_t{128}, 1)), 127);
  EXPECT_EQ((converted<int8_t>(Type::int32, Type::int8, int32_t{-129}, 1)), -128);
  EXPECT_EQ((converted<uint16_t>(Type::int64, Type::uint16, int64_t{-1}, 1)), 0);
  EXPECT_EQ((converted<int64_t>(Type::uint64, Type::int64, ~uint64_t{0}, 1)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ((converted<uint64_t>(Type::int64, Type::uint64, int64_t{-5}, 1)), 0U);
}

TEST(Convert, FloatsGoToIntegersTowardsZero) {
  constexpr double two63 = 9223372036854775808.0;
  EXPECT_EQ((converted<int32_t>(Type::float64, Type::int32, -1.9, 0)), -1);
  EXPECT_EQ((converted<int32_t>(Type::float64, Type::int32, 2147483648.0, 1)), 2147483647);
  EXPECT_EQ((converted<int32_t>(Type::float32, Type::int32, -3e9F, 1)), std::numeric_limits<int32_t>::min());
  EXPECT_EQ((converted<int64_t>(Type::float64, Type::int64, -two63, 0)), std::numeric_limits<int64_t>::min());
  EXPECT_EQ((converted<int64_t>(Type::float64, Type::int64, two63, 1)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ((converted<uint64_t>(Type::float64, Type::uint64, two63, 0)), uint64_t{1} << 63);
  EXPECT_EQ((converted<uint8_t>(Type::float64, Type::uint8, -0.5, 1)), 0);
  EXPECT_EQ((converted<int16_t>(Type::float64, Type::int16, std::nan(""), 1)), -32767);
  EXPECT_EQ((converted<int8_t>(Type::float64, Type::int8, 127.5, 1)), 127);
  EXPECT_EQ((converted<int8_t>(Type::float32, Type::int8, -128.5F, 1)), -128);
  EXPECT_EQ((converted<int32_t>(Type::float64, Type::int32, 2147483647.0, 0)), 2147483647);
  EXPECT_EQ((converted<int32_t>(Type::float32, Type::int32, 2147483648.F, 1)), 2147483647);
}

TEST(Convert, DoublesGoToFloats) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  EXPECT_EQ((converted<float>(Type::float64, Type::float32, 0.1, 0)), 0.1F);
  EXPECT_EQ((converted<float>(Type::float64, Type::float32, 1e300, 1)), largest);
  EXPECT_EQ((converted<float>(Type::float64, Type::float32, -1e39, 1)), -largest);
  EXPECT_EQ((converted<float>(Type::float64, Type::float32, -infinity, 1)), -infinity);
  EXPECT_EQ((converted<double>(Type::float32, Type::float64, std::numeric_limits<float>::infinity(), 0)), infinity);
  EXPECT_TRUE(std::isnan(converted<float>(Type::float64, Type::float32, std::nan(""), 0)));
}

TEST(Convert, MisfitsAreCountedOverBlocks) {
  std::vector<double> values(5000, 1e10);
  std::vector<int32_t> file(values.size());
  const auto *from = reinterpret_cast<const std::byte *>(values.data());
  auto *to = reinterpret_cast<std::byte *>(file.data());
  EXPECT_EQ(pack_row(Type::float64, Type::int32, ByteOrder::big)(from, 8, to, 5000), 5000);
  EXPECT_EQ(pack_row(Type::float64, Type::int32, ByteOrder::big)(from, 16, to, 2500), 2500);
  EXPECT_EQ(pack_row(Type::float64, Type::float64, ByteOrder::big)(from, 8, to, 0), 0);
}

Conversion into(Type memory, Type file, int fill) {
  Conversion how = plain_conversion(memory, file, ByteOrder::big);
  put(file, ByteOrder::native, fill, how.fill.data());
  return how;
}

std::vector<int16_t> packed(const Conversion &how, const std::vector<double> &values, OutOfRange range_errors) {
  Bytes file(values.size() * 2);
  EXPECT_EQ(PackRow(how)(reinterpret_cast<const std::byte *>(values.data()), 8, file.data(),
                         static_cast<int64_t>(values.size())),
            range_errors);
  std::vector<int16_t> native(values.size());
  unpack_row(Type::int16, Type::int16, ByteOrder::big)(file.data(), reinterpret_cast<std::byte *>(native.data()), 2,
                                                       static_cast<int64_t>(values.size()));
  return native;
}

TEST(Convert, MisfitsBecomeTheFillValueWhereThatIsAsked) {
  Conversion how = into(Type::float64, Type::int16, 99);
  EXPECT_EQ(packed(how, {1e9, -1e9, std::nan(""), 7}, 3), (std::vector<int16_t>{32767, -32768, 99, 7}));
  how.range_error = RangeError::fill;
  EXPECT_EQ(packed(how, {1e9, -1e9, std::nan(""), 7}, 3), (std::vector<int16_t>{99, 99, 99, 7}));
}

TEST(Convert, PackingRoundsToTheNearestAndKeepsMissingValues) {
  Conversion how = into(Type::float64, Type::int16, -1);
  how.scaling = Scaling{0.1, 20};
  std::vector<double> values{20, 20.26, 19.74, std::nan(""), 1e9, 23.0};
  EXPECT_EQ(packed(how, values, 1), (std::vector<int16_t>{0, 3, -3, -1, 32767, 30}));
  how.range_error = RangeError::fill;
  values.resize(1301, 20.1);  // longer than a block of the kernels
  const std::vector<int16_t> many = packed(how, values, 1);
  EXPECT_EQ(many[4], -1);
  EXPECT_EQ(std::count(many.begin() + 6, many.end(), 1), 1295);
}

TEST(Convert, UnpackingRestoresMissingValues) {
  Conversion how = into(Type::float32, Type::int16, 77);
  how.scaling = Scaling{0.5, 100};
  Bytes file(6);
  put(Type::int16, ByteOrder::big, 77, &file[0]);
  put(Type::int16, ByteOrder::big, 3, &file[2]);
  put(Type::int16, ByteOrder::big, 400, &file[4]);
  float reals[3];
  EXPECT_EQ(UnpackRow(how)(file.data(), reinterpret_cast<std::byte *>(reals), 4, 3), 0);
  EXPECT_TRUE(std::isnan(reals[0]));
  EXPECT_EQ(reals[1], 101.5F);
  how.memory = Type::int8;
  int8_t whole[3];
  FirstRangeError first;
  UnpackRow row(how);
  row.keep_first(&first);
  EXPECT_EQ(row(file.data(), reinterpret_cast<std::byte *>(whole), 1, 3), 1);
  EXPECT_EQ(whole[0], 77);
  EXPECT_EQ(whole[1], 102);  // 101.5, to even
  EXPECT_EQ(whole[2], 127);
  EXPECT_EQ(first.text, "400");
  how.memory = Type::text;
  EXPECT_THROW(UnpackRow{how}, Error);
}

TEST(Convert, PackedRealsHoldTheFillValueForNaN) {
  Conversion how = into(Type::float64, Type::float32, 5);
  how.scaling = Scaling{2, 0};
  const double values[] = {std::nan(""), 9};
  float file[2];
  how.order = ByteOrder::native;
  EXPECT_EQ(PackRow(how)(reinterpret_cast<const std::byte *>(values), 8, reinterpret_cast<std::byte *>(file), 2), 0);
  EXPECT_EQ(file[0], 5);
  EXPECT_EQ(file[1], 4.5F);
}

TEST(TypeTest, NamesAndFillValuesAreNetcdfs) {
  EXPECT_EQ(name_of(Type::float64), "double");
  EXPECT_EQ(name_of(Type::uint64), "uint64");
  float single = 0;
  double wide = 0;
  int64_t integer = 0;
  default_fill(Type::float32, &single);
  default_fill(Type::float64, &wide);
  default_fill(Type::int64, &integer);
  EXPECT_EQ(single, 0x1.ep+122F);
  EXPECT_EQ(wide, 0x1.ep+122);
  EXPECT_EQ(integer, -9223372036854775806);
}

// Every width, from and to places that are aligned and not, short and long: the same bytes, and no others.
TEST(Swap, PastTheCachesAsThroughThem) {
  Bytes from(3000);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + i / 256);
  for (const int64_t width : {1, 2, 4, 8})
    for (const int64_t to_place : {0, 1, 4, 8, 20, 32})
      for (const int64_t count : {0, 1, 3, 5, 31, 33, 300}) {
        Bytes wanted(2600, std::byte{9}), got = wanted;
        swap_copy(from.data() + 3, wanted.data() + to_place, count, width);
        swap_copy_past_caches(from.data() + 3, got.data() + to_place, count, width);
        EXPECT_EQ(got, wanted) << width << " bytes, to " << to_place << ", " << count;
      }
}

}  // namespace
}  // namespace sv
