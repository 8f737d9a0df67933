#include "time_axis.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>

#include "failure.hpp"

namespace sv::streams {

namespace {

/// Seconds; nothing for another word. The words of UDUNITS.
std::optional<double> seconds_of(const std::string &unit) {
  static const std::pair<const char *, double> known[] = {
      {"days", 86400}, {"day", 86400}, {"d", 86400}, {"hours", 3600}, {"hour", 3600}, {"hr", 3600}, {"h", 3600},
      {"minutes", 60}, {"minute", 60}, {"min", 60},  {"seconds", 1},  {"second", 1},  {"sec", 1},   {"s", 1}};
  for (const auto &[name, seconds] : known)
    if (unit == name) return seconds;
  return std::nullopt;
}

/// Of "2000-01-31", "2000-01-31 06:00:00", "2000-01-31T06:00:00Z" and "2000-1-31 6:0:0.0 UTC".
std::optional<Date> date_in(const char *text) {
  static constexpr std::array zones = {"", "Z", "UTC", "GMT", "0:00", "00:00", "+0:00", "+00:00"};
  Date date{0, 0, 0, 0, 0, 0};
  double seconds = 0;
  int read = 0;
  const auto go_on = [&text, &read] {
    text += read;
    text += std::strspn(text, " ");
    read = 0;
  };
  if (std::sscanf(text, "%d-%d-%d%n", &date.year, &date.month, &date.day, &read) < 3) return std::nullopt;
  go_on();
  if (*text == 'T') ++text;
  if (std::sscanf(text, "%d:%d%n", &date.hour, &date.minute, &read) == 2) go_on();
  if (std::sscanf(text, ":%lf%n", &seconds, &read) == 1) go_on();
  date.second = static_cast<int>(seconds);
  const bool ends =
      std::any_of(zones.begin(), zones.end(), [text](const char *zone) { return std::strcmp(text, zone) == 0; });
  return ends && date.second == seconds ? std::optional(date) : std::nullopt;
}

}  // namespace

TimeAxis::TimeAxis(const Calendar &calendar, const std::string &units, const std::string &place) : units_(units) {
  char unit[16] = "";
  int read = 0;
  std::sscanf(units.c_str(), "%15[a-z] since %n", unit, &read);
  const std::optional<double> seconds = seconds_of(unit);
  const std::optional<Date> date = date_in(units.c_str() + read);
  if (!seconds || read == 0 || !date)
    throw Failure(SV_ECONFIG, place + ": bad time_units '" + units + "'",
                  "Give, for example, 'days since 1900-01-01 00:00:00'; the "
                  "units are days, hours, minutes and seconds");
  unit_ = *seconds;
  try {
    reference_ = calendar.time_of(*date);
  } catch (const Failure &failure) {
    throw Failure(SV_ECONFIG, place + ": time_units '" + units + "': " + failure.what(), failure.remedy);
  }
}

}  // namespace sv::streams
