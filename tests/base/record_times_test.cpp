#include "base/record_times.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"

namespace sv {
namespace {

TEST(RecordTimes, AnEqualTimeIsItsRecord) {
  const std::vector<double> times{10, 11, 13, 13.5};
  for (size_t i = 0; i < times.size(); ++i) EXPECT_EQ(record_of(times, times[i]), static_cast<int64_t>(i));
}

TEST(RecordTimes, RoundingMakesNoOtherTime) {
  const std::vector<double> times{10, 11, 13};
  EXPECT_EQ(record_of(times, 11 - 9e-7), 1);
  EXPECT_EQ(record_of(times, 11 + 9e-7), 1);
  EXPECT_EQ(record_of(times, 10 - 9e-7), 0);
  EXPECT_EQ(record_of(times, 13 + 1.9e-6), 2);
  EXPECT_THROW(record_of(times, 11 + 1.1e-6), Error);
  double sum = 0;  // as a model may do it
  for (int n = 0; n < 1000000; ++n) sum += 0.1;
  EXPECT_NE(sum, 100000.0);
  EXPECT_EQ(record_of({100000}, sum), 0);
}

TEST(RecordTimes, ALaterTimeIsANewRecord) {
  EXPECT_EQ(record_of({}, -5), 0);
  EXPECT_EQ(record_of({10, 11}, 11.5), 2);
  EXPECT_EQ(record_of({10}, 10.001), 1);
  EXPECT_EQ(record_of({0}, 1e-9), 1);
}

TEST(RecordTimes, OtherTimesAreRefused) {
  const auto reported = [](double time, int first_record = 0) -> std::string {
    try {
      record_of({10, 11, 13}, time, first_record);
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::invalid);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(reported(9).find("comes before record 0 (from 0) at 10"), std::string::npos);
  EXPECT_NE(reported(9, 1).find("comes before record 1 (from 1) at 10"), std::string::npos);
  EXPECT_NE(reported(12).find("lies between record 1 (from 0) at 11 and record 2 (from 0) at 13"), std::string::npos);
}

TEST(RecordTimes, TimesOfAFileIncrease) {
  EXPECT_NO_THROW(check_increasing({}));
  EXPECT_NO_THROW(check_increasing({1, 2, 3}));
  EXPECT_THROW(check_increasing({1, 1}), Error);
  EXPECT_THROW(check_increasing({2, 1}), Error);
  EXPECT_THROW(check_increasing({1, std::numeric_limits<double>::quiet_NaN()}), Error);
}

}  // namespace
}  // namespace sv
