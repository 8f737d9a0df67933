#include "time_axis.hpp"

#include <cstdio>

#include "failure.hpp"

namespace sv::streams {

TimeAxis::TimeAxis(const Calendar &calendar, const std::string &units, const std::string &place) : units_(units) {
  static const std::pair<const char *, double> known[] = {
      {"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
  char unit[16] = "";
  Date date{0, 0, 0, 0, 0, 0};
  const int read = std::sscanf(units.c_str(), "%15[a-z] since %d-%d-%d %d:%d:%d", unit, &date.year, &date.month,
                               &date.day, &date.hour, &date.minute, &date.second);
  for (const auto &[name, seconds] : known) {
    if (read < 4 || std::string(name) != unit) continue;
    unit_ = seconds;
    try {
      reference_ = calendar.time_of(date);
    } catch (const Failure &failure) {
      throw Failure(SV_ECONFIG, place + ": time_units '" + units + "': " + failure.what(), failure.remedy);
    }
    return;
  }
  throw Failure(SV_ECONFIG, place + ": bad time_units '" + units + "'",
                "Give, for example, 'days since 1900-01-01 00:00:00'; the "
                "units are days, hours, minutes and seconds");
}

}  // namespace sv::streams
