#include "streams_run.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <utility>

namespace svcrash {
namespace {

constexpr int64_t hours_of_step = 4, hours_of_period = hours_of_step * steps_of_period;
const Version version{};

std::array<int, 6> date_after(int64_t steps) {
  const int64_t hours = steps * hours_of_step;
  return {2001, 1, static_cast<int>(1 + hours / 24), static_cast<int>(hours % 24), 0, 0};
}

std::string keys_of_stream(const Sizes &sizes) {
  std::string keys = "{file: 'series_%Y%m%d.nc', frequency: " + std::to_string(hours_of_period) +
                     " hours, time_units: hours since 2001-01-01 00:00:00, attributes: {version: 0";
  for (int i = 0; i < sizes.texts; ++i) keys += ", text_" + std::to_string(i) + ": \"" + truth_text(0, i) + "\"";
  return keys + "}, fields: [depth, temp: {operation: mean}, flag: {operation: max}, small: {operation: first}]}";
}

}  // namespace

std::string series_name(int64_t first_period) {
  char text[32];
  std::snprintf(text, sizeof text, "series_200101%02d.nc", date_after(first_period * steps_of_period)[2]);
  return text;
}

StreamsRun::StreamsRun(sv_context *io, StreamsGrid grid, int64_t from) : grid_(std::move(grid)) {
  if (grid_.decomp == nullptr) {
    grid_.cells.resize(static_cast<size_t>(grid_.sizes.ny * grid_.sizes.nx));
    std::iota(grid_.cells.begin(), grid_.cells.end(), 0);
  }
  status_ = sv_open_streams(io, nullptr, &streams_);
  if (status_ == SV_OK) status_ = sv_def_stream(streams_, "series", keys_of_stream(grid_.sizes).c_str());
  if (status_ == SV_OK) status_ = declare();
  if (status_ == SV_OK) status_ = begin(from);
}

StreamsRun::~StreamsRun() { close(); }

int StreamsRun::declare() {
  const Sizes &sizes = grid_.sizes;
  sv_stream_axis axes[3] = {};
  const char *const names[] = {"z", "y", "x"};
  const int64_t lengths[] = {sizes.nz, sizes.ny, sizes.nx};
  for (int d = 0; d < 3; ++d) {
    axes[d].name = names[d];
    axes[d].length = lengths[d];
  }
  sv_stream_field field{};
  field.name = "depth";
  field.decomp = grid_.decomp;
  field.type = SV_DOUBLE;
  field.file_type = SV_FLOAT;
  field.naxes = 2;
  field.axes = axes + 1;
  std::vector<double> depth;
  for (const int64_t cell : grid_.cells) depth.push_back(truth(version, var_depth, 0, cell));
  int status = sv_def_static_field(streams_, &field, depth.data());
  field.name = "temp";
  field.file_type = 0;
  field.naxes = 3;
  field.axes = axes;
  if (status == SV_OK) status = sv_def_stream_field(streams_, &field, &temp_);
  sv_stream_field number{};
  number.name = "flag";
  number.type = SV_INT;
  if (status == SV_OK) status = sv_def_stream_field(streams_, &number, &flag_);
  number.name = "small";
  number.type = SV_BYTE;
  return status == SV_OK ? sv_def_stream_field(streams_, &number, &small_) : status;
}

int StreamsRun::begin(int64_t from) {
  sv_stream_start start{};
  start.calendar = "noleap";
  const std::array<int, 6> date = date_after(from);
  std::copy(date.begin(), date.end(), start.date);
  start.step_seconds = hours_of_step * 3600;
  start.continues = from > 0 ? 1 : 0;
  return sv_begin_streams(streams_, &start);
}

// The mean, the greatest and the first value of a period are its truth.
int StreamsRun::send(int64_t step) {
  const int64_t period = step / steps_of_period, of_level = grid_.sizes.ny * grid_.sizes.nx;
  const bool is_first = step % steps_of_period == 0;
  const std::array<int, 6> date = date_after(step + 1);
  std::vector<double> temp;
  for (int64_t z = 0; z < grid_.sizes.nz; ++z)
    for (const int64_t cell : grid_.cells)
      temp.push_back(truth(version, var_temp, period, z * of_level + cell) + (is_first ? -3.0 : 3.0));
  const auto flag = static_cast<int32_t>(truth(version, var_flag, period, 0)) - (is_first ? 5 : 0);
  const auto small = static_cast<int8_t>(is_first ? truth_small(version, period) : 0);
  int status = sv_send_field(streams_, temp_, date.data(), temp.data());
  if (status == SV_OK) status = sv_send_field(streams_, flag_, date.data(), &flag);
  return status == SV_OK ? sv_send_field(streams_, small_, date.data(), &small) : status;
}

int StreamsRun::save(int64_t before_step) { return sv_save_streams(streams_, date_after(before_step).data()); }

int StreamsRun::close() {
  sv_streams *const streams = std::exchange(streams_, nullptr);
  return streams == nullptr ? SV_OK : sv_close_streams(streams);
}

}  // namespace svcrash
