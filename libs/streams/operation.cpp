#include "operation.hpp"

namespace sv::streams {

const std::vector<OperationFacts> &operations() {
  using O = Operation;
  static const std::vector<OperationFacts> all = {
      {O::instant, "instant", "point", false},
      {O::mean, "mean", "mean", true},
      {O::minimum, "min", "minimum", false},
      {O::maximum, "max", "maximum", false},
      {O::sum, "sum", "sum", false},
      {O::range, "range", "range", false},
      {O::rms, "rms", "root_mean_square", true},
      {O::variance, "variance", "variance", true},
      {O::first, "first", "point (comment: first value of the interval)", false},
      {O::last, "last", "point (comment: last value of the interval)", false},
      {O::count, "count", "sum (comment: number of valid values in the interval)", false}};
  return all;
}

const OperationFacts &facts_of(Operation operation) { return operations()[static_cast<size_t>(operation)]; }

std::optional<Operation> operation_named(const std::string &name) {
  for (const OperationFacts &each : operations())
    if (name == each.name) return each.operation;
  return std::nullopt;
}

std::string units_of(Operation operation, const std::string &units) {
  if (operation == Operation::count) return "1";
  if (operation != Operation::variance || units.empty() || units == "1") return units;
  return "(" + units + ")2";
}

}  // namespace sv::streams
