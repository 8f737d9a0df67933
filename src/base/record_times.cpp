#include "base/record_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "base/error.hpp"

namespace sv {

namespace {

std::string in_words(const std::vector<double> &times, size_t record, int first_record) {
  char text[96];
  std::snprintf(text, sizeof text, "record %zu (from %d) at %.15g", record + static_cast<size_t>(first_record),
                first_record, times[record]);
  return text;
}

/// The distance of a record to its nearest neighbour, or its replacement.
double spacing_at(const std::vector<double> &times, size_t record) {
  if (times.size() == 1) return std::abs(times[0]) * 1e-4;
  double spacing = HUGE_VAL;
  if (record > 0) spacing = times[record] - times[record - 1];
  if (record + 1 < times.size()) spacing = std::min(spacing, times[record + 1] - times[record]);
  return spacing;
}

}  // namespace

void check_increasing(const std::vector<double> &times, int first_record) {
  for (size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(times[i]) || (i > 0 && !(times[i - 1] < times[i])))
      throw Error(Status::format, "the times of its records do not increase: " + in_words(times, i, first_record),
                  "Move the file away, or repair it");
}

int64_t record_of(const std::vector<double> &times, double time, int first_record) {
  const auto later = std::lower_bound(times.begin(), times.end(), time);
  const auto at = static_cast<size_t>(later - times.begin());
  for (const size_t near : {at, at - 1})  // at - 1 of 0 is beyond all
    if (near < times.size() && std::abs(times[near] - time) <= 1e-6 * spacing_at(times, near))
      return static_cast<int64_t>(near);
  if (at == times.size()) return static_cast<int64_t>(at);
  char text[64];
  std::snprintf(text, sizeof text, "the time %.15g ", time);
  throw Error(Status::invalid,
              text + (at == 0 ? "comes before " + in_words(times, 0, first_record)
                              : "lies between " + in_words(times, at - 1, first_record) + " and " +
                                    in_words(times, at, first_record)),
              "Restart at a time from which the records of the file are met again, or move the file away");
}

}  // namespace sv
