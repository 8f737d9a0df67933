#include "copies.hpp"

#include <utility>

#include "real.hpp"

namespace sv::netcdf4 {

/// Row by row.
void copy_variable(int variable, const Shape &shape, int from, int to, bool puts, const void *caller) {
  const size_t dims = shape.dims.size();
  std::vector<size_t> start(dims + 1, 0), count(dims + 1, 1);
  const std::vector<size_t> none(dims + 1, 0);
  size_t values = 1;
  for (size_t d = 0; d < dims; ++d) {
    expect(real::inq_dim(caller)(from, shape.dims[d], nullptr, &count[d]));
    if (d > 0) values *= count[d];
  }
  const size_t rows = dims == 0 ? 1 : std::exchange(count[0], 1);
  std::vector<uint64_t> row(values + 1);
  for (start[0] = 0; start[0] < rows && values > 0; ++start[0]) {
    if (puts) expect(real::get_vara(caller)(from, variable, start.data(), count.data(), row.data()));
    expect(real::put_vara(caller)(to, variable, start.data(), puts ? count.data() : none.data(), row.data()));
  }
}

}  // namespace sv::netcdf4
