// Cells of an unstructured grid, as a rank of a model owns them: any, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/schema.hpp"

namespace sv_bench {

class PointValues {
 public:
  /// The values of all variables of `schema`, whose last dimension is that of the cells: one variable after the other,
  /// in memory [level][cell]. `cells`: this rank's; `changing`: the cells, the same on all ranks, whose values a step
  /// changes. Local.
  PointValues(const Schema &schema, std::vector<int64_t> cells, const std::vector<int64_t> &changing);

  /// Gives the changing cells their values of a step.
  void advance(size_t step);
  const std::vector<int64_t> &cells() const { return cells_; }
  int64_t all_cells() const { return all_cells_; }
  const std::byte *data(int variable) const { return memory_.data() + begins_[static_cast<size_t>(variable)]; }

 private:
  /// The cells at these places among this rank's.
  void fill(const std::vector<size_t> &places, int64_t record);
  template <typename T>
  void fill_variable(int variable, const std::vector<size_t> &places, int64_t record);

  const Schema schema_;
  const std::vector<int64_t> cells_;
  int64_t all_cells_;
  std::vector<size_t> changing_;  // places among cells_
  std::vector<int64_t> begins_;   // of each variable, bytes
  std::vector<std::byte> memory_;
};

}  // namespace sv_bench
