#include "layout/strided.hpp"

namespace sv {

bool Strided::empty() const { return Box{start, count}.empty(); }

Strided Strided::without_record() const {
  Strided rest;
  for (int d = 1; d < dims(); ++d) {
    rest.start.push(start[d]);
    rest.count.push(count[d]);
    rest.stride.push(stride[d]);
  }
  return rest;
}

int64_t Strided::find(int d, int64_t cell) const {
  const int64_t ahead = cell - start[d];
  return ahead >= 0 && ahead % stride[d] == 0 && ahead / stride[d] < count[d] ? ahead / stride[d] : -1;
}

Index divisions_of(const Strided &request) {
  Index divisions(request.dims(), 1);
  for (int d = 0; d < request.dims(); ++d)
    if (request.stride[d] > 1 || request.count[d] < 1) divisions[d] = request.count[d];
  return divisions;
}

Patch part_of(const Strided &request, const Index &divisions, int64_t number, int rank) {
  const int n = request.dims();
  Patch part{rank, {Index(n, 0), Index(n, 1)}, cell_at(Box::whole(divisions), number)};
  for (int d = 0; d < n; ++d) {
    part.box.start[d] = request.start[d] + part.local[d] * request.stride[d];
    if (divisions[d] == 1) part.box.count[d] = request.count[d];
  }
  return part;
}

}  // namespace sv
