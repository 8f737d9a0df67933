// The functions of streams.h, in builds with the library of streams.
#ifdef SV_HAVE_STREAMS
#include "sverdrup/streams.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>

#include "handles.hpp"

namespace sv::python {

namespace {

using Date = std::array<int, 6>;
using Doubles = std::vector<double>;
/// Name, length, values, bounds (both may be empty), and units, standard_name, long_name, axis, positive.
using Axis = std::tuple<Text, int64_t, Doubles, Doubles, std::vector<Text>>;

const double *or_null(const Doubles &values) { return values.empty() ? nullptr : values.data(); }

sv_stream_axis axis_of(const Axis &axis) {
  const auto &[name, length, values, bounds, texts] = axis;
  const auto text = [&given = texts](size_t i) { return given.at(i).c("an attribute of an axis"); };
  return {name.c("the name of an axis"),
          length,
          or_null(values),
          or_null(bounds),
          text(0),
          text(1),
          text(2),
          text(3),
          text(4)};
}

Handle open_streams(Handle io, const std::optional<Text> &config) {
  const char *const path = config ? config->c("the name of a configuration") : nullptr;
  sv_streams *made = nullptr;
  collective(io, [&] { return sv_open_streams(as<sv_context>(io), path, &made); });
  return keep(made, io, turn_of(io));
}

/// `texts`: units, standard_name, long_name, coordinates, cell_measures, ancillary_variables, bounds. `fill`: None, or
/// an array of one value of the type. `constant`: None, or the values of a field without time.
int def_stream_field(Handle streams, const Text &name, Handle decomp, const std::vector<int> &types,
                     const std::vector<Text> &texts, const std::pair<nb::object, nb::object> &fill_and_constant,
                     const std::vector<Axis> &axes, bool is_static) {
  const Memory missing(fill_and_constant.first, false), constant(fill_and_constant.second, false);
  std::vector<sv_stream_axis> given;
  for (const Axis &axis : axes) given.push_back(axis_of(axis));
  sv_stream_field field{};
  field.name = name.c("the name of a field");
  field.type = types.at(0);
  field.file_type = types.at(1);
  field.units = texts.at(0).c("units");
  field.standard_name = texts.at(1).c("a standard name");
  field.long_name = texts.at(2).c("a long name");
  field.coordinates = texts.at(3).c("coordinates");
  field.cell_measures = texts.at(4).c("cell_measures");
  field.ancillary_variables = texts.at(5).c("ancillary_variables");
  field.bounds = texts.at(6).c("bounds");
  field.fill_value = missing.data();
  field.naxes = static_cast<int>(given.size());
  field.axes = given.data();
  int number = -1;
  collective(streams, [&] {
    field.decomp = decomp == 0 ? nullptr : as<sv_decomp>(decomp);
    return is_static ? sv_def_static_field(as<sv_streams>(streams), &field, constant.data())
                     : sv_def_stream_field(as<sv_streams>(streams), &field, &number);
  });
  return number;
}

void def_stream(Handle streams, const Text &name, const Text &keys) {
  collective(streams, [&] {
    return sv_def_stream(as<sv_streams>(streams), name.c("the name of a stream"), keys.c("the keys of a stream"));
  });
}

void begin_streams(Handle streams, const Text &calendar, const Date &date, int64_t step_seconds, bool continues) {
  sv_stream_start start{};
  start.calendar = calendar.c("the name of a calendar");
  std::copy(date.begin(), date.end(), start.date);
  start.step_seconds = step_seconds;
  start.continues = continues ? 1 : 0;
  collective(streams, [&] { return sv_begin_streams(as<sv_streams>(streams), &start); });
}

bool inq_field_wanted(Handle streams, int field, const Date &date) {
  int wanted = 0;
  local(streams, [&] { return sv_inq_field_wanted(as<sv_streams>(streams), field, date.data(), &wanted); });
  return wanted != 0;
}

/// `values`: contiguous, of the field's type and this rank's shape.
void send_field(Handle streams, int field, const Date &date, const nb::object &values) {
  const Memory memory(values, false);
  collective(streams, [&] { return sv_send_field(as<sv_streams>(streams), field, date.data(), memory.data()); });
}

void save_streams(Handle streams, const Date &date) {
  collective(streams, [&] { return sv_save_streams(as<sv_streams>(streams), date.data()); });
}

void close_streams(Handle streams) {
  collective(streams, [&] {
    auto *const object = as<sv_streams>(streams);
    forget(streams);
    return sv_close_streams(object);
  });
}

}  // namespace

void bind_streams(nb::module_ &module) {
  using namespace nb::literals;
  module.def("open_streams", open_streams, "io"_a, "config"_a.none());
  module.def("def_stream_field", def_stream_field, "streams"_a, "name"_a, "decomp"_a, "types"_a, "texts"_a,
             "fill_and_constant"_a, "axes"_a, "is_static"_a);
  module.def("def_stream", def_stream);
  module.def("begin_streams", begin_streams);
  module.def("inq_field_wanted", inq_field_wanted);
  module.def("send_field", send_field, "streams"_a, "field"_a, "date"_a, "values"_a.none());
  module.def("save_streams", save_streams);
  module.def("close_streams", close_streams);
}

}  // namespace sv::python
#endif
