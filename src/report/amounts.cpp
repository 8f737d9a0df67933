#include "report/amounts.hpp"

#include <cstdio>
#include <iterator>

namespace sv {

std::string amount_of(int64_t bytes) {
  const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < std::size(units); ++unit) value /= 1000;
  if (unit == 0) return std::to_string(bytes) + " B";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", value, units[unit]);
  return text;
}

std::string counted(int64_t n, const std::string &noun) { return std::to_string(n) + " " + noun + (n == 1 ? "" : "s"); }

}  // namespace sv
