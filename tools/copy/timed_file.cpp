#include "timed_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <stdexcept>

#include "streams/failure.hpp"
#include "streams/time_axis.hpp"
#include "support/copying.hpp"

namespace sv_tools {

TimedFile::TimedFile(sv_context *io, const std::string &path) : path_(path) {
  must(sv_open(io, path.c_str(), SV_NOWRITE, &file_));
  try {
    read_definitions();
    read_time();
  } catch (...) {
    sv_close(file_);
    throw;
  }
}

TimedFile::~TimedFile() { sv_close(file_); }

void TimedFile::read_definitions() {
  int count = 0;
  must(sv_inq(file_, nullptr, &count, nullptr, nullptr));
  for (int v = 0; v < count; ++v) {
    std::array<char, SV_MAX_NAME> name{};
    std::array<int, SV_MAX_DIMS> dims{};
    int type = 0, n = 0;
    must(sv_inq_var(file_, v, name.data(), &type, &n, dims.data(), nullptr));
    if (std::strchr(name.data(), '/') != nullptr) continue;  // in a group
    variables_.push_back({v, name.data(), type, {dims.begin(), dims.begin() + n}});
  }
}

const TimedVariable *TimedFile::variable(const std::string &name) const {
  const auto found = std::ranges::find(variables_, name, &TimedVariable::name);
  return found == variables_.end() ? nullptr : &*found;
}

const TimedVariable *TimedFile::coordinate(int dim) const {
  const TimedVariable *const found = variable(dim_name(dim));
  const bool is_one = found != nullptr && found->dims == std::vector<int>{dim} && found->type != SV_CHAR;
  return is_one && found->type != SV_STRING ? found : nullptr;
}

std::string TimedFile::dim_name(int dim) const {
  std::array<char, SV_MAX_NAME> name{};
  must(sv_inq_dim(file_, dim, name.data(), nullptr));
  return name.data();
}

int64_t TimedFile::length(int dim) const {
  int64_t length = 0;
  must(sv_inq_dim(file_, dim, nullptr, &length));
  return length;
}

bool TimedFile::has(const TimedVariable &variable, const char *attribute) const {
  return sv_inq_att(file_, variable.id, attribute, nullptr, nullptr) == SV_OK;
}

std::string TimedFile::text(const TimedVariable &variable, const char *attribute) const {
  int type = 0;
  int64_t count = 0;
  if (sv_inq_att(file_, variable.id, attribute, &type, &count) != SV_OK || count == 0) return "";
  if (type == SV_CHAR) {
    std::string text(static_cast<size_t>(count), '\0');
    must(sv_get_att(file_, variable.id, attribute, SV_CHAR, text.data()));
    return text.c_str();
  }
  if (type != SV_STRING || count != 1) return "";
  char *string = nullptr;
  must(sv_get_att_string(file_, variable.id, attribute, &string));
  const std::string text(string);
  must(sv_free_string(1, &string));
  return text;
}

std::vector<double> TimedFile::values(const TimedVariable &variable) const {
  std::vector<int64_t> start, count;
  size_t cells = 1;
  for (const int dim : variable.dims) {
    start.push_back(0);
    count.push_back(length(dim));
    cells *= static_cast<size_t>(count.back());
  }
  std::vector<double> values(cells);
  must(sv_get_vara(file_, variable.id, start.data(), count.data(), SV_DOUBLE, values.data(), nullptr));
  return values;
}

void TimedFile::read_time() {
  const TimedVariable *time = nullptr;
  for (const TimedVariable &each : variables_)
    if (each.dims.size() == 1 && coordinate(each.dims[0]) == &each &&
        text(each, "units").find(" since ") != std::string::npos)
      time = &each;
  if (time == nullptr)
    throw std::runtime_error("'" + path_ +
                             "' has no coordinate of time. Its variable needs the name of its dimension, and units "
                             "such as 'days since 1900-01-01'");
  time_dim_ = time->dims[0];
  calendar_ = text(*time, "calendar").empty() ? "standard" : text(*time, "calendar");
  std::ranges::transform(calendar_, calendar_.begin(), [](unsigned char c) { return std::tolower(c); });
  try {
    const sv::streams::TimeAxis axis(sv::streams::Calendar(calendar_), text(*time, "units"), "'" + path_ + "'");
    for (const double value : values(*time)) ends_.push_back(axis.time_of(value));
    const TimedVariable *const bounds = variable(text(*time, "bounds"));
    if (bounds == nullptr || bounds->dims.size() != 2 || length(bounds->dims[1]) != 2 || ends_.empty()) return;
    const std::vector<double> both = values(*bounds);
    begin_ = axis.time_of(both[0]);
    for (size_t record = 0; record < ends_.size(); ++record) ends_[record] = axis.time_of(both[2 * record + 1]);
  } catch (const sv::streams::Failure &failure) {
    throw std::runtime_error(std::string(failure.what()) + ". " + failure.remedy);
  }
}

}  // namespace sv_tools
