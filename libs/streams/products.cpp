#include "products.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/by_machine.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

constexpr size_t lanes = 4;
using Four = double __attribute__((vector_size(lanes * sizeof(double))));
using Mask = int64_t __attribute__((vector_size(lanes * sizeof(double))));

#define SV_IN_PLACE inline __attribute__((always_inline))

SV_IN_PLACE double total_of(const double *parts) { return (parts[0] + parts[1]) + (parts[2] + parts[3]); }

template <class Value>
SV_IN_PLACE void take(const Value *from, size_t count, Value missing, Value *to) {
  for (size_t i = 0; i < count; ++i) to[i] = from[i] == missing ? std::numeric_limits<Value>::quiet_NaN() : from[i];
}

SV_BY_MACHINE void take_floats(const float *from, size_t count, float missing, float *to) {
  take(from, count, missing, to);
}
SV_BY_MACHINE void take_doubles(const double *from, size_t count, double missing, double *to) {
  take(from, count, missing, to);
}

template <class Value, class Source>
void take_apart(const FieldValues &from, size_t count, Source *to) {
  const Value *const values = static_cast<const Value *>(from.values) + from.first;
  const double missing = from.kind.has_missing ? from.kind.missing : std::numeric_limits<double>::quiet_NaN();
  if constexpr (std::is_same_v<Value, Source>)
    if (from.stride == 1) {
      // A number that no value of the type can be equal to has no match.
      const auto in_type = static_cast<Value>(missing);
      const Value match = static_cast<double>(in_type) == missing ? in_type : std::numeric_limits<Value>::quiet_NaN();
      if constexpr (std::is_same_v<Value, float>) return take_floats(values, count, match, to);
      if constexpr (std::is_same_v<Value, double>) return take_doubles(values, count, match, to);
    }
  for (size_t i = 0; i < count; ++i) {
    const auto value = values[i * from.stride];
    to[i] =
        static_cast<double>(value) == missing ? std::numeric_limits<Source>::quiet_NaN() : static_cast<Source>(value);
  }
}

template <class Source>
SV_IN_PLACE void multiply_cells(const Links &links, const Source *sources, const CellRange &cells, const Products &to) {
  const size_t *const begins = links.begins.data();
  const uint32_t *const columns = links.columns.data();
  const double *const weights = links.weights.data();
  double *result = to.results;
  for (size_t cell = cells.begin; cell < cells.end; ++cell, result += to.stride) {
    Four sums{}, of_valid{};
    size_t k = begins[cell];
    const size_t end = begins[cell + 1];
    for (; k + lanes <= end; k += lanes) {
      const uint32_t *const at = columns + k;
      const Four values{static_cast<double>(sources[at[0]]), static_cast<double>(sources[at[1]]),
                        static_cast<double>(sources[at[2]]), static_cast<double>(sources[at[3]])};
      Four weight;
      std::memcpy(&weight, weights + k, sizeof weight);
      const Mask valid = values == values;
      sums += (Four)((Mask)(weight * values) & valid);
      of_valid += (Four)((Mask)weight & valid);
    }
    for (size_t lane = 0; k < end; ++k, ++lane) {
      const auto value = static_cast<double>(sources[columns[k]]);
      const bool is_valid = value == value;
      sums[lane] += is_valid ? weights[k] * value : 0.0;
      of_valid[lane] += is_valid ? weights[k] : 0.0;
    }
    const double sum = total_of(&sums[0]), valid = total_of(&of_valid[0]), total = links.totals[cell];
    const bool is_whole = valid == total;
    if (!(valid > 0) || (!is_whole && to.needs_all))
      *result = std::numeric_limits<double>::quiet_NaN();
    else
      *result = is_whole || !to.is_mean ? sum : sum * (total / valid);
  }
}

SV_BY_MACHINE void multiply_floats(const Links &links, const float *sources, const CellRange &cells,
                                   const Products &to) {
  multiply_cells(links, sources, cells, to);
}
SV_BY_MACHINE void multiply_doubles(const Links &links, const double *sources, const CellRange &cells,
                                    const Products &to) {
  multiply_cells(links, sources, cells, to);
}

/// Calls `use` with a zero of the C++ type of sources.
template <class Use>
void with_source_type(int type, const Use &use) {
  type == SV_FLOAT ? use(float{}) : use(double{});
}

}  // namespace

void Links::end_cell() {
  double parts[lanes] = {};
  for (size_t k = begins.back(); k < weights.size(); ++k) parts[(k - begins.back()) % lanes] += weights[k];
  begins.push_back(weights.size());
  totals.push_back(total_of(parts));
}

void take_sources(const FieldValues &from, size_t count, void *to) {
  with_type(from.kind.type, [&](auto zero) {
    using Value = decltype(zero);
    using Source = std::conditional_t<std::is_same_v<Value, float>, float, double>;
    take_apart<Value>(from, count, static_cast<Source *>(to));
  });
}

void take_no_sources(int type, size_t count, void *to) {
  with_source_type(type, [&](auto zero) {
    std::fill_n(static_cast<decltype(zero) *>(to), count, std::numeric_limits<decltype(zero)>::quiet_NaN());
  });
}

void multiply(const Links &links, const SourceValues &sources, const CellRange &cells, const Products &to) {
  if (sources.type == SV_FLOAT)
    multiply_floats(links, static_cast<const float *>(sources.values), cells, to);
  else
    multiply_doubles(links, static_cast<const double *>(sources.values), cells, to);
}

}  // namespace sv::streams
