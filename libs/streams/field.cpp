#include "field.hpp"

#include <algorithm>
#include <sstream>

#include "failure.hpp"
#include "number_type.hpp"

namespace sv::streams {

namespace {

void add_text(Texts &to, const char *name, const char *text) {
  if (text != nullptr && text[0] != '\0') to.emplace_back(name, text);
}

void require(bool holds, const std::string &what, const std::string &cause, const char *remedy) {
  if (!holds) throw Failure(SV_EINVAL, what + ": " + cause, remedy);
}

Axis axis_of(const sv_stream_axis &given, const std::string &field) {
  require(given.name != nullptr && given.name[0] != '\0', field, "an axis has no name", "See sv_stream_axis");
  const std::string what = field + ", axis '" + given.name + "'";
  require(given.length > 0, what, "its length is " + std::to_string(given.length), "Give 1 or more");
  require(given.bounds == nullptr || given.values != nullptr, what, "bounds without values", "Give both");
  Axis made{given.name, given.length, {}, {}, {}, {}};
  if (given.values != nullptr) made.values.assign(given.values, given.values + given.length);
  if (given.bounds != nullptr) made.bounds.assign(given.bounds, given.bounds + 2 * given.length);
  add_text(made.attributes, "standard_name", given.standard_name);
  add_text(made.attributes, "long_name", given.long_name);
  add_text(made.attributes, "units", given.units);
  add_text(made.attributes, "axis", given.axis);
  add_text(made.attributes, "positive", given.positive);
  return made;
}

bool is_numeric(int type) { return type >= SV_BYTE && type <= SV_UINT64 && type != SV_CHAR; }

double missing_of(int type, const void *value) {
  return with_type(type,
                   [value](auto zero) { return static_cast<double>(*static_cast<const decltype(zero) *>(value)); });
}

/// Finds the axes of the decomposition's grid, from the last one on, and counts
/// the cells of this rank's array.
void place_grid(Field &field, const std::string &what) {
  const auto naxes = static_cast<int>(field.axes.size());
  int ndims = 0, own_ndims = 0;
  int64_t shape[SV_MAX_GRID_DIMS], extent[SV_MAX_GRID_DIMS];
  if (field.decomp != nullptr) must(sv_inq_decomp(field.decomp, &ndims, shape, &own_ndims, extent));
  const auto fits = [&](int first) {
    return std::equal(shape, shape + ndims, field.axes.begin() + first,
                      [](int64_t length, const Axis &axis) { return axis.length == length; });
  };
  field.first_axis = naxes - ndims;
  while (field.first_axis >= 0 && !fits(field.first_axis)) --field.first_axis;
  if (field.first_axis < 0)
    throw Failure(SV_ELAYOUT,
                  what +
                      ": the shape of the decomposition's grid is not that "
                      "of any of its axes",
                  "Give axes of the lengths of the grid, slowest first");
  field.grid_axes = ndims;
  for (int d = 0; d < naxes; ++d) {
    if (d == field.first_axis) field.extent.insert(field.extent.end(), extent, extent + own_ndims);
    if (d < field.first_axis || d >= field.first_axis + ndims)
      field.extent.push_back(field.axes[static_cast<size_t>(d)].length);
  }
  field.cells = 1;
  for (const int64_t length : field.extent) field.cells *= static_cast<size_t>(length);
}

}  // namespace

std::string name_of_type(int type) {
  char name[SV_MAX_NAME];
  must(sv_inq_type(type, name, nullptr));
  return name;
}

Field field_of(const sv_stream_field &definition) {
  require(definition.name != nullptr && definition.name[0] != '\0', "sv_def_stream_field", "the field has no name",
          "See sv_stream_field");
  const std::string what = std::string("field '") + definition.name + "'";
  require(is_numeric(definition.type), what, "there are no numbers of type " + std::to_string(definition.type),
          "Use the types of enum sv_type, except SV_CHAR");
  require(definition.file_type == 0 || is_numeric(definition.file_type), what,
          "there are no numbers of type " + std::to_string(definition.file_type) + " in files", "See sv_stream_field");
  require(definition.naxes >= 0 && definition.naxes < SV_MAX_DIMS, what,
          "it has " + std::to_string(definition.naxes) + " axes", "Give 0 to 15");
  require(definition.naxes == 0 || definition.axes != nullptr, what, "its axes are a null pointer", "Give a list");
  const bool has_missing = definition.fill_value != nullptr;
  Field made{};
  made.name = definition.name;
  made.decomp = definition.decomp;
  made.kind = {definition.type, has_missing, 0};
  made.file_type = definition.file_type == 0 ? definition.type : definition.file_type;
  if (has_missing) made.kind.missing = missing_of(definition.type, definition.fill_value);
  if (definition.units != nullptr) made.units = definition.units;
  add_text(made.attributes, "standard_name", definition.standard_name);
  add_text(made.attributes, "long_name", definition.long_name);
  add_text(made.references, "coordinates", definition.coordinates);
  add_text(made.references, "cell_measures", definition.cell_measures);
  add_text(made.references, "ancillary_variables", definition.ancillary_variables);
  add_text(made.references, "bounds", definition.bounds);
  for (int d = 0; d < definition.naxes; ++d) made.axes.push_back(axis_of(definition.axes[d], what));
  place_grid(made, what);
  return made;
}

bool have_same_cells(const Axis &one, const Axis &other) {
  return one.name == other.name && one.length == other.length && one.values == other.values &&
         one.bounds == other.bounds && one.attributes == other.attributes;
}

Field static_field_of(const sv_stream_field &definition, const void *values) {
  Field made = field_of(definition);
  made.is_static = true;
  if (values == nullptr) return made;
  const size_t bytes = with_type(made.kind.type, [](auto zero) { return sizeof zero; }) * made.cells;
  const auto *const from = static_cast<const std::byte *>(values);
  made.constant.assign(from, from + bytes);
  return made;
}

void DeclaredNames::add(const Field &field) {
  if (!fields_.insert(field.name).second)
    throw Failure(SV_EEXISTS, "field '" + field.name + "' is declared a second time", "Declare each field once");
  for (const Axis &axis : field.axes) {
    const auto [known, is_new] = axes_.try_emplace(axis.name, axis, field.name);
    if (!is_new && !(known->second.first == axis))
      throw Failure(SV_EDEFINE,
                    "field '" + field.name + "': its axis '" + axis.name + "' is not that of field '" +
                        known->second.second + "'",
                    "Give axes that differ in length, values or attributes names of their own");
  }
}

std::vector<ReferredName> names_in(const std::string &reference) {
  std::vector<ReferredName> names;
  std::istringstream in(reference);
  std::string key;
  for (std::string word; in >> word;)
    if (word.back() == ':')
      key = word;
    else
      names.push_back({std::exchange(key, ""), word});
  return names;
}

const Field *static_field_named(const std::vector<Field> &fields, const std::string &name) {
  for (const Field &field : fields)
    if (field.is_static && field.name == name) return &field;
  return nullptr;
}

void check_references(const std::vector<Field> &fields) {
  for (const Field &field : fields)
    for (const auto &[attribute, text] : field.references)
      for (const auto &[key, name] : names_in(text))
        if (static_field_named(fields, name) == nullptr)
          throw Failure(
              SV_EDEFINE,
              "field '" + field.name + "': its " + attribute + " names '" + name + "', which is no field without time",
              "Declare it with sv_def_static_field");
}

std::vector<double> constants_of(const Field &field) {
  return with_type(field.kind.type, [&](auto zero) {
    const auto *const from = reinterpret_cast<const decltype(zero) *>(field.constant.data());
    return std::vector<double>(from, from + field.constant.size() / sizeof zero);
  });
}

}  // namespace sv::streams
