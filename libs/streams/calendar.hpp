// The calendars of the CF conventions (4.4.1), with integers: dates and seconds
// since the beginning of the year 0. Values; nothing here reads a clock.
#pragma once

#include <cstdint>
#include <string>

namespace sv::streams {

struct Date {
  int year, month, day, hour, minute, second;
};

/// Seconds of a calendar since an origin of that calendar.
using Time = int64_t;
constexpr Time seconds_a_day = 86400;

class Calendar {
 public:
  /// By the CF conventions' name. Throws Failure(SV_EINVAL).
  explicit Calendar(const std::string &name);

  const std::string &name() const { return name_; }
  /// Throws Failure(SV_EINVAL) for a date that the calendar does not have.
  /// Years are 0 to 999999.
  Time time_of(const Date &date) const;
  Date date_of(Time time) const;
  /// "2000-01-31 06:00:00".
  std::string text_of(Time time) const { return text_of(date_of(time)); }
  static std::string text_of(const Date &date);

 private:
  enum class Kind { standard, gregorian, julian, noleap, all_leap, days_360 };
  /// Of the first day of a month; `month` may be 13.
  int64_t month_begins(int64_t year, int month) const;
  int64_t day_number(int64_t year, int month, int day) const;

  std::string name_;
  Kind kind_;
};

}  // namespace sv::streams
