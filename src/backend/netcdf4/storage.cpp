#include "backend/netcdf4/storage.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv::netcdf4 {

std::vector<int64_t> encode(const std::vector<Storage> &all) {
  std::vector<int64_t> numbers;
  for (const Storage &each : all) {
    numbers.insert(numbers.end(), {static_cast<int64_t>(each.kind), each.place, each.chunk.n, std::ssize(each.filters),
                                   each.is_swapped ? 1 : 0});
    numbers.insert(numbers.end(), each.chunk.begin(), each.chunk.end());
    for (const Filter &filter : each.filters) {
      numbers.insert(numbers.end(),
                     {static_cast<int64_t>(filter.kind), int64_t{filter.level}, std::ssize(filter.parameters)});
      numbers.insert(numbers.end(), filter.parameters.begin(), filter.parameters.end());
    }
  }
  return numbers;
}

std::vector<Storage> decode(std::span<const int64_t> numbers) {
  std::vector<Storage> all;
  for (size_t at = 0; at < numbers.size();) {
    const auto next = [&] { return numbers[at++]; };
    Storage each;
    each.kind = static_cast<Storage::Kind>(next());
    each.place = next();
    const int64_t dims = next(), filters = next();
    each.is_swapped = next() != 0;
    for (int64_t d = 0; d < dims; ++d) each.chunk.push(next());
    each.filters.reserve(static_cast<size_t>(filters));
    for (int64_t f = 0; f < filters; ++f) {
      Filter filter{static_cast<FilterKind>(next())};
      filter.level = static_cast<int>(next());
      for (int64_t left = next(); left > 0; --left) filter.parameters.push_back(static_cast<unsigned>(next()));
      each.filters.push_back(std::move(filter));
    }
    all.push_back(std::move(each));
  }
  return all;
}

int64_t index_bytes(const Schema &schema, const std::vector<Storage> &storages, int64_t expected_records) {
  constexpr int64_t most_bytes = int64_t{4} << 20, others = 16 << 10;
  if (expected_records == 0) return 0;
  int64_t bytes = others;
  for (size_t v = 0; v < storages.size(); ++v) {
    if (!storages[v].has_chunks()) continue;
    const Index slab = schema.slab_shape(schema.variables[v]);
    const int dims = storages[v].chunk.n, skipped = dims - slab.n;
    int64_t chunks =
        schema.variables[v].has_records ? std::max<int64_t>(1, expected_records / storages[v].chunk[0]) : 1;
    for (int d = 0; d < slab.n; ++d) chunks *= divide_up(slab[d], storages[v].chunk[d + skipped]);
    const int64_t node = 24 + 65 * (8 + 8 * (dims + 1)) + 64 * 8;
    bytes += (chunks / 40 + 1) * node;
    if (bytes > most_bytes) return most_bytes;
  }
  return bytes;
}

}  // namespace sv::netcdf4
