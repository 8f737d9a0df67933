#include "calendar.hpp"

#include <cstdio>

#include "failure.hpp"

namespace sv::streams {

namespace {

constexpr int64_t floor_of(int64_t value, int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

/// Days from 1 March of the year 0 to a date of the calendar in which each
/// fourth year is a leap year. With the years from March on, months have their
/// lengths in a regular pattern (Hinnant, "chrono-compatible low-level date
/// algorithms").
constexpr int64_t julian_days(int64_t year, int month, int day) {
  const int64_t from_march = month > 2 ? year : year - 1;
  const int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return from_march * 365 + floor_of(from_march, 4) + day_of_year;
}

constexpr int64_t gregorian_days(int64_t year, int month, int day) {
  const int64_t from_march = month > 2 ? year : year - 1;
  return julian_days(year, month, day) - floor_of(from_march, 100) + floor_of(from_march, 400);
}

// The standard calendar has no days between 4 and 15 October 1582.
constexpr int64_t reform = gregorian_days(1582, 10, 15);
constexpr int64_t julian_offset = reform - julian_days(1582, 10, 5);

constexpr int most_years = 999999;

}  // namespace

Calendar::Calendar(const std::string &name) : name_(name), kind_(Kind::standard) {
  static const std::pair<const char *, Kind> known[] = {
      {"standard", Kind::standard}, {"gregorian", Kind::standard}, {"proleptic_gregorian", Kind::gregorian},
      {"julian", Kind::julian},     {"noleap", Kind::noleap},      {"365_day", Kind::noleap},
      {"all_leap", Kind::all_leap}, {"366_day", Kind::all_leap},   {"360_day", Kind::days_360}};
  for (const auto &[text, kind] : known) {
    if (name != text) continue;
    kind_ = kind;
    return;
  }
  throw Failure(SV_EINVAL, "there is no calendar '" + name + "'",
                "Use standard, proleptic_gregorian, noleap, all_leap, 360_day or julian");
}

int64_t Calendar::month_begins(int64_t year, int month) const {
  return month == 13 ? day_number(year + 1, 1, 1) : day_number(year, month, 1);
}

int64_t Calendar::day_number(int64_t year, int month, int day) const {
  static constexpr int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
  switch (kind_) {
    case Kind::days_360:
      return year * 360 + (month - 1) * 30 + day - 1;
    case Kind::noleap:
      return year * 365 + before[month - 1] + day - 1;
    case Kind::all_leap:
      return year * 366 + before[month - 1] + (month > 2 ? 1 : 0) + day - 1;
    case Kind::julian:
      return julian_days(year, month, day);
    case Kind::gregorian:
      return gregorian_days(year, month, day);
    default:
      break;
  }
  const int64_t days = gregorian_days(year, month, day);
  return days >= reform ? days : julian_days(year, month, day) + julian_offset;
}

Time Calendar::time_of(const Date &date) const {
  const auto within = [](int value, int least, int most) { return value >= least && value <= most; };
  const bool clock = within(date.hour, 0, 23) && within(date.minute, 0, 59) && within(date.second, 0, 59);
  if (clock && within(date.year, 0, most_years) && within(date.month, 1, 12) && within(date.day, 1, 31)) {
    const int64_t days = day_number(date.year, date.month, date.day);
    const Time time = days * seconds_a_day + date.hour * 3600 + date.minute * 60 + date.second;
    const Date same = date_of(time);
    if (same.month == date.month && same.day == date.day) return time;
  }
  throw Failure(SV_EINVAL, "there is no date " + text_of(date) + " in the calendar " + name_,
                "Give year, month, day, hour, minute, second; 24:00 is 00:00 "
                "of the next day");
}

Date Calendar::date_of(Time time) const {
  const int64_t days = floor_of(time, seconds_a_day);
  const auto clock = static_cast<int>(time - days * seconds_a_day);
  int64_t year = floor_of(days, 366) - 1;  // no later than the year of the date
  while (day_number(year + 1, 1, 1) <= days) ++year;
  int month = 1;
  while (month < 12 && month_begins(year, month + 1) <= days) ++month;
  auto day = static_cast<int>(days - month_begins(year, month) + 1);
  if (kind_ == Kind::standard && days >= reform && year == 1582 && month == 10) day += 10;
  return {static_cast<int>(year), month, day, clock / 3600, clock / 60 % 60, clock % 60};
}

std::string Calendar::text_of(const Date &date) {
  char text[80];
  std::snprintf(text, sizeof text, "%04d-%02d-%02d %02d:%02d:%02d", date.year, date.month, date.day, date.hour,
                date.minute, date.second);
  return text;
}

}  // namespace sv::streams
