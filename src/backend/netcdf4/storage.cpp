#include "backend/netcdf4/storage.hpp"

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

}  // namespace sv::netcdf4
