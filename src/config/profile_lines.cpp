#include "config/profile_lines.hpp"

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "config/values.hpp"

namespace sv {

std::map<std::string, std::string> profile_lines(const std::string &text, const std::string &path) {
  std::map<std::string, std::string> values;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const size_t colon = line.find(':');
    const std::string where = "line " + std::to_string(number) + ": '" + line + "' ";
    if (colon == std::string::npos)
      throw Error(Status::config, where + "is no 'key: number'", "Write, for example, cores_per_node: 48")
          .in_file(path);
    if (!values.emplace(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1))).second)
      throw Error(Status::config, where + "is there twice", "Leave one of them").in_file(path);
  }
  return values;
}

double profile_number(const std::string &key, const std::string &value, double least, const std::string &path) {
  char *end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !std::isfinite(number) || number < least)
    throw Error(Status::config, key + ": '" + value + "' is out of range",
                "Give a number, without a unit, of at least " + std::to_string(least))
        .in_file(path);
  return number;
}

}  // namespace sv
