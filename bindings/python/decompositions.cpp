#include "handles.hpp"

namespace sv::python {

namespace {

Handle def_decomp(Handle io, const Numbers &shape, const Numbers &start, const Numbers &count, const Numbers &halo,
                  const std::vector<int> &periodic, int flags) {
  sv_decomp *made = nullptr;
  const sv_decomp_options options{halo.data(), periodic.data(), flags};
  collective(io, [&] {
    return sv_def_decomp(as<sv_context>(io), static_cast<int>(shape.size()), shape.data(), start.data(), count.data(),
                         &options, &made);
  });
  return keep(made, io, turn_of(io));
}

/// `indices`: n numbers of 64 bits, contiguous.
Handle def_points(Handle io, const Numbers &shape, int64_t n, const nb::object &indices, int flags) {
  const Memory memory(indices, false);
  sv_decomp *made = nullptr;
  collective(io, [&] {
    return sv_def_points(as<sv_context>(io), static_cast<int>(shape.size()), shape.data(), n,
                         static_cast<const int64_t *>(memory.data()), flags, &made);
  });
  return keep(made, io, turn_of(io));
}

Handle order_points(Handle points, const nb::object &positions) {
  const Memory memory(positions, false);
  sv_decomp *ordered = nullptr;
  collective(points, [&] {
    return sv_order_points(as<sv_decomp>(points), static_cast<const int64_t *>(memory.data()), &ordered);
  });
  return keep(ordered, context_of(points), turn_of(points));
}

Handle order_points_along_curve(Handle points, const nb::object &longitude, const nb::object &latitude) {
  const Memory lon(longitude, false), lat(latitude, false);
  sv_decomp *ordered = nullptr;
  collective(points, [&] {
    return sv_order_points_along_curve(as<sv_decomp>(points), static_cast<const double *>(lon.data()),
                                       static_cast<const double *>(lat.data()), &ordered);
  });
  return keep(ordered, context_of(points), turn_of(points));
}

std::tuple<int64_t, int64_t, int64_t, double, int64_t> inq_points(Handle points) {
  int64_t cells = 0, owned = 0, runs = 0, bytes = 0;
  double seconds = 0;
  local(points, [&] { return sv_inq_points(as<sv_decomp>(points), &cells, &owned, &runs, &seconds, &bytes); });
  return std::make_tuple(cells, owned, runs, seconds, bytes);
}

/// No-op where the context has freed it.
void free_decomp(Handle decomp) {
  int status = SV_OK;
  {
    const TurnHere turn(decomp);
    auto *const object = as<sv_decomp>(decomp);
    forget(decomp);
    if (object != nullptr) status = sv_free_decomp(object);
  }
  check(status);
}

std::tuple<int64_t, int64_t> block(int64_t length, int parts, int part) {
  int64_t start = 0, count = 0;
  check(sv_block(length, parts, part, &start, &count));
  return std::make_tuple(start, count);
}

}  // namespace

void bind_decompositions(nb::module_ &module) {
  using namespace nb::literals;
  module.def("def_decomp", def_decomp);
  module.def("def_points", def_points, "io"_a, "shape"_a, "n"_a, "indices"_a.none(), "flags"_a);
  module.def("order_points", order_points, "points"_a, "positions"_a.none());
  module.def("order_points_along_curve", order_points_along_curve, "points"_a, "longitude"_a.none(),
             "latitude"_a.none());
  module.def("inq_points", inq_points);
  module.def("block", block);
  module.def("free_decomp", free_decomp);
}

}  // namespace sv::python
