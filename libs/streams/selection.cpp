#include "selection.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <set>

#include "failure.hpp"
#include "grid_search.hpp"

namespace sv::streams {

namespace {

bool is_exact(const std::string &pattern) { return pattern.find_first_of("*?[") == std::string::npos; }

bool is_integer(int type) { return type != SV_FLOAT && type != SV_DOUBLE; }

/// Throws where the operation makes no sense for the field; sets the type in
/// the file.
void fit_type(FieldRequest &request, const Field &field, const std::string &what) {
  const OperationFacts &facts = facts_of(request.operation);
  std::optional<int> &type = request.storage.type;
  const bool is_long = field.kind.type == SV_INT64 || field.kind.type == SV_UINT64;
  const bool is_real = facts.is_real || request.reduction || request.grid;
  if (is_long && (request.operation != Operation::instant || is_real))
    throw Failure(SV_ECONFIG, what + " has integers of 64 bits, of which '" + facts.name + "' would lose digits",
                  "Use the operation 'instant', or send values of another type");
  if (type && is_integer(*type) && is_real)
    throw Failure(SV_ECONFIG, what + ": '" + facts.name + "' is no integer, but its type is " + name_of_type(*type),
                  "Give the type float or double");
  const int usual = request.operation == Operation::count ? SV_INT : field.file_type;
  if (!type) type = is_real && is_integer(usual) ? SV_DOUBLE : usual;
}

/// The names of all fields, for a message; cut short.
std::string names_of(const std::vector<Field> &fields) {
  constexpr size_t most = 12;
  std::string text;
  for (size_t i = 0; i < std::min(most, fields.size()); ++i) text += (i == 0 ? "" : ", ") + fields[i].name;
  return text + (fields.size() > most ? " ..." : "");
}

constexpr const char *no_coordinates = "Declare axes or coordinates of degrees_east and degrees_north, or take slices";

class Selection {
 public:
  Selection(const StreamRequest &stream, const std::vector<Field> &fields) : stream_(stream), fields_(fields) {
    for (const FieldRequest &request : stream.fields)
      if (is_exact(request.pattern)) exact_.insert(request.pattern);
  }

  std::vector<Selected> take() {
    for (const FieldRequest &request : stream_.fields) add_matching(request);
    check_operations();
    check_parts();
    return std::move(all_);
  }

 private:
  void add_matching(const FieldRequest &request) {
    bool found = false;
    for (size_t i = 0; i < fields_.size(); ++i) {
      const std::string &name = fields_[i].name;
      if (fnmatch(request.pattern.c_str(), name.c_str(), 0) != 0) continue;
      if (fields_[i].is_static && !is_exact(request.pattern)) continue;
      found = true;
      if (is_exact(request.pattern) || exact_.count(name) == 0) add(request, i);
    }
    if (!found)
      throw Failure(SV_ECONFIG,
                    request.place + ": stream '" + stream_.name + "' asks for '" + request.pattern +
                        "', which the model does not declare",
                    fields_.empty() ? "The model has declared no field" : "It has declared " + names_of(fields_));
  }

  void add(const FieldRequest &request, size_t number) {
    const Field &field = fields_[number];
    Selected one{number, request};
    if (const size_t star = one.request.name.find('*'); star != std::string::npos)
      one.request.name.replace(star, 1, field.name);
    const std::string what = request.place + ": field '" + field.name + "' of stream '" + stream_.name + "'";
    if (field.is_static) leave_time(one.request, what);
    if (const std::string &units = one.request.units; !units.empty() && units != field.units)
      throw Failure(SV_ECONFIG, what + " has the units '" + field.units + "', but '" + units + "' are required",
                    "Convert the values in the model");
    fit_type(one.request, field, what);
    check_part(request, field, what);
    if (!names_.insert(one.request.name).second)
      throw Failure(SV_ECONFIG, what + ": the stream has two variables '" + one.request.name + "'",
                    "Give one of them another name, with the key 'name'");
    for (const Axis &axis : field.axes) taken_.insert({axis.name, axis.name + "_bnds"});
    all_.push_back(std::move(one));
  }

  /// A field without time has no operations, except that of its stream's other fields.
  static void leave_time(FieldRequest &request, const std::string &what) {
    if (request.has_own_steps)
      throw Failure(SV_ECONFIG, what + " has no time", "Leave out its keys 'operation', 'where', 'reduce' and 'grid'");
    request.operation = Operation::instant;
    request.parts_a_day = 1;
    request.where.reset();
    request.reduction.reset();
    request.grid.reset();
    request.part.levels.clear();
  }

  /// The field's own selection is of axes that it has.
  void check_part(const FieldRequest &request, const Field &field, const std::string &what) const {
    if (request.part.has_own_levels && !has_axis(field, "Z"))
      throw Failure(SV_ECONFIG, what + " has no vertical axis for levels", "Declare an axis with 'positive' or Z");
    for (const AxisRange &range : request.part.ranges)
      if (range.is_own && !has_range(field, range))
        throw Failure(SV_ECONFIG, what + " has no axis '" + range.axis + "'", "Take slices of its own axes");
    if (request.part.has_own_stations && !has_grid(field))
      throw Failure(SV_ECONFIG, what + " has no longitudes and latitudes for stations", no_coordinates);
  }

  static bool has_axis(const Field &field, const std::string &name) {
    return std::any_of(field.axes.begin(), field.axes.end(), [&](const Axis &axis) { return is_called(axis, name); });
  }
  bool has_range(const Field &field, const AxisRange &range) const {
    return has_axis(field, range.axis) || (range.box && coordinate_called(field, fields_, range.axis) != nullptr);
  }
  bool has_grid(const Field &field) const {
    const auto has = [&](const char *name) {
      return has_axis(field, name) || coordinate_called(field, fields_, name) != nullptr;
    };
    return has("X") && has("Y");
  }

  /// That of the stream is of axes that one of its fields has.
  void check_parts() const {
    const auto any = [&](const auto &has) {
      return std::any_of(all_.begin(), all_.end(), [&](const Selected &one) { return has(fields_[one.field]); });
    };
    for (const AxisRange &range : stream_.part.ranges)
      if (!any([&](const Field &field) { return has_range(field, range); }))
        throw Failure(SV_ECONFIG,
                      stream_.place + ": stream '" + stream_.name + "' has no field with the axis '" + range.axis + "'",
                      "Take slices of axes that its fields have");
    if (!stream_.part.levels.empty() && !any([](const Field &field) { return has_axis(field, "Z"); }))
      throw Failure(SV_ECONFIG,
                    stream_.place + ": stream '" + stream_.name + "' has levels, but no field with a vertical axis",
                    "Declare an axis with 'positive' or Z");
    if (!stream_.part.stations.empty() && !any([&](const Field &field) { return has_grid(field); }))
      throw Failure(SV_ECONFIG, stream_.place + ": stream '" + stream_.name + "' has stations, but no field on a grid",
                    no_coordinates);
  }

  void check_operations() const {
    const auto count = [&](bool is_instant) {
      return std::count_if(all_.begin(), all_.end(), [&](const Selected &one) {
        return !fields_[one.field].is_static && (one.request.operation == Operation::instant) == is_instant;
      });
    };
    if (count(true) + count(false) == 0)
      throw Failure(SV_ECONFIG, stream_.place + ": stream '" + stream_.name + "' has only fields without time",
                    "Name a field that the model sends, too");
    if (count(true) != 0 && count(false) != 0)
      throw Failure(SV_ECONFIG,
                    stream_.place + ": stream '" + stream_.name +
                        "' has instant values and operations over a period, "
                        "but a record has one time",
                    "Make two streams of it");
    for (const Selected &one : all_)
      if (taken_.count(one.request.name) != 0 || one.request.name == "time" || one.request.name == "time_bnds")
        throw Failure(SV_ECONFIG, one.request.place + ": the name '" + one.request.name + "' is that of a coordinate",
                      "Give the field another name, with the key 'name'");
  }

  const StreamRequest &stream_;
  const std::vector<Field> &fields_;
  std::set<std::string> exact_, names_;
  std::set<std::string> taken_ = {"bnds", "station", "station_name", "region"};
  std::vector<Selected> all_;
};

}  // namespace

std::vector<Selected> select_fields(const StreamRequest &stream, const std::vector<Field> &fields) {
  return Selection(stream, fields).take();
}

}  // namespace sv::streams
