// The record dimension of a stream's files: "days since 1900-01-01 00:00:00".
#pragma once

#include <cmath>
#include <string>

#include "calendar.hpp"

namespace sv::streams {

class TimeAxis {
 public:
  /// Throws Failure(SV_ECONFIG), whose text begins with `place`.
  TimeAxis(const Calendar &calendar, const std::string &units, const std::string &place);

  const std::string &units() const { return units_; }
  Time reference() const { return reference_; }
  double value(Time time) const { return static_cast<double>(time - reference_) / unit_; }
  /// To the nearest second.
  Time time_of(double value) const { return reference_ + std::llround(value * unit_); }
  /// Of the time in the middle.
  double middle(Time begin, Time end) const {
    return static_cast<double>((begin - reference_) + (end - reference_)) / 2 / unit_;
  }

 private:
  std::string units_;
  double unit_ = 1;  // seconds
  Time reference_ = 0;
};

}  // namespace sv::streams
