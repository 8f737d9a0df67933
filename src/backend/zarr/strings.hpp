// The strings of a Zarr group, between memory and its objects. They are small, and one rank writes them: each chunk
// that changes is read, and its object replaced at once. The store (zarr_store.cpp) has one. Local.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/zarr/values.hpp"

namespace sv::zarr {

class Strings {
 public:
  /// Both must outlive it. `values` has the arrays, and the group open.
  Strings(const Schema &schema, Values &values) : schema_(schema), values_(values) {}

  /// In the order of the cells, of all the variable's dimensions.
  void write(int variable, const Box &cells, std::span<const std::string> strings);
  std::vector<std::string> read(int variable, const Box &cells);

 private:
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  const Array &array(int v) const { return values_.arrays()[static_cast<size_t>(v)]; }
  std::string name_of(const ChunkKey &key) const;
  std::vector<std::string> of_chunk(const ChunkKey &key);

  const Schema &schema_;
  Values &values_;
  Libraries libraries_{"auto"};
};

}  // namespace sv::zarr
