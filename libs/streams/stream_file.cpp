#include "stream_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "failure.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

void put_text(sv_file *file, int var, const std::string &name, const std::string &text) {
  must(sv_put_att_text(file, var, name.c_str(), text.c_str()));
}

void put_texts(sv_file *file, int var, const Texts &texts) {
  for (const auto &[name, text] : texts) put_text(file, var, name, text);
}

void put_attributes(sv_file *file, int var, const std::vector<AttributeRequest> &attributes) {
  for (const AttributeRequest &each : attributes) {
    if (each.number)
      must(sv_put_att(file, var, each.name.c_str(), SV_DOUBLE, 1, &*each.number));
    else
      put_text(file, var, each.name, each.text);
  }
}

template <class Value>
void define_fill(sv_file *file, int var, double missing, const std::string &what) {
  if constexpr (std::is_integral_v<Value>) {
    const double most = std::ldexp(1.0, std::numeric_limits<Value>::digits);
    if (!(missing >= static_cast<double>(std::numeric_limits<Value>::min()) && missing < most))
      throw Failure(SV_ECONFIG,
                    what + ": its fill value " + std::to_string(missing) + " does not fit its type in files",
                    "Give it another type");
  }
  const auto value = static_cast<Value>(missing);
  must(sv_def_fill(file, var, &value));
}

void define_storage(sv_file *file, int var, const Storage &storage) {
  if (!storage.chunks.empty()) must(sv_def_var_chunking(file, var, SV_CHUNKED, storage.chunks.data()));
  if (storage.quantize && *storage.quantize > 0)
    must(sv_def_var_quantize(file, var, storage.quantize_mode, *storage.quantize));
  if (storage.deflate) must(sv_def_var_deflate(file, var, storage.shuffle.value_or(false) ? 1 : 0, *storage.deflate));
  if (!storage.deflate && storage.shuffle.value_or(false))
    must(sv_def_var_filter(file, var, SV_FILTER_SHUFFLE, 0, nullptr));
  if (storage.zstd) must(sv_def_var_zstandard(file, var, *storage.zstd));
  if (storage.fletcher32) must(sv_def_var_fletcher32(file, var, *storage.fletcher32 ? 1 : 0));
}

size_t longest(const std::vector<std::string> &texts) {
  size_t most = 0;
  for (const std::string &text : texts) most = std::max(most, text.size());
  return most;
}

std::string names_of_auxiliary(const std::vector<Axis> &axes) {
  std::string names;
  for (const Axis &axis : axes)
    for (const Auxiliary &each : axis.auxiliary) names += (names.empty() ? "" : " ") + each.name;
  return names;
}

}  // namespace

void StreamFile::define(const StreamRequest &stream, const std::vector<Output> &outputs) {
  check_axes(outputs);
  must(sv_create(io_, stream.file.c_str(), SV_SERIES, &file_));
  must(sv_def_dim(file_, "time", SV_UNLIMITED, &time_dim_));
  put_text(file_, SV_GLOBAL, "Conventions", "CF-1.11");
  put_attributes(file_, SV_GLOBAL, stream.attributes);
  bool bounded_axes = false;
  for (const Output &each : outputs)
    for (const Axis &axis : each.axes()) bounded_axes = bounded_axes || !axis.bounds.empty();
  if (has_bounds_ || bounded_axes) must(sv_def_dim(file_, "bnds", 2, &bounds_dim_));
  define_time();
  for (const Output &each : outputs) define_variable(each);
  must(sv_enddef(file_));
  is_defined_ = true;
}

void StreamFile::define_time() {
  int var = -1;
  must(sv_def_var(file_, "time", SV_DOUBLE, 1, &time_dim_, &var));
  put_text(file_, var, "standard_name", "time");
  put_text(file_, var, "units", time_.units());
  put_text(file_, var, "calendar", calendar_->name());
  put_text(file_, var, "axis", "T");
  if (!has_bounds_) return;
  put_text(file_, var, "bounds", "time_bnds");
  const int dims[] = {time_dim_, bounds_dim_};
  must(sv_def_var(file_, "time_bnds", SV_DOUBLE, 2, dims, &time_bounds_));
}

/// Returns its dimension.
int StreamFile::define_axis(const Axis &axis) {
  for (const DefinedAxis &known : axes_)
    if (known.axis.name == axis.name) return known.dim;
  DefinedAxis made{axis, -1, -1, -1};
  must(sv_def_dim(file_, axis.name.c_str(), axis.length, &made.dim));
  if (!axis.values.empty()) {
    must(sv_def_var(file_, axis.name.c_str(), SV_DOUBLE, 1, &made.dim, &made.values));
    put_texts(file_, made.values, axis.attributes);
  }
  if (!axis.bounds.empty()) {
    const std::string name = axis.name + "_bnds";
    put_text(file_, made.values, "bounds", name);
    const int dims[] = {made.dim, bounds_dim_};
    must(sv_def_var(file_, name.c_str(), SV_DOUBLE, 2, dims, &made.bounds));
  }
  for (const Auxiliary &each : axis.auxiliary) define_auxiliary(made.dim, each);
  axes_.push_back(made);
  return made.dim;
}

void StreamFile::define_auxiliary(int dim, const Auxiliary &auxiliary) {
  int dims[] = {dim, -1}, var = -1;
  if (!auxiliary.texts.empty()) {
    const int64_t length = static_cast<int64_t>(longest(auxiliary.texts));
    must(sv_def_dim(file_, (auxiliary.name + "_length").c_str(), length, &dims[1]));
    must(sv_def_var(file_, auxiliary.name.c_str(), SV_CHAR, 2, dims, &var));
  } else {
    must(sv_def_var(file_, auxiliary.name.c_str(), SV_DOUBLE, 1, dims, &var));
  }
  put_texts(file_, var, auxiliary.attributes);
  auxiliary_.push_back({auxiliary, var});
}

void StreamFile::define_variable(const Output &output) {
  const Field &field = *output.field;
  const FieldRequest &request = output.request;
  const std::string what = request.place + ": field '" + field.name + "'";
  const std::vector<Axis> axes = output.axes();
  std::vector<int> dims = {time_dim_};
  for (const Axis &axis : axes) dims.push_back(define_axis(axis));
  const int type = request.storage.type.value_or(field.file_type);
  const bool is_count = request.operation == Operation::count;
  int var = -1;
  must(sv_def_var(file_, request.name.c_str(), type, static_cast<int>(dims.size()), dims.data(), &var));
  if (output.decomp() != nullptr) must(sv_def_var_decomp_dim(file_, var, 1 + output.first_axis()));
  if (output.kind.has_missing && (!is_count || output.reduction))
    with_type(type, [&](auto zero) { define_fill<decltype(zero)>(file_, var, output.missing, what); });
  put_texts(file_, var, field.attributes);
  if (is_count) put_text(file_, var, "standard_name", "number_of_observations");
  if (const std::string units = units_of(request.operation, field.units); !units.empty())
    put_text(file_, var, "units", units);
  put_text(file_, var, "cell_methods", output.cell_methods());
  if (const std::string names = names_of_auxiliary(axes); !names.empty()) put_text(file_, var, "coordinates", names);
  put_attributes(file_, var, request.attributes);
  define_storage(file_, var, request.storage);
  variables_.emplace_back(&output, var);
}

void StreamFile::select(Time begin, Time end) {
  const Date date = calendar_->date_of(has_bounds_ ? begin : end);
  const int given[] = {date.year, date.month, date.day, date.hour, date.minute, date.second};
  int wants_fixed = 0;
  const double time = has_bounds_ ? time_.middle(begin, end) : time_.value(end);
  must(sv_select_record(file_, given, time, &record_, &wants_fixed));
  has_record_ = true;
  if (wants_fixed != 0) put_axes();
  if (!has_bounds_) return;
  const double bounds[] = {time_.value(begin), time_.value(end)};
  must(sv_put_var(file_, time_bounds_, record_, SV_DOUBLE, bounds, nullptr));
}

void StreamFile::put_axes() {
  const auto put = [&](int var, int type, const void *values) {
    if (var >= 0) must(sv_put_var(file_, var, SV_NO_RECORD, type, values, nullptr));
  };
  for (const DefinedAxis &each : axes_) {
    put(each.values, SV_DOUBLE, each.axis.values.data());
    put(each.bounds, SV_DOUBLE, each.axis.bounds.data());
  }
  for (const auto &[auxiliary, var] : auxiliary_) {
    std::string texts;
    for (std::string text : auxiliary.texts) {
      text.resize(longest(auxiliary.texts));  // with zeros
      texts += text;
    }
    put(var, texts.empty() ? SV_DOUBLE : SV_CHAR,
        texts.empty() ? static_cast<const void *>(auxiliary.values.data()) : texts.data());
  }
}

void StreamFile::put(size_t variable, int type, const void *values) {
  const auto &[output, var] = variables_[variable];
  if (const sv_decomp *const decomp = output->decomp(); decomp != nullptr)
    must(sv_put(file_, var, decomp, record_, type, values, nullptr));
  else
    must(sv_put_var(file_, var, record_, type, values, nullptr));
}

void StreamFile::sync() {
  if (has_record_) must(sv_sync(file_));
}

void StreamFile::close() {
  sv_file *const file = std::exchange(file_, nullptr);
  if (file != nullptr) must(is_defined_ ? sv_close(file) : sv_abort(file));
}

}  // namespace sv::streams
