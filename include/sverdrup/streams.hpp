// Sverdrup in C++20: streams, the output that the configuration asks for. SPDX-License-Identifier: Apache-2.0
//
//   sverdrup::Streams streams(io, "streams.yaml");
//   const int sst = streams.def_field<double>({.name = "sst", .units = "K", .axes = {lat, lon}}, &grid);
//   streams.begin({.calendar = "noleap", .date = {2001, 1, 1, 0, 0, 0}, .step_seconds = 3600});
//   ...
//   if (streams.wanted(sst, date)) streams.send(sst, date, block);  // std::vector<double>
//   ...
//   streams.close();
//
// It is headers alone, over streams.h, whose comments are the contract, and whose library programs link. The
// conventions of sverdrup.hpp hold.
#ifndef SVERDRUP_STREAMS_HPP
#define SVERDRUP_STREAMS_HPP

#include <sverdrup/streams.h>

#include <array>
#include <ranges>

#include "sverdrup.hpp"

namespace sverdrup {

using Date = std::array<int, 6>;  // year, month, day, hour, minute, second

// Of sv_stream_axis. Without `values` the axis has no coordinate, and needs its length.
struct StreamAxis {
  std::string name{};
  int64_t length = 0;
  std::vector<double> values{}, bounds{};
  std::string units{}, standard_name{}, long_name{}, axis{}, positive{};
};

// Of sv_stream_field; its type is that of Streams::def_field or of the values of Streams::def_static_field.
struct StreamField {
  std::string name{};
  int file_type = 0;
  std::string units{}, standard_name{}, long_name{};
  std::optional<double> fill_value{};
  std::vector<StreamAxis> axes{};
  std::string coordinates{}, cell_measures{}, ancillary_variables{}, bounds{};
};

// Of sv_stream_start.
struct StreamStart {
  std::string calendar = "standard";
  Date date{};
  int64_t step_seconds = 0;
  bool continues = false;
};

// Made by sv_open_streams. Use it while its Context exists. Only close() frees it, because that is collective.
class Streams {
 public:
  explicit Streams(const Context &io, const std::string &config = "") : io_(io.handle()) {
    detail::check(sv_open_streams(io_, detail::or_null(config), &streams_));
  }
  Streams(Streams &&other) noexcept
      : io_(other.io_), streams_(std::exchange(other.streams_, nullptr)), types_(std::move(other.types_)) {}
  Streams &operator=(Streams &&) = delete;  // it would lose streams
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
  ~Streams() = default;
  [[nodiscard]] sv_streams *handle() const { return streams_; }

  // Collective. `decomposition` must exist until close(). Returns the number of the field, of values of type T.
  template <Value T>
  int def_field(const StreamField &field, const Decomposition *decomposition = nullptr) {
    int number = -1;
    define<T>(field, decomposition,
              [&](const sv_stream_field &given) { return sv_def_stream_field(streams_, &given, &number); });
    return number;
  }
  // Collective. A field without time. `values`: a contiguous range, this rank's array with its halo.
  template <std::ranges::contiguous_range Range>
  void def_static_field(const StreamField &field, const Range &values, const Decomposition *decomposition = nullptr) {
    define<std::ranges::range_value_t<Range>>(field, decomposition, [&](const sv_stream_field &given) {
      return sv_def_static_field(streams_, &given, std::ranges::data(values));
    });
  }
  // Collective. A stream by its keys in YAML, unless the configuration has one of this name.
  void def_stream(const std::string &name, const std::string &keys) {
    detail::check(sv_def_stream(streams_, name.c_str(), keys.c_str()));
  }
  void begin(const StreamStart &start) {  // collective
    sv_stream_start given{};
    given.calendar = start.calendar.c_str();
    std::copy(start.date.begin(), start.date.end(), given.date);
    given.step_seconds = start.step_seconds;
    given.continues = start.continues ? 1 : 0;
    detail::check(sv_begin_streams(streams_, &given));
  }
  [[nodiscard]] bool wanted(int field, const Date &date) const {
    int wanted = 0;
    detail::check(sv_inq_field_wanted(streams_, field, date.data(), &wanted));
    return wanted != 0;
  }
  // Collective if a period ends. `values`: a contiguous range of the type of the field, this rank's array with its
  // halo.
  template <std::ranges::contiguous_range Range>
  void send(int field, const Date &date, const Range &values) {
    constexpr int type = type_of<std::ranges::range_value_t<Range>>();
    const auto number = static_cast<std::size_t>(field);
    const bool is_other = number < types_.size() && types_[number] != type;
    if (is_other)
      detail::check(sv_refuse(io_, SV_EINVAL, "a field is sent in another type than declared",
                              "Send values of the type of def_field"));
    detail::check(
        sv_send_field(streams_, field, date.data(), is_other ? nullptr : std::ranges::data(values)));  // fails at once
  }
  void save(const Date &date) { detail::check(sv_save_streams(streams_, date.data())); }  // collective
  void close() { detail::check(sv_close_streams(std::exchange(streams_, nullptr))); }     // collective

 private:
  template <Value T, class Call>
  void define(const StreamField &field, const Decomposition *decomposition, const Call &call) {
    const T fill = static_cast<T>(field.fill_value.value_or(0));
    std::vector<sv_stream_axis> axes;
    for (const StreamAxis &axis : field.axes) axes.push_back(c_axis(axis));
    sv_stream_field given{};
    given.name = field.name.c_str();
    given.decomp = decomposition == nullptr ? nullptr : decomposition->handle();
    given.type = type_of<T>();
    given.file_type = field.file_type;
    given.units = detail::or_null(field.units);
    given.standard_name = detail::or_null(field.standard_name);
    given.long_name = detail::or_null(field.long_name);
    given.fill_value = field.fill_value ? &fill : nullptr;
    given.naxes = static_cast<int>(axes.size());
    given.axes = axes.data();
    given.coordinates = detail::or_null(field.coordinates);
    given.cell_measures = detail::or_null(field.cell_measures);
    given.ancillary_variables = detail::or_null(field.ancillary_variables);
    given.bounds = detail::or_null(field.bounds);
    detail::check(call(given));
    types_.push_back(given.type);
  }
  static sv_stream_axis c_axis(const StreamAxis &axis) {
    sv_stream_axis given{};
    given.name = axis.name.c_str();
    given.length = axis.values.empty() ? axis.length : static_cast<int64_t>(axis.values.size());
    given.values = axis.values.empty() ? nullptr : axis.values.data();
    given.bounds = axis.bounds.empty() ? nullptr : axis.bounds.data();
    given.units = detail::or_null(axis.units);
    given.standard_name = detail::or_null(axis.standard_name);
    given.long_name = detail::or_null(axis.long_name);
    given.axis = detail::or_null(axis.axis);
    given.positive = detail::or_null(axis.positive);
    return given;
  }

  sv_context *io_;
  sv_streams *streams_ = nullptr;
  std::vector<int> types_;  // of the fields
};

}  // namespace sverdrup

#endif
