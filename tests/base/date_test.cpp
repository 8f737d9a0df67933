#include "base/date.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.hpp"

namespace sv {
namespace {

std::string refusal(const std::function<void()> &action) {
  try {
    action();
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::invalid);
    return error.what();
  }
  return "";
}

TEST(Date, FieldsBecomeNumbers) {
  const Date date{1850, 3, 1, 6, 7, 8};
  EXPECT_EQ(expand("run%%/a_%Y%m%d-%H%M%S.%j.nc", Calendar::noleap, date), "run%/a_18500301-060708.060.nc");
  EXPECT_EQ(expand("%j", Calendar::all_leap, date), "061");
  EXPECT_EQ(expand("%j", Calendar::days_360, date), "061");
  EXPECT_EQ(expand("%Y", Calendar::noleap, {12345, 1, 1, 0, 0, 0}), "12345");
  EXPECT_EQ(expand("%Y", Calendar::noleap, {7, 1, 1, 0, 0, 0}), "0007");
}

TEST(Date, DaysOfTheYearFollowTheCalendar) {
  const auto last = [](Calendar calendar, int year) { return expand("%j", calendar, {year, 12, 30, 0, 0, 0}); };
  EXPECT_EQ(last(Calendar::standard, 2000), "365");
  EXPECT_EQ(last(Calendar::standard, 1900), "364");
  EXPECT_EQ(last(Calendar::standard, 1500), "365");
  EXPECT_EQ(last(Calendar::proleptic_gregorian, 1500), "364");
  EXPECT_EQ(last(Calendar::julian, 1900), "365");
  EXPECT_EQ(last(Calendar::noleap, 2000), "364");
  EXPECT_EQ(last(Calendar::days_360, 2000), "360");
  EXPECT_NE(refusal([] { expand("%j", Calendar::unknown, {1, 1, 1, 0, 0, 0}); }).find("%j"), std::string::npos);
}

TEST(Date, CalendarsAreKnownByTheirNamesInCf) {
  EXPECT_EQ(calendar_named("Gregorian"), Calendar::standard);
  EXPECT_EQ(calendar_named("365_day"), Calendar::noleap);
  EXPECT_EQ(calendar_named("360_day"), Calendar::days_360);
  EXPECT_EQ(calendar_named("none"), Calendar::unknown);
}

TEST(Date, DatesOfOtherCalendarsAreRefused) {
  const auto reported = [](Calendar calendar, const Date &date) {
    return refusal([&] { check_date(calendar, date); });
  };
  EXPECT_EQ(reported(Calendar::standard, {2000, 2, 29, 23, 59, 59}), "");
  EXPECT_EQ(reported(Calendar::days_360, {2001, 2, 30, 0, 0, 0}), "");
  EXPECT_EQ(reported(Calendar::unknown, {2001, 2, 31, 0, 0, 0}), "");
  EXPECT_NE(reported(Calendar::noleap, {2000, 2, 29, 0, 0, 0}).find("2000-02-29 00:00:00"), std::string::npos);
  for (const Date &date : {Date{1, 0, 1, 0, 0, 0},
                           {1, 13, 1, 0, 0, 0},
                           {1, 1, 0, 0, 0, 0},
                           {1, 1, 1, 24, 0, 0},
                           {1, 1, 1, -1, 0, 0},
                           {1, 1, 1, 0, 60, 0},
                           {1, 1, 1, 0, 0, 60}})
    EXPECT_NE(reported(Calendar::unknown, date), "") << text_of(date);
}

TEST(Date, OnlyDateFieldsMayStandInNames) {
  EXPECT_EQ(refusal([] { check_template("a_%j%%.nc"); }), "");
  for (const char *name : {"a.nc", "a%%.nc", "a_%", "a_%Y_%y.nc", "%Y%"})
    EXPECT_NE(refusal([&] { check_template(name); }), "") << name;
}

}  // namespace
}  // namespace sv
