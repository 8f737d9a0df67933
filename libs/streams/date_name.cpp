#include "date_name.hpp"

#include <cstdio>

namespace sv::streams {

std::string name_at(const std::string &path, const Calendar &calendar, Time time) {
  const Date date = calendar.date_of(time);
  const int64_t day = 1 + (time - calendar.time_of({date.year, 1, 1, 0, 0, 0})) / seconds_a_day;
  std::string made;
  const auto add = [&](int digits, int64_t number) {
    char text[32];
    std::snprintf(text, sizeof text, "%0*lld", digits, static_cast<long long>(number));
    made += text;
  };
  for (size_t i = 0; i < path.size(); ++i) {
    const char field = path[i] == '%' && i + 1 < path.size() ? path[++i] : '\0';
    switch (field) {
      case '\0':
        made += path[i];
        break;
      case 'Y':
        add(4, date.year);
        break;
      case 'm':
        add(2, date.month);
        break;
      case 'd':
        add(2, date.day);
        break;
      case 'H':
        add(2, date.hour);
        break;
      case 'M':
        add(2, date.minute);
        break;
      case 'S':
        add(2, date.second);
        break;
      case 'j':
        add(3, day);
        break;
      case 'v':
        made += "%v";
        break;
      default:
        made += field;
        break;
    }
  }
  return made;
}

std::string name_at(const std::string &path, const Calendar &calendar, Time first, Time last) {
  std::string made;
  for (size_t at = 0; at < path.size();) {
    const size_t open = path.find('{', at), close = path.find('}', open);
    if (close == std::string::npos) return made + name_at(path.substr(at), calendar, first);
    made += name_at(path.substr(at, open - at), calendar, first) +
            name_at(path.substr(open + 1, close - open - 1), calendar, last);
    at = close + 1;
  }
  return made;
}

}  // namespace sv::streams
