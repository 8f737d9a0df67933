#include "stream_file.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "failure.hpp"
#include "file_stamp.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

void put_text(sv_file *file, int var, const std::string &name, const std::string &text) {
  must(sv_put_att_text(file, var, name.c_str(), text.c_str()));
}

void put_texts(sv_file *file, int var, const Texts &texts) {
  for (const auto &[name, text] : texts) put_text(file, var, name, text);
}

/// `type`: of the variable's values; CF wants the type of values in attributes that are compared with them.
void put_attributes(sv_file *file, int var, const std::vector<AttributeRequest> &attributes, int type = SV_DOUBLE) {
  static const std::set<std::string> of_values = {"missing_value", "valid_min", "valid_max"};
  for (const auto &[name, text, number] : attributes) {
    if (number)
      with_type(of_values.count(name) != 0 ? type : SV_DOUBLE, [&, value = *number](auto zero) {
        const auto converted = static_cast<decltype(zero)>(value);
        must(sv_put_att(file, var, name.c_str(), of_values.count(name) != 0 ? type : SV_DOUBLE, 1, &converted));
      });
    else if (!text.empty())
      put_text(file, var, name, text);
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

constexpr int zarr = 10;  // sv_inq_format

void define_storage(sv_file *file, int var, const Storage &storage) {
  if (!storage.chunks.empty()) must(sv_def_var_chunking(file, var, SV_CHUNKED, storage.chunks.data()));
  if (storage.quantize && *storage.quantize > 0)
    must(sv_def_var_quantize(file, var, storage.quantize_mode, *storage.quantize));
  if (storage.error_kind != SV_ERROR_NONE)
    must(sv_def_var_error_bound(file, var, storage.error_kind, storage.error_bound));
  if (storage.error_filter) must(sv_def_var_filter(file, var, *storage.error_filter, 0, nullptr));
  int of_file = 0;
  must(sv_inq_format(file, &of_file));
  // As the key of the configuration: in Zarr, only Blosc shuffles.
  const bool shuffles = storage.shuffle.value_or(of_file != zarr);
  if (storage.deflate) must(sv_def_var_deflate(file, var, shuffles ? 1 : 0, *storage.deflate));
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

void StreamFile::create(const std::string &name, bool continues) {
  const StreamRequest &stream = *stream_;
  is_series_ = !stream.file_period && is_template(name);
  const int flags = is_series_           ? SV_SERIES
                    : stream.file_period ? SV_CLOBBER | SV_PUBLISHED
                    : continues          ? SV_NOCLOBBER
                                         : SV_CLOBBER;
  const int status = sv_create(io_, name.c_str(), flags, &file_);
  if (status == SV_EEXISTS)
    throw Failure(SV_EEXISTS,
                  stream.place + ": the run continues, but its stream '" + stream.name + "' has one file, '" +
                      stream.file + "', which exists",
                  "Give the name date fields, or move the file away");
  must(status);
}

void StreamFile::define_global_attributes(const std::string &name) {
  std::vector<AttributeRequest> attributes = stream_->attributes;
  const auto is_stamped = [](const AttributeRequest &each) { return has_stamp(each.text); };
  if (std::any_of(attributes.begin(), attributes.end(), is_stamped)) {
    const FileStamp stamp(io_, name);
    for (AttributeRequest &each : attributes) each.text = stamp.applied(each.text);
  }
  put_text(file_, SV_GLOBAL, "Conventions", "CF-1.11");
  put_attributes(file_, SV_GLOBAL, attributes);
}

void StreamFile::define(const StreamRequest &stream, const std::string &name, std::vector<Output> &outputs,
                        bool continues) {
  outputs_ = &outputs;
  stream_ = &stream;
  create(name, continues);
  must(sv_def_dim(file_, "time", SV_UNLIMITED, &time_dim_));
  define_global_attributes(name);
  bool bounded_axes = false;
  for (const Output &each : outputs)
    for (const Axis &axis : each.axes()) bounded_axes = bounded_axes || !axis.bounds.empty();
  if (has_bounds_ || bounded_axes) must(sv_def_dim(file_, "bnds", 2, &bounds_dim_));
  define_time();
  for (Output &each : outputs) define_variable(each);
  must(sv_enddef(file_));
  is_defined_ = true;
  if (!is_series_) put_fixed();
}

void StreamFile::define_time() {
  must(sv_def_var(file_, "time", SV_DOUBLE, 1, &time_dim_, &time_var_));
  put_text(file_, time_var_, "standard_name", "time");
  put_text(file_, time_var_, "units", time_.units());
  put_text(file_, time_var_, "calendar", calendar_->name());
  put_text(file_, time_var_, "axis", "T");
  if (const AxisRequest *const request = request_of("time"); request != nullptr)
    put_attributes(file_, time_var_, request->attributes);
  if (!has_bounds_) return;
  put_text(file_, time_var_, "bounds", "time_bnds");
  const int dims[] = {time_dim_, bounds_dim_};
  must(sv_def_var(file_, "time_bnds", SV_DOUBLE, 2, dims, &time_bounds_));
}

const AxisRequest *StreamFile::request_of(const std::string &axis) const {
  for (const AxisRequest &each : stream_->axes)
    if (each.axis == axis) return &each;
  return nullptr;
}

/// Fields may share one.
void StreamFile::define_scalars(const Output &output) {
  for (const auto &[name, value, attributes] : output.request.scalars) {
    int var = -1;
    const auto is_it = [&](const auto &known) { return known.first == var; };
    if (sv_inq_varid(file_, name.c_str(), &var) == SV_OK && std::any_of(scalars_.begin(), scalars_.end(), is_it))
      continue;
    must(sv_def_var(file_, name.c_str(), SV_DOUBLE, 0, nullptr, &var));
    put_attributes(file_, var, attributes);
    scalars_.emplace_back(var, value);
  }
}

/// Returns its dimension.
int StreamFile::define_axis(const Axis &axis) {
  for (const DefinedAxis &known : axes_) {
    if (known.axis.name != axis.name) continue;
    for (const Auxiliary &each : axis.auxiliary) define_auxiliary(known.dim, each);
    return known.dim;
  }
  DefinedAxis made{axis, -1, -1, -1};
  const AxisRequest *const request = request_of(axis.name);
  const std::string own = request != nullptr ? request->name : axis.name;
  must(sv_def_dim(file_, own.c_str(), axis.length, &made.dim));
  if (!axis.values.empty()) {
    must(sv_def_var(file_, own.c_str(), SV_DOUBLE, 1, &made.dim, &made.values));
    put_texts(file_, made.values, axis.attributes);
    if (request != nullptr) put_attributes(file_, made.values, request->attributes);
  }
  if (!axis.bounds.empty()) {
    const std::string name = own + "_bnds";
    put_text(file_, made.values, "bounds", name);
    const int dims[] = {made.dim, bounds_dim_};
    must(sv_def_var(file_, name.c_str(), SV_DOUBLE, 2, dims, &made.bounds));
  }
  for (const Auxiliary &each : axis.auxiliary) define_auxiliary(made.dim, each);
  axes_.push_back(made);
  return made.dim;
}

void StreamFile::define_auxiliary(int dim, const Auxiliary &auxiliary) {
  for (const DefinedAuxiliary &known : auxiliary_)
    if (known.auxiliary.name == auxiliary.name) return;
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

/// A stream has one target grid.
void StreamFile::define_cell_coordinates(const TargetGrid &target) {
  if (target_ != nullptr || target.coordinates().empty()) return;
  target_ = &target;
  for (const CellCoordinate &each : target.coordinates()) {
    std::vector<int> dims;
    for (const Axis &axis : target.axes()) dims.push_back(define_axis(axis));
    if (each.vertices > 0) dims.push_back(define_axis({"nv", each.vertices, {}, {}, {}, {}}));
    int var = -1;
    must(sv_def_var(file_, each.name.c_str(), SV_DOUBLE, static_cast<int>(dims.size()), dims.data(), &var));
    put_texts(file_, var, each.attributes);
    cell_coordinates_.push_back(var);
  }
}

void StreamFile::put_cell_coordinates() {
  if (target_ == nullptr) return;
  std::vector<int64_t> start = {target_->first_row()}, count = {target_->rows()};
  for (size_t d = 1; d < target_->axes().size(); ++d) count.push_back(target_->axes()[d].length);
  for (size_t i = 0; i < cell_coordinates_.size(); ++i) {
    const CellCoordinate &each = target_->coordinates()[i];
    std::vector<int64_t> counts = count;
    if (each.vertices > 0) counts.push_back(each.vertices);
    start.resize(counts.size(), 0);
    must(sv_put_vara(file_, cell_coordinates_[i], start.data(), counts.data(), SV_DOUBLE, each.values.data(), nullptr));
  }
}

void StreamFile::define_variable(Output &output) {
  const Field &field = *output.field;
  const FieldRequest &request = output.request;
  const std::string what = request.place + ": field '" + field.name + "'";
  std::vector<int> dims;
  if (!output.is_static()) dims.push_back(time_dim_);
  const auto first_axis = static_cast<int>(dims.size()) + output.first_axis();
  for (const Axis &axis : output.axes()) dims.push_back(define_axis(axis));
  const int type = request.storage.type.value_or(field.file_type);
  const bool is_count = request.operation == Operation::count;
  int var = -1;
  must(sv_def_var(file_, request.name.c_str(), type, static_cast<int>(dims.size()), dims.data(), &var));
  if (output.decomp() != nullptr) must(sv_def_var_decomp_dim(file_, var, first_axis));
  if (output.weights != nullptr) define_cell_coordinates(output.weights->target());
  if (output.has_missing() && (!is_count || output.space))
    with_type(type, [&](auto zero) { define_fill<decltype(zero)>(file_, var, output.missing, what); });
  define_attributes(output, var, type);
  define_scalars(output);
  define_storage(file_, var, request.storage);
  variables_.emplace_back(&output, var);
}

void StreamFile::define_attributes(const Output &output, int var, int type) {
  const Field &field = *output.field;
  for (const auto &[name, text] : field.attributes)
    if (!has_attribute(output.request, name)) put_text(file_, var, name, text);
  if (output.request.operation == Operation::count) put_text(file_, var, "standard_name", "number_of_observations");
  const auto put_derived = [&](const char *name, const std::string &text) {
    if (!text.empty() && !has_attribute(output.request, name)) put_text(file_, var, name, text);
  };
  put_derived("units", units_of(output.request.operation, field.units));
  if (!output.is_static()) put_derived("cell_methods", output.cell_methods());
  if (output.weights != nullptr) put_derived("remapping", output.weights->description());
  std::string coordinates = names_of_auxiliary(output.axes());
  if (output.weights != nullptr && !output.weights->target().coordinates().empty()) coordinates = "lat lon";
  for (const ScalarRequest &each : output.request.scalars) coordinates += (coordinates.empty() ? "" : " ") + each.name;
  for (const auto &[attribute, text] : field.references) {
    if (has_attribute(output.request, attribute)) continue;
    const std::string names = reference_of(output, attribute, text);
    if (attribute == "coordinates")
      coordinates += (coordinates.empty() || names.empty() ? "" : " ") + names;
    else if (!names.empty())
      put_text(file_, var, attribute, names);
  }
  if (!coordinates.empty()) put_text(file_, var, "coordinates", coordinates);
  put_attributes(file_, var, output.request.attributes, type);
}

/// Those of the named fields that the file has, by their names there.
std::string StreamFile::reference_of(const Output &output, const std::string &attribute,
                                     const std::string &text) const {
  std::string made;
  for (const auto &[key, name] : names_in(text))
    for (const Output &each : *outputs_)
      if (each.is_static() && each.field->name == name && can_refer(output, each, attribute == "bounds"))
        made += (made.empty() ? "" : " ") + key + (key.empty() ? "" : " ") + each.request.name;
  return made;
}

void StreamFile::select(Time begin, Time end) {
  const Date date = calendar_->date_of(has_bounds_ ? begin : end);
  const int given[] = {date.year, date.month, date.day, date.hour, date.minute, date.second};
  int wants_fixed = 0;
  const double time = has_bounds_ ? time_.middle(begin, end) : time_.value(end);
  if (is_series_) {
    must(sv_select_record(file_, given, time, &record_, &wants_fixed));
  } else {
    ++record_;
    must(sv_put_var(file_, time_var_, record_, SV_DOUBLE, &time, nullptr));
  }
  has_record_ = true;
  if (wants_fixed != 0) put_fixed();
  if (!has_bounds_) return;
  const double bounds[] = {time_.value(begin), time_.value(end)};
  must(sv_put_var(file_, time_bounds_, record_, SV_DOUBLE, bounds, nullptr));
}

void StreamFile::put_fixed() {
  const auto put = [&](int var, int type, const void *values) {
    if (var >= 0) must(sv_put_var(file_, var, SV_NO_RECORD, type, values, nullptr));
  };
  for (const DefinedAxis &each : axes_) {
    put(each.values, SV_DOUBLE, each.axis.values.data());
    put(each.bounds, SV_DOUBLE, each.axis.bounds.data());
  }
  for (const auto &[var, value] : scalars_) put(var, SV_DOUBLE, &value);
  for (const auto &[auxiliary, var] : auxiliary_) {
    std::string texts;
    for (std::string text : auxiliary.texts) {
      text.resize(longest(auxiliary.texts));  // with zeros
      texts += text;
    }
    put(var, texts.empty() ? SV_DOUBLE : SV_CHAR,
        texts.empty() ? static_cast<const void *>(auxiliary.values.data()) : texts.data());
  }
  put_cell_coordinates();
  for (const auto &[output, var] : variables_) {
    if (!output->is_static()) continue;
    const auto [type, values] = output->constant();
    put_values(*output, var, SV_NO_RECORD, type, values);
  }
}

void StreamFile::put_values(const Output &output, int var, int64_t record, int type, const void *values) {
  if (const sv_decomp *const decomp = output.decomp(); decomp != nullptr)
    must(sv_put(file_, var, decomp, record, type, values, nullptr));
  else
    must(sv_put_var(file_, var, record, type, values, nullptr));
}

void StreamFile::put(size_t variable, int type, const void *values) {
  const auto &[output, var] = variables_[variable];
  put_values(*output, var, record_, type, values);
}

void StreamFile::sync() {
  int is_stopping = 0;  // sv_request_stop has closed the file
  must(sv_stopping(io_, &is_stopping));
  if (has_record_ && is_stopping == 0) must(sv_sync(file_));
}

void StreamFile::close() {
  sv_file *const file = std::exchange(file_, nullptr);
  if (file != nullptr) must(is_defined_ ? sv_close(file) : sv_abort(file));
}

void StreamFile::abandon() {
  if (sv_file *const file = std::exchange(file_, nullptr); file != nullptr) must(sv_abort(file));
}

}  // namespace sv::streams
