// How often a stream writes: the ends of its periods.
#pragma once

#include "calendar.hpp"

namespace sv::streams {

/// "6 hours": `count` of a unit. Months and years are `months`; shorter units
/// except steps are `seconds`.
struct Frequency {
  enum class Unit { steps, seconds, months };
  Unit unit = Unit::seconds;
  int64_t count = 0;
};

/// Of "6 hours", "day", "3 months", "20 steps". Throws std::invalid_argument
/// for another text.
Frequency frequency_of(const std::string &text);
/// "6 hours", in the longest unit of which it is a whole number.
std::string text_of(const Frequency &frequency);

/// The periods of a frequency, one after the other. Months are counted from
/// January of the year 0, so that 3 months are the quarters of a year; shorter
/// units from `origin`.
class Periods {
 public:
  /// `step`: seconds of a step, for a frequency in steps.
  Periods(const Frequency &frequency, const Calendar &calendar, Time origin, int64_t step)
      : calendar_(&calendar), frequency_(frequency), origin_(origin) {
    if (frequency.unit == Frequency::Unit::steps) frequency_.count *= step;
  }
  /// The first end of a period after `time`.
  Time end_after(Time time) const;
  bool ends_at(Time time) const { return end_after(time - 1) == time; }

 private:
  const Calendar *calendar_;
  Frequency frequency_;
  Time origin_;
};

}  // namespace sv::streams
