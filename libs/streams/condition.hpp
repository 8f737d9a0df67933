// Where the values of a field count: only where another field (or the field itself) compares as a limit asks, as in the
// mean of the temperature where ice covers more than 15 %. Local.
#pragma once

#include <optional>

#include "field.hpp"

namespace sv::streams {

/// Of "ice > 0.15".
struct ConditionRequest {
  std::string field, comparison;  // > >= < <= == !=
  double limit;

  std::string text;
};
/// Empty for another text.
std::optional<ConditionRequest> condition_in(const std::string &text);

class Condition {
 public:
  /// `field`: whose values are selected. Throws Failure(SV_ECONFIG), without a place, unless the condition's field is
  /// on the same grid, with the same axes or with those of the grid alone.
  Condition(const ConditionRequest &request, const Field &field, const std::vector<Field> &fields);

  const Field &on() const { return *on_; }
  /// Takes the values of on() at the end of a step, unless it has no time.
  void look(Time end, const void *values);
  /// The values of the field in double precision, NaN where the condition does not hold or the value is missing; valid
  /// until the next call. Throws Failure(SV_EORDER) unless on() was sent before at this time.
  const double *apply(Time end, const void *values, const Calendar &calendar);

 private:
  const Field *field_, *on_;
  ConditionRequest request_;
  std::vector<char> holds_;  // by value of on()
  std::optional<Time> looked_;
  size_t repeats_ = 1;  // of the grid's values for axes that follow it
  std::vector<double> selected_;
};

}  // namespace sv::streams
