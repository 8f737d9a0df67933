// Points: unstructured grids.
#include "engine/decompose.hpp"
#include "engine/orders.hpp"

#include "handles.hpp"

using namespace sv;
using namespace sv::c;

namespace {

PointsRequest points_request_of(int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags) {
  require(shape, "shape");
  if (ndims < 1 || ndims > max_grid_dims)
    throw Error(Status::invalid, std::to_string(ndims) + " dimensions",
                "A grid has 1 to " + std::to_string(max_grid_dims) + " dimensions");
  if (n < 0) throw Error(Status::invalid, std::to_string(n) + " points", "A rank that owns nothing has 0 points");
  if (n > 0) require(indices, "indices");
  if ((flags & ~SV_MASKED) != 0)
    throw Error(Status::invalid, "flags that are unknown", "See sv_def_points in sverdrup.h");
  PointsRequest request;
  for (int d = 0; d < ndims; ++d) request.shape.push(shape[d]);
  request.indices = {indices, static_cast<size_t>(n)};
  request.holes = (flags & SV_MASKED) != 0;
  return request;
}

/// Requires as many values as this rank has points. Wrong arguments are reported to every rank.
template <class T>
std::span<const T> of_points(const Decomp &own, const char *call, const T *values, sv_decomp **ordered) {
  return checked(*own.context, call, [&] {
    require(ordered, "ordered");
    *ordered = nullptr;
    check_orderable(own);
    const int64_t n = own.layout->cells_of_rank(own.context->rank());
    if (n > 0) require(values, "the values of the points");
    return std::span(values, static_cast<size_t>(n));
  });
}

}  // namespace

extern "C" {

int sv_def_points(sv_context *io, int ndims, const int64_t *shape, int64_t n, const int64_t *indices, int flags,
                  sv_decomp **points) {
  return guarded([&] {
    require(io, "io");
    Context &context = session(io)->context("sv_def_points");
    const PointsRequest request = checked(context, "sv_def_points", [&] {
      require(points, "points");
      *points = nullptr;
      return points_request_of(ndims, shape, n, indices, flags);
    });
    *points = handle_of(define_points(context, "sv_def_points", request));
  });
}

int sv_order_points(const sv_decomp *points, const int64_t *positions, sv_decomp **ordered) {
  return guarded([&] {
    require(points, "points");
    const Decomp &own = *decomp(points);
    const auto places = of_points(own, "sv_order_points", positions, ordered);
    *ordered = handle_of(order_points(own, places));
  });
}

int sv_order_points_along_curve(const sv_decomp *points, const double *longitude, const double *latitude,
                                sv_decomp **ordered) {
  return guarded([&] {
    require(points, "points");
    const Decomp &own = *decomp(points);
    const auto east = of_points(own, "sv_order_points_along_curve", longitude, ordered);
    const auto north = of_points(own, "sv_order_points_along_curve", latitude, ordered);
    *ordered = handle_of(order_points_along_curve(own, east, north));
  });
}

int sv_def_order(sv_file *handle, int dim, const char *name, const sv_decomp *ordered, int *var) {
  return guarded([&] {
    require(handle, "file");
    require(name, "name");
    require(ordered, "ordered");
    const int made = define_order(*file(handle), dim, name, *decomp(ordered));
    if (var != nullptr) *var = made;
  });
}

int sv_inq_points(const sv_decomp *points, int64_t *cells, int64_t *owned, int64_t *runs, double *seconds,
                  int64_t *bytes) {
  return guarded([&] {
    require(points, "points");
    const Decomp &own = *decomp(points);
    const PointsCost cost = cost_of(*own.context, *own.layout);
    if (cells != nullptr) *cells = own.layout->cells();
    if (owned != nullptr) *owned = own.layout->cells_of_rank(own.context->rank());
    if (runs != nullptr) *runs = cost.runs;
    if (seconds != nullptr) *seconds = own.seconds;
    if (bytes != nullptr) *bytes = cost.bytes;
  });
}
}
