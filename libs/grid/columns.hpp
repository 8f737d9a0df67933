// The variables of the file: their definitions, and where their values come from.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ugrid_file.hpp"

namespace sv::grid {

enum class On { cells, edges, nodes };  // dimensions (cell), (cell, four), (node)

struct Column {
  std::string name;
  int type;  // of sverdrup.h, in the file and in memory
  On on;
  std::vector<std::pair<const char *, std::string>> texts;
  std::vector<std::pair<const char *, int64_t>> numbers;
  /// On rank 0: the values of `n` rows from `first`.
  std::function<void(int64_t first, int64_t n, void *values)> values;
  std::optional<int32_t> fill = std::nullopt;
  double imbalance = 0;  // 0: no such attribute
};

/// They refer to `contents`, which is borrowed.
std::vector<Column> all_columns(const Contents &contents);

}  // namespace sv::grid
