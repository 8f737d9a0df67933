#include "copies.hpp"

#include <utility>

#include "real.hpp"

namespace sv::netcdf4 {

/// Row by row.
void copy_variable(const Shape &shape, int from, int to, bool puts, const void *caller) {
  const int source = group_in(from, shape.group_path, caller), target = to + shape.group, variable = shape.number;
  int variables = 0;
  if (source >= 0) expect(real::inq(caller)(source, nullptr, &variables, nullptr, nullptr));
  if (variable >= variables) return;
  const size_t dims = shape.dims.size();
  std::vector<int> numbers(dims + 1);
  std::vector<size_t> start(dims + 1, 0), count(dims + 1, 1);
  const std::vector<size_t> none(dims + 1, 0);
  size_t values = 1;
  expect(real::inq_vardimid(caller)(source, variable, numbers.data()));
  for (size_t d = 0; d < dims; ++d) {
    expect(real::inq_dim(caller)(source, numbers[d], nullptr, &count[d]));
    if (d > 0) values *= count[d];
  }
  const size_t rows = dims == 0 ? 1 : std::exchange(count[0], 1);
  std::vector<uint64_t> row(values + 1);
  for (start[0] = 0; start[0] < rows && values > 0; ++start[0]) {
    if (puts) expect(real::get_vara(caller)(source, variable, start.data(), count.data(), row.data()));
    expect(real::put_vara(caller)(target, variable, start.data(), puts ? count.data() : none.data(), row.data()));
    if (puts && shape.type == NC_STRING)
      expect(real::free_string(caller)(values, reinterpret_cast<char **>(row.data())));
  }
}

}  // namespace sv::netcdf4
