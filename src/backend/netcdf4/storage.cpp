#include "backend/netcdf4/storage.hpp"

#include <algorithm>

namespace sv::netcdf4 {

std::vector<int64_t> told(const std::vector<Storage> &all) {
  std::vector<int64_t> numbers;
  for (const Storage &each : all) {
    numbers.insert(numbers.end(),
                   {static_cast<int64_t>(each.kind), each.place, each.chunk.n, std::ssize(each.filters)});
    numbers.insert(numbers.end(), each.chunk.v.begin(), each.chunk.v.begin() + each.chunk.n);
    for (const Filter &filter : each.filters)
      numbers.insert(numbers.end(), {static_cast<int64_t>(filter.kind), int64_t{filter.level}});
  }
  return numbers;
}

std::vector<Storage> heard(std::span<const int64_t> numbers) {
  std::vector<Storage> all;
  for (size_t at = 0; at < numbers.size();) {
    const auto next = [&] { return numbers[at++]; };
    Storage each;
    each.kind = static_cast<Storage::Kind>(next());
    each.place = next();
    const int64_t dims = next(), filters = next();
    for (int64_t d = 0; d < dims; ++d) each.chunk.push(next());
    for (int64_t f = 0; f < filters; ++f) {
      Filter filter{static_cast<FilterKind>(next())};
      filter.level = static_cast<int>(next());
      each.filters.push_back(filter);
    }
    all.push_back(std::move(each));
  }
  return all;
}

Box box_of(const SubArray &part) {
  Box box;
  for (const size_t start : part.start) box.start.push(static_cast<int64_t>(start));
  for (const size_t count : part.count) box.count.push(static_cast<int64_t>(count));
  box.count.n = box.start.n;
  return box;
}

void for_chunks(const Box &wanted, const Index &length, const Index &chunk,
                const std::function<void(const MetChunk &)> &visit) {
  if (wanted.empty()) return;
  Box grid;  // chunks by their numbers
  for (int d = 0; d < length.n; ++d) {
    grid.start.push(wanted.start[d] / chunk[d]);
    grid.count.push((wanted.start[d] + wanted.count[d] - 1) / chunk[d] - grid.start[d] + 1);
  }
  for (int64_t number = 0, all = grid.elements(); number < all; ++number) {
    MetChunk met{{cell_at(grid, number), chunk}, {}, {}};
    for (int d = 0; d < length.n; ++d) met.stored.start[d] *= chunk[d];
    met.whole = met.stored;
    for (int d = 0; d < length.n; ++d) met.whole.count[d] = std::min(chunk[d], length[d] - met.whole.start[d]);
    met.part = intersect(met.whole, wanted);
    visit(met);
  }
}

}  // namespace sv::netcdf4
