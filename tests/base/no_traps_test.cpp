#include "base/no_traps.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

#include "base/convert.hpp"

namespace sv {
namespace {

#ifdef __GLIBC__

constexpr int trapping = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

const Type all_numbers[] = {Type::int8,  Type::int16,  Type::int32,  Type::float32, Type::float64,
                            Type::uint8, Type::uint16, Type::uint32, Type::int64,   Type::uint64};

/// Everything that may raise an exception when it is compared, converted or loaded: a signalling NaN, too.
template <class Real, class Bits>
std::vector<Real> odd_values(Bits signalling) {
  using Limits = std::numeric_limits<Real>;
  return {Limits::quiet_NaN(), std::bit_cast<Real>(signalling),
          Limits::infinity(),  -Limits::infinity(),
          Limits::max(),       Limits::lowest(),
          Limits::denorm_min()};
}

/// There and back, for each pair of types, with as many values as the kernels take at once.
void convert_all() {
  std::vector<double> doubles = odd_values<double>(uint64_t{0x7ff0000000000001});
  std::vector<float> floats = odd_values<float>(uint32_t{0x7f800001});
  for (size_t i = 0; doubles.size() < 700; ++i) {
    doubles.push_back(doubles[i]);
    floats.push_back(floats[i]);
  }
  std::vector<std::byte> file(700 * sizeof(double)), back(700 * sizeof(double));
  const auto convert = [&](Type from, const void *values, Type to, const Conversion &how) {
    PackRow{how}(static_cast<const std::byte *>(values), size_of(from), file.data(), 700);
    UnpackRow{{to, from, how.order, how.range_error, how.scaling, how.fill}}(static_cast<const std::byte *>(values),
                                                                             back.data(), size_of(to), 700);
  };
  for (const Type to : all_numbers)
    for (const ByteOrder order : {ByteOrder::big, ByteOrder::native})
      for (const RangeError range_error : {RangeError::clamp, RangeError::fill, RangeError::refuse})
        for (const bool scaled : {false, true})
          for (const bool wide : {false, true}) {
            const Type from = wide ? Type::float64 : Type::float32;
            Conversion how = plain_conversion(from, to, order);
            how.range_error = range_error;
            if (scaled) how.scaling = Scaling{0.01, 280};
            FirstRangeError first;
            convert(from, wide ? static_cast<const void *>(doubles.data()) : floats.data(), to, how);
          }
}

class NoTrapsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (feenableexcept(trapping) == -1) GTEST_SKIP() << "this processor traps nothing";
    std::feclearexcept(FE_ALL_EXCEPT);
  }
  void TearDown() override {
    std::feclearexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
  }
};

TEST_F(NoTrapsTest, ConversionsAreDefinedWhateverTheProgramTraps) {
  {
    const NoTraps quiet;
    EXPECT_EQ(fegetexcept(), 0);
    convert_all();
  }
  EXPECT_EQ(fegetexcept(), trapping);
  EXPECT_EQ(std::fetestexcept(trapping), 0) << "the program finds exceptions noted that are not its own";
}

TEST_F(NoTrapsTest, ThreadsThatAreMadeMeanwhileTrapNothing) {
  std::thread thread;
  {
    const NoTraps quiet;
    thread = std::thread(convert_all);
  }
  EXPECT_EQ(fegetexcept(), trapping);
  thread.join();
}

TEST_F(NoTrapsTest, OneInsideAnotherChangesNothing) {
  {
    const NoTraps quiet;
    { const NoTraps again; }
    EXPECT_EQ(fegetexcept(), 0);
  }
  EXPECT_EQ(fegetexcept(), trapping);
}

#endif

TEST(NoTraps, WhereNothingTrapsWhatIsNotedStays) {
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const NoTraps quiet;
    std::feraiseexcept(FE_INEXACT);
  }
#if defined(__x86_64__) || defined(__GLIBC__)
  EXPECT_NE(std::fetestexcept(FE_INEXACT), 0);
#endif
  std::feclearexcept(FE_ALL_EXCEPT);
}

}  // namespace
}  // namespace sv
