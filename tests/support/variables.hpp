// Variables whose right values are known: how a rank makes its part, and the expected contents of the file.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "blocks.hpp"
#include "types.hpp"

namespace svtest {

enum class How { field, replicated, subarrays, never };

struct Spec {
  std::string name;
  int type = SV_DOUBLE, memory = SV_DOUBLE;
  Numbers shape;                  // without the record
  std::vector<std::string> dims;  // their names
  bool records = false;
  How how = How::field;
  const Grid *grid = nullptr;  // of a field
  size_t first_axis = 0;       // where the grid stands in shape
  bool say_axes = false;       // whether sv_def_var_decomp_dim is needed
  bool padded = false;         // the rows of memory have gaps: strides are passed
  double fill = -9;
};

constexpr double poison = 55;  // in halos and gaps: it must turn up nowhere

/// The right value: small enough for every type; a fraction where both types have one.
inline double truth(const Spec &spec, int64_t record, int64_t element) {
  uint64_t hash = static_cast<uint64_t>(element) * 0x9E3779B97F4A7C15ull +
                  static_cast<uint64_t>(record + 2) * 0xBF58476D1CE4E5B9ull;
  for (const char c : spec.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  hash ^= hash >> 29;
  hash *= 0x94D049BB133111EBull;
  hash ^= hash >> 32;
  const auto whole = static_cast<double>(hash % 50);
  return is_real(spec.type) && is_real(spec.memory) ? whole + static_cast<double>(hash / 64 % 1000) / 1000 : whole;
}

/// Which elements of a slab are written.
inline std::vector<bool> written(const Spec &spec) {
  std::vector<bool> mask(static_cast<size_t>(product(spec.shape)), spec.how != How::never);
  if (spec.how == How::never || spec.grid == nullptr || !spec.grid->holes) return mask;
  const std::vector<bool> owned = spec.grid->owned();
  size_t element = 0;
  Numbers cell(spec.grid->shape.size());
  for_each_index(spec.shape, [&](const Numbers &at) {
    for (size_t d = 0; d < cell.size(); ++d) cell[d] = at[spec.first_axis + d];
    mask[element++] = owned[static_cast<size_t>(linear(spec.grid->shape, cell))];
  });
  return mask;
}

/// The right values of a whole slab as the file holds them, without holes. The last ones are kept, since a test reads
/// the same slab in many ways.
inline const std::vector<double> &right_values(const Spec &spec, int64_t record) {
  constexpr size_t most = 256;
  using Slab = std::tuple<std::string, int, int, int64_t, int64_t>;
  static std::map<Slab, std::vector<double>> kept;
  const int64_t elements = product(spec.shape);
  const Slab slab{spec.name, spec.type, spec.memory, elements, record};
  if (kept.size() >= most && kept.count(slab) == 0) kept.clear();
  std::vector<double> &values = kept[slab];
  for (int64_t i = std::ssize(values); i < elements; ++i)
    values.push_back(through(spec.type, through(spec.memory, truth(spec, record, i))));
  return values;
}

/// What the file must hold.
inline std::vector<double> expected(const Spec &spec, int64_t record) {
  const double fill = through(spec.type, spec.fill);
  const std::vector<bool> mask = written(spec);
  std::vector<double> values = right_values(spec, record);
  for (size_t i = 0; i < mask.size(); ++i)
    if (!mask[i]) values[i] = fill;
  return values;
}

/// A rank's array in memory.
struct Array {
  std::vector<char> bytes;
  Numbers stride;  // empty for contiguous ones
  const int64_t *strides() const { return stride.empty() ? nullptr : stride.data(); }
  int64_t offset(const Numbers &at) const {
    int64_t sum = 0;
    for (size_t d = 0; d < at.size(); ++d) sum += at[d] * step[d];
    return sum;
  }
  Numbers step;
};

inline Array array_of(const Spec &spec, const Numbers &extent) {
  Array array;
  array.step.assign(extent.size(), 0);
  int64_t bytes = bytes_of(spec.memory);
  for (size_t d = extent.size(); d > 0; --d) {
    array.step[d - 1] = bytes;
    bytes *= extent[d - 1];
    if (spec.padded) bytes += 2 * bytes_of(spec.memory);
  }
  if (spec.padded) array.stride = array.step;
  array.bytes.resize(static_cast<size_t>(bytes));
  char value[8];
  store(spec.memory, value, poison);
  const auto size = static_cast<size_t>(bytes_of(spec.memory));
  for (size_t at = 0; at + size <= array.bytes.size(); at += size) std::copy_n(value, size, array.bytes.data() + at);
  return array;
}

/// Calls visit(where in the array, where in the slab) for each of this rank's own elements; the array has `extent`.
template <class Visit>
void for_own_elements(const Spec &spec, int rank, Visit visit) {
  const Grid &grid = *spec.grid;
  const Block &mine = grid.blocks[static_cast<size_t>(rank)];
  Numbers count = spec.shape;
  for (size_t d = 0; d < grid.shape.size(); ++d) count[spec.first_axis + d] = mine.count[d];
  Numbers local, global;
  for_each_index(count, [&](const Numbers &at) {
    local = global = at;
    for (size_t d = 0; d < grid.shape.size(); ++d) {
      const size_t axis = spec.first_axis + d;
      if (!grid.halo.empty()) local[axis] += grid.halo[2 * d];
      global[axis] = grid.wrapped(d, mine.start[d] + at[axis]);
    }
    visit(local, global);
  });
}

inline Numbers local_extent(const Spec &spec, int rank) {
  const Grid &grid = *spec.grid;
  Numbers extent = spec.shape;
  for (size_t d = 0; d < grid.shape.size(); ++d) {
    extent[spec.first_axis + d] = grid.blocks[static_cast<size_t>(rank)].count[d];
    if (!grid.halo.empty()) extent[spec.first_axis + d] += grid.halo[2 * d] + grid.halo[2 * d + 1];
  }
  return extent;
}

/// This rank's block with halo.
inline Array block_array(const Spec &spec, int rank, int64_t record) {
  Array array = array_of(spec, local_extent(spec, rank));
  for_own_elements(spec, rank, [&](const Numbers &local, const Numbers &global) {
    store(spec.memory, array.bytes.data() + array.offset(local), truth(spec, record, linear(spec.shape, global)));
  });
  return array;
}

/// The whole slab, with the fill value in holes.
inline Array whole_array(const Spec &spec, int64_t record) {
  Array array = array_of(spec, spec.shape);
  const std::vector<bool> mask = written(spec);
  for_each_index(spec.shape, [&](const Numbers &at) {
    const int64_t element = linear(spec.shape, at);
    store(spec.memory, array.bytes.data() + array.offset(at),
          mask[static_cast<size_t>(element)] ? truth(spec, record, element) : spec.fill);
  });
  return array;
}

}  // namespace svtest
