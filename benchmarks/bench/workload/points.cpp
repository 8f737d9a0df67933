#include "workload/points.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <numeric>

#include "workload/workload.hpp"

namespace sv_bench {

PointValues::PointValues(const Schema &schema, std::vector<int64_t> cells, const std::vector<int64_t> &changing)
    : schema_(schema), cells_(std::move(cells)), all_cells_(schema.dims.back().length) {
  int64_t bytes = 0;
  for (const Variable &variable : schema_.variables) {
    begins_.push_back(bytes);
    const int64_t levels = schema_.slab_elements(variable) / all_cells_;
    bytes += (levels * static_cast<int64_t>(cells_.size()) * variable.type.bytes + 7) / 8 * 8;
  }
  memory_.resize(static_cast<size_t>(bytes));
  std::vector<size_t> all(cells_.size());
  std::iota(all.begin(), all.end(), size_t{0});
  fill(all, 0);
  for (const size_t place : all) {
    if (std::binary_search(changing.begin(), changing.end(), cells_[place])) changing_.push_back(place);
  }
}

void PointValues::advance(size_t step) { fill(changing_, static_cast<int64_t>(step)); }

void PointValues::fill(const std::vector<size_t> &places, int64_t record) {
  for (size_t v = 0; v < schema_.variables.size(); ++v) {
    const int variable = static_cast<int>(v), type = schema_.variables[v].type.number;
    if (type == SV_DOUBLE) fill_variable<double>(variable, places, record);
    if (type == SV_FLOAT) fill_variable<float>(variable, places, record);
    if (type == SV_INT) fill_variable<int32_t>(variable, places, record);
  }
}

template <typename T>
void PointValues::fill_variable(int variable, const std::vector<size_t> &places, int64_t record) {
  const auto v = static_cast<size_t>(variable);
  T *row = reinterpret_cast<T *>(memory_.data() + begins_[v]);
  const int64_t levels = schema_.slab_elements(schema_.variables[v]) / all_cells_;
  int64_t first = first_number(schema_, variable, record);
  for (int64_t level = 0; level < levels; ++level, row += cells_.size(), first += all_cells_) {
    for (const size_t place : places) row[place] = static_cast<T>(value_of(first + cells_[place]));
  }
}

}  // namespace sv_bench
