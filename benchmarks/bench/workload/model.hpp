// The model that computes between the steps of output.
#pragma once

#include <cstddef>
#include <functional>

namespace sv_bench {

/// In seconds, with communication and without reading.
struct Computed {
  double seconds = 0, communication = 0, read = 0;
};

class Model {
 public:
  virtual ~Model() = default;
  /// Makes the values of a step. Calls `communicates` with true before ranks exchange values, and with false after it.
  /// Collective.
  virtual Computed compute(size_t step, const std::function<void(bool)> &communicates) = 0;
};

}  // namespace sv_bench
