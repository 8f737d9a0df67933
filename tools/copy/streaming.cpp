#include "streaming.hpp"

#include <sverdrup/streams.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "streams/config_text.hpp"
#include "streams/configuration.hpp"
#include "support/program.hpp"
#include "timed_file.hpp"

namespace sv_tools {

namespace {

using sv::streams::Calendar;
using sv::streams::Time;

/// A variable that is sent, and the block of it that this rank reads.
struct Sent {
  std::string name;
  int field;
  int type;  // in memory
  bool is_unpacked;
  double bytes;                       // of the whole field
  std::vector<int64_t> start, count;  // of this rank, without time
};

/// The value in memory of missing data that are unpacked.
constexpr double unpacked_missing = 1e20;

bool is_numeric(int type) { return type != SV_CHAR && type != SV_STRING; }

/// The texts and values that a declaration points at.
struct Declaration {
  std::vector<std::unique_ptr<std::string>> texts;
  std::vector<std::unique_ptr<std::vector<double>>> numbers;
  double fill = 0;  // of any type

  const char *keep(const std::string &text) {
    if (text.empty()) return nullptr;
    return texts.emplace_back(std::make_unique<std::string>(text))->c_str();
  }
  const double *keep(std::vector<double> values) {
    return numbers.emplace_back(std::make_unique<std::vector<double>>(std::move(values)))->data();
  }
};

class Sender {
 public:
  Sender(sv_context *io, const Streaming &task) : io_(io), task_(task), first_(io, task.in.front()) {
    must(sv_model_comm(io, &comm_));
    must(sv_open_streams(io, task.configuration.c_str(), &streams_));
  }
  ~Sender() {
    if (streams_ != nullptr) sv_close_streams(streams_);
  }
  Sender(const Sender &) = delete;
  Sender &operator=(const Sender &) = delete;

  void begin();
  /// Sends the fields that streams need. `progress` is called on every rank with the bytes of the records done.
  void send(const std::function<void(double)> &progress);
  void close() { must(sv_close_streams(std::exchange(streams_, nullptr))); }
  /// Of all fields and records.
  double bytes() const;
  size_t records() const { return records_; }

 private:
  bool has_time(const TimedVariable &each) const { return !each.dims.empty() && each.dims[0] == first_.time_dim(); }
  void find_coordinates();
  std::vector<int> grid_of(const TimedVariable &each) const;
  const sv_decomp *decomp_of(const std::vector<int> &dims, Sent &sent);
  const sv_stream_axis &axis_of(int dim);
  std::string names_of_fixed(const std::string &reference) const;
  bool is_fixed(const TimedVariable &each) const;
  void add_attributes(const TimedVariable &each, sv_stream_field &field, Declaration &kept) const;
  void add_type(const TimedVariable &each, sv_stream_field &field, Declaration &kept) const;
  void declare(const TimedVariable &each);
  void read(const TimedFile &file, int variable, int64_t record, const Sent &of);
  void take_times();
  /// As the library takes dates.
  std::array<int, 6> date_of(Time time) const {
    const sv::streams::Date date = calendar_.date_of(time);
    return {date.year, date.month, date.day, date.hour, date.minute, date.second};
  }
  bool is_like(const TimedFile &file, const TimedVariable &variable, const Sent &sent) const;
  void send_record(const TimedFile &file, size_t record);
  void put_conditions_first();

  sv_context *io_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  const Streaming &task_;
  TimedFile first_;
  const Calendar calendar_{first_.calendar()};
  sv_streams *streams_ = nullptr;
  std::vector<std::string> coordinates_;  // of dimensions, and their bounds
  std::map<std::vector<int>, sv_decomp *> decomps_;
  std::map<int, sv_stream_axis> axes_;  // by dimension
  Declaration of_axes_;
  std::vector<Sent> sent_;
  std::vector<std::byte> values_;  // of one field on this rank
  Time begin_ = 0;
  int64_t step_seconds_ = 0;  // 0: it varies
  Time shift_ = 0;            // from the times of the files to the ends of steps
  size_t records_ = 0;
};

void Sender::find_coordinates() {
  for (const TimedVariable &each : first_.variables()) {
    const bool is_coordinate = each.dims.size() == 1 && first_.dim_name(each.dims[0]) == each.name;
    if (!is_coordinate) continue;
    coordinates_.push_back(each.name);
    for (const char *const bounds : {"bounds", "climatology"})
      if (const std::string name = first_.text(each, bounds); !name.empty()) coordinates_.push_back(name);
  }
}

/// Numbers without time that are more than a dimension's coordinate.
bool Sender::is_fixed(const TimedVariable &each) const {
  return is_numeric(each.type) && std::ranges::find(coordinates_, each.name) == coordinates_.end() &&
         std::ranges::find(each.dims, first_.time_dim()) == each.dims.end();
}

/// The last two dimensions, or the last one where its cells are a list: it is the only one, or has longitudes.
std::vector<int> Sender::grid_of(const TimedVariable &each) const {
  std::vector<int> dims(each.dims.begin() + 1, each.dims.end());
  bool is_list = dims.size() == 1;
  std::istringstream names(first_.text(each, "coordinates"));
  for (std::string name; names >> name;)
    if (const TimedVariable *const other = first_.variable(name);
        other != nullptr && !dims.empty() && other->dims == std::vector<int>{dims.back()} &&
        std::ranges::find(coordinates_, name) == coordinates_.end())
      is_list = true;
  const size_t wanted = is_list ? 1 : 2;
  if (dims.size() > wanted) dims.erase(dims.begin(), dims.end() - static_cast<std::ptrdiff_t>(wanted));
  return dims;
}

/// Rows of the grid for each rank, or the whole field on every rank. Sets the block of `sent`.
const sv_decomp *Sender::decomp_of(const std::vector<int> &dims, Sent &sent) {
  for (const int dim : dims) {
    sent.start.push_back(0);
    sent.count.push_back(first_.length(dim));
  }
  const std::vector<int> *grid = nullptr;
  size_t at = 0;
  for (const auto &[known, decomp] : decomps_) {
    const auto found = std::search(dims.begin(), dims.end(), known.begin(), known.end());
    if (found == dims.end() || (grid != nullptr && known.size() <= grid->size())) continue;
    grid = &known;
    at = static_cast<size_t>(found - dims.begin());
  }
  if (grid == nullptr) return nullptr;
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  must(sv_block(sent.count[at], ranks, rank, &sent.start[at], &sent.count[at]));
  sv_decomp *&decomp = decomps_.at(*grid);
  if (decomp != nullptr) return decomp;
  std::vector<int64_t> shape;
  for (const int dim : *grid) shape.push_back(first_.length(dim));
  must(sv_def_decomp(io_, static_cast<int>(shape.size()), shape.data(), &sent.start[at], &sent.count[at], nullptr,
                     &decomp));
  return decomp;
}

/// Many fields have the same axes: each coordinate is read once.
const sv_stream_axis &Sender::axis_of(int dim) {
  const auto [found, is_new] = axes_.try_emplace(dim);
  sv_stream_axis &axis = found->second;
  if (!is_new) return axis;
  axis.name = of_axes_.keep(first_.dim_name(dim));
  axis.length = first_.length(dim);
  const TimedVariable *const coordinate = first_.coordinate(dim);
  if (coordinate == nullptr) return axis;
  axis.values = of_axes_.keep(first_.values(*coordinate));
  const TimedVariable *const bounds = first_.variable(first_.text(*coordinate, "bounds"));
  if (bounds != nullptr && bounds->dims.size() == 2 && bounds->dims[0] == dim && first_.length(bounds->dims[1]) == 2)
    axis.bounds = of_axes_.keep(first_.values(*bounds));
  axis.units = of_axes_.keep(first_.text(*coordinate, "units"));
  axis.standard_name = of_axes_.keep(first_.text(*coordinate, "standard_name"));
  axis.long_name = of_axes_.keep(first_.text(*coordinate, "long_name"));
  axis.axis = of_axes_.keep(first_.text(*coordinate, "axis"));
  axis.positive = of_axes_.keep(first_.text(*coordinate, "positive"));
  return axis;
}

/// The words of an attribute that name fields without time, with the keys before them.
std::string Sender::names_of_fixed(const std::string &reference) const {
  std::istringstream in(reference);
  std::string words, key;
  for (std::string word; in >> word; key = word.back() == ':' ? word : "") {
    const TimedVariable *const named = first_.variable(word);
    if (named == nullptr || !is_fixed(*named)) continue;
    words += (words.empty() ? "" : " ") + (key.empty() ? "" : key + " ") + word;
  }
  return words;
}

/// Attributes that streams keep; texts are in `kept`.
void Sender::add_attributes(const TimedVariable &each, sv_stream_field &field, Declaration &kept) const {
  field.name = each.name.c_str();
  field.units = kept.keep(first_.text(each, "units"));
  field.standard_name = kept.keep(first_.text(each, "standard_name"));
  field.long_name = kept.keep(first_.text(each, "long_name"));
  field.coordinates = kept.keep(names_of_fixed(first_.text(each, "coordinates")));
  field.cell_measures = kept.keep(names_of_fixed(first_.text(each, "cell_measures")));
  field.ancillary_variables = kept.keep(names_of_fixed(first_.text(each, "ancillary_variables")));
  if (!has_time(each)) field.bounds = kept.keep(names_of_fixed(first_.text(each, "bounds")));
}

/// The types in memory and in files, and the value of missing data. Packed values get the type of their scale.
void Sender::add_type(const TimedVariable &each, sv_stream_field &field, Declaration &kept) const {
  const char *const scale = first_.has(each, "scale_factor") ? "scale_factor" : "add_offset";
  const char *const fill = first_.has(each, "_FillValue") ? "_FillValue" : "missing_value";
  const bool is_packed = first_.is_packed(each);
  field.type = is_packed ? SV_DOUBLE : each.type;
  if (is_packed) must(sv_inq_att(first_.handle(), each.id, scale, &field.file_type, nullptr));
  if (!first_.has(each, fill)) return;
  if (is_packed)
    kept.fill = unpacked_missing;
  else
    must(sv_get_att(first_.handle(), each.id, fill, field.type, &kept.fill));
  field.fill_value = &kept.fill;
}

/// Of a field, or of one without time, whose values it sends.
void Sender::declare(const TimedVariable &each) {
  const bool moves = has_time(each);
  const std::vector<int> dims(each.dims.begin() + (moves ? 1 : 0), each.dims.end());
  Declaration kept;
  sv_stream_field field{};
  add_attributes(each, field, kept);
  add_type(each, field, kept);
  std::vector<sv_stream_axis> axes;
  for (const int dim : dims) axes.push_back(axis_of(dim));
  field.naxes = static_cast<int>(axes.size());
  field.axes = axes.data();
  Sent sent{each.name, -1, field.type, first_.is_packed(each), 0, {}, {}};
  field.decomp = decomp_of(dims, sent);
  int64_t bytes = 1;
  must(sv_inq_type(sent.type, nullptr, &bytes));
  sent.bytes = static_cast<double>(bytes);
  for (const int dim : dims) sent.bytes *= static_cast<double>(first_.length(dim));
  for (const int64_t count : sent.count) bytes *= count;
  if (values_.size() < static_cast<size_t>(bytes)) values_.resize(static_cast<size_t>(bytes));
  if (moves) {
    must(sv_def_stream_field(streams_, &field, &sent.field));
    sent_.push_back(std::move(sent));
    return;
  }
  read(first_, each.id, -1, sent);
  must(sv_def_static_field(streams_, &field, values_.data()));
}

/// Collective, into values_. `record`: -1 of a variable without time.
void Sender::read(const TimedFile &file, int variable, int64_t record, const Sent &of) {
  if (of.is_unpacked) must(sv_use_packing(file.handle(), variable, 1));
  std::vector<int64_t> start = of.start, count = of.count;
  if (record >= 0) {
    start.insert(start.begin(), record);
    count.insert(count.begin(), 1);
  }
  if (start.empty())
    must(sv_get_var(file.handle(), variable, SV_NO_RECORD, of.type, values_.data(), nullptr));
  else
    must(sv_get_vara(file.handle(), variable, start.data(), count.data(), of.type, values_.data(), nullptr));
  if (!of.is_unpacked) return;
  int64_t cells = 1;
  for (const int64_t each : of.count) cells *= each;
  auto *const values = reinterpret_cast<double *>(values_.data());
  std::replace_if(
      values, values + cells, [](double v) { return std::isnan(v); }, unpacked_missing);
}

/// The dates of all files.
void Sender::take_times() {
  std::vector<Time> ends;
  for (const std::string &path : task_.in) {
    const TimedFile file(io_, path);
    if (file.calendar() != first_.calendar())
      throw std::runtime_error("'" + path + "' has the calendar " + file.calendar() + ", and '" + first_.path() +
                               "' has " + first_.calendar() + ". Give files of one calendar");
    if (!ends.empty() && !file.ends().empty() && file.ends().front() <= ends.back())
      throw std::runtime_error("'" + path +
                               "' begins before the end of the file before it. Give the files in the order "
                               "of their times");
    ends.insert(ends.end(), file.ends().begin(), file.ends().end());
  }
  records_ = ends.size();
  if (!first_.begin() && ends.size() < 2)
    throw std::runtime_error("'" + first_.path() +
                             "' has fewer than two records, and time has no bounds: the length of its step is unknown. "
                             "Add bounds of time, or give later files, too");
  begin_ = first_.begin() ? *first_.begin() : ends[0] - (ends[1] - ends[0]);
  step_seconds_ = ends.empty() ? 0 : ends[0] - begin_;
  for (size_t n = 1; n < ends.size(); ++n)
    if (ends[n] - ends[n - 1] != step_seconds_) step_seconds_ = 0;
  if (first_.begin() || task_.times == "end") return;
  if (step_seconds_ == 0)
    throw std::runtime_error(
        "the times of '" + first_.path() +
        "' are not at equal distances, so that no step with a time in its middle or at its beginning "
        "has a known end. Add bounds of time");
  shift_ = task_.times == "middle" ? step_seconds_ / 2 : step_seconds_;
  begin_ += shift_;
}

void Sender::begin() {
  take_times();
  find_coordinates();
  const auto is_sent = [this](const TimedVariable &each) {
    return has_time(each) && is_numeric(each.type) && std::ranges::find(coordinates_, each.name) == coordinates_.end();
  };
  for (const TimedVariable &each : first_.variables())
    if (is_sent(each) && each.dims.size() > 1) decomps_.emplace(grid_of(each), nullptr);
  for (const TimedVariable &each : first_.variables())
    if (is_fixed(each)) declare(each);
  for (const TimedVariable &each : first_.variables())
    if (is_sent(each)) declare(each);
  put_conditions_first();
  sv_stream_start start{};
  start.calendar = first_.calendar().c_str();
  std::ranges::copy(date_of(begin_), start.date);
  start.step_seconds = step_seconds_;
  must(sv_begin_streams(streams_, &start));
}

/// The fields of conditions: the library needs them before the values that they select.
void Sender::put_conditions_first() {
  const auto config = sv::streams::parse_configuration(
      sv::streams::read_config_text(io_, task_.configuration.c_str()).text, task_.configuration);
  std::set<std::string> fields;
  for (const auto &stream : config.streams)
    for (const auto &request : stream.fields)
      if (request.where) fields.insert(request.where->field);
  std::ranges::stable_partition(sent_, [&](const Sent &each) { return fields.contains(each.name); });
}

double Sender::bytes() const {
  double record = 0;
  for (const Sent &each : sent_) record += each.bytes;
  return record * static_cast<double>(records_);
}

/// Whether a variable of a later file has the same dimensions, and is packed if that of the first one is.
bool Sender::is_like(const TimedFile &file, const TimedVariable &variable, const Sent &sent) const {
  const std::vector<int> &dims = first_.variable(sent.name)->dims;
  const auto is_same = [&](int one, int other) {
    return first_.dim_name(one) == file.dim_name(other) &&
           (one == first_.time_dim() || first_.length(one) == file.length(other));
  };
  return file.is_packed(variable) == sent.is_unpacked &&
         std::equal(dims.begin(), dims.end(), variable.dims.begin(), variable.dims.end(), is_same);
}

void Sender::send_record(const TimedFile &file, size_t record) {
  const std::array<int, 6> date = date_of(file.ends()[record] + shift_);
  for (const Sent &each : sent_) {
    int wanted = 0;
    must(sv_inq_field_wanted(streams_, each.field, date.data(), &wanted));
    if (wanted == 0) continue;
    const TimedVariable *const variable = file.variable(each.name);
    if (variable == nullptr || !is_like(file, *variable, each))
      throw std::runtime_error("'" + file.path() + "' has no variable '" + each.name + "' like that of '" +
                               first_.path() + "'. Give files of the same variables");
    read(file, variable->id, static_cast<int64_t>(record), each);
    must(sv_send_field(streams_, each.field, date.data(), values_.data()));
  }
  must(sv_end_step(io_));
}

void Sender::send(const std::function<void(double)> &progress) {
  const double record_bytes = bytes() / static_cast<double>(records_);
  size_t done = 0;
  for (const std::string &path : task_.in) {
    const TimedFile file(io_, path);
    for (size_t record = 0; record < file.ends().size(); ++record) {
      send_record(file, record);
      progress(record_bytes * static_cast<double>(++done));
    }
  }
}

/// Collective over the ranks that are no servers.
void stream_within(sv_context *io, const Streaming &task) {
  Sender sender(io, task);
  sender.begin();
  int rank = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  must(sv_model_comm(io, &comm));
  MPI_Comm_rank(comm, &rank);
  const bool speaks = rank == 0 && !task.quiet;
  const double begin = MPI_Wtime();
  sender.send(Bar("sv-copy", speaks && isatty(STDERR_FILENO) != 0, sender.bytes()));
  sender.close();
  const double seconds = MPI_Wtime() - begin, megabytes = sender.bytes() / 1e6;
  if (speaks)
    std::printf("sv-copy: %zu records of %zu files: %.1f MB in %.2f s, %.0f MB/s\n", sender.records(), task.in.size(),
                megabytes, seconds, megabytes / seconds);
}

}  // namespace

void write_streams(const Streaming &task) {
  sv_context *const io = start(MPI_COMM_WORLD, task.settings, task.configuration.c_str());
  std::string cause;
  try {
    int is_model = 1;
    must(sv_is_model(io, &is_model));
    if (is_model != 0) stream_within(io, task);
  } catch (const std::exception &error) {
    cause = error.what();
  }
  const int status = sv_finalize(io);  // after an error it abandons files
  if (!cause.empty()) throw std::runtime_error(cause);
  must(status);
}

}  // namespace sv_tools
