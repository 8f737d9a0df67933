// What computes between the steps of output.
#pragma once

#include <cstddef>
#include <functional>

namespace sv_bench {

/// In seconds; what communicating took is part of it, what reading took is not.
struct Computed {
  double seconds = 0, communication = 0, read = 0;
};

class Model {
 public:
  virtual ~Model() = default;
  /// Makes the values of a step. `communicates` is told true before ranks exchange values, and false after it.
  /// Collective.
  virtual Computed compute(size_t step, const std::function<void(bool)> &communicates) = 0;
};

}  // namespace sv_bench
