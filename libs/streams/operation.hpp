// The operations over time: their names in the configuration and in CF.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sv::streams {

enum class Operation { instant, mean, minimum, maximum, sum, range, rms, variance, first, last, count };

struct OperationFacts {
  Operation operation;
  const char *name;         // in the configuration
  const char *cell_method;  // after "time: "
  bool is_real;             // the result of integers is no integer
};

const std::vector<OperationFacts> &operations();
const OperationFacts &facts_of(Operation operation);
std::optional<Operation> operation_named(const std::string &name);
/// Units of the result; empty where the values have none. UDUNITS reads them.
std::string units_of(Operation operation, const std::string &units);

}  // namespace sv::streams
