#include "base/date.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

#include "base/error.hpp"

namespace sv {

namespace {

bool is_leap(Calendar calendar, int year) {
  if (calendar == Calendar::noleap) return false;
  if (calendar == Calendar::all_leap) return true;
  // The standard calendar is the Julian one before its reform in 1582.
  const bool julian = calendar == Calendar::julian || (calendar == Calendar::standard && year <= 1582);
  return year % 4 == 0 && (julian || year % 100 != 0 || year % 400 == 0);
}

std::string padded(int number, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*d", digits, number);
  return text;
}

std::string day_of_year(Calendar calendar, const Date &date) {
  if (calendar == Calendar::unknown)
    throw Error(Status::invalid, "the day of the year (%j) in a calendar that is not known",
                "Give the time variable a 'calendar' of the CF conventions, or use %m and %d");
  int day = date.day;
  for (int month = 1; month < date.month; ++month) day += days_of_month(calendar, date.year, month);
  return padded(day, 3);
}

std::string field_of(char field, Calendar calendar, const Date &date) {
  switch (field) {
    case 'Y':
      return padded(date.year, 4);
    case 'm':
      return padded(date.month, 2);
    case 'd':
      return padded(date.day, 2);
    case 'H':
      return padded(date.hour, 2);
    case 'M':
      return padded(date.minute, 2);
    case 'S':
      return padded(date.second, 2);
    case 'j':
      return day_of_year(calendar, date);
    case 'v':  // of a variable: it has a file of its own
      return "%v";
    default:
      return "%";
  }
}

}  // namespace

Calendar calendar_named(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  static const std::pair<const char *, Calendar> known[] = {{"standard", Calendar::standard},
                                                            {"gregorian", Calendar::standard},
                                                            {"julian", Calendar::julian},
                                                            {"noleap", Calendar::noleap},
                                                            {"365_day", Calendar::noleap},
                                                            {"all_leap", Calendar::all_leap},
                                                            {"366_day", Calendar::all_leap},
                                                            {"360_day", Calendar::days_360},
                                                            {"proleptic_gregorian", Calendar::proleptic_gregorian}};
  for (const auto &[text, calendar] : known)
    if (name == text) return calendar;
  return Calendar::unknown;
}

int days_of_month(Calendar calendar, int year, int month) {
  static constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (calendar == Calendar::unknown) return 31;
  if (calendar == Calendar::days_360) return 30;
  return days[month - 1] + (month == 2 && is_leap(calendar, year) ? 1 : 0);
}

void check_date(Calendar calendar, const Date &date) {
  const bool month = date.month >= 1 && date.month <= 12;
  const auto within = [](int value, int most) { return value >= 0 && value <= most; };
  if (!month || date.day < 1 || date.day > days_of_month(calendar, date.year, date.month) || !within(date.hour, 23) ||
      !within(date.minute, 59) || !within(date.second, 59))
    throw Error(Status::invalid, "there is no date " + text_of(date) + " in the calendar of the time variable",
                "Give year, month, day, hour, minute, second; 24:00 is 00:00 of the next day");
}

std::string text_of(const Date &date) {
  return padded(date.year, 4) + '-' + padded(date.month, 2) + '-' + padded(date.day, 2) + ' ' + padded(date.hour, 2) +
         ':' + padded(date.minute, 2) + ':' + padded(date.second, 2);
}

void check_template(const std::string &name) {
  bool dated = false;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '%') continue;
    const std::string field = name.substr(i++, 2);
    if (field.size() < 2 || std::string("YmdHMSjv%").find(field[1]) == std::string::npos)
      throw Error(Status::invalid, "'" + field + "' is no date field",
                  "Use %Y %m %d %H %M %S or %j, %v for a variable, and %% for a percent sign");
    dated = dated || (field[1] != '%' && field[1] != 'v');
  }
  if (!dated)
    throw Error(Status::invalid, "the name of a series has no date field", "Give it one, as in 'ocean_%Y-%m.nc'");
}

std::string expand(const std::string &name, Calendar calendar, const Date &date) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i)
    text += name[i] == '%' && i + 1 < name.size() ? field_of(name[++i], calendar, date) : std::string(1, name[i]);
  return text;
}

}  // namespace sv
