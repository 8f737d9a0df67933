#include "file/definitions.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/normalisation.hpp"
#include "model/definition_checks.hpp"
#include "model/groups.hpp"
#include "model/listing.hpp"
#include "model/rules/classic.hpp"
#include "model/rules/netcdf4.hpp"

namespace sv {

/// As netCDF has names: checked as they are given, and kept in their normal form.
std::string Definitions::new_name(const std::string &given, Place place) const {
  const auto check = [&](const std::string &name) {
    place == Place::in_group ? check_name_in(schema, name) : check_name(name);
  };
  try {
    check(given);
    if (!may_be_denormal(given)) return given;
    std::string name = normalised(given);
    check(name);  // it may be longer
    return name;
  } catch (Error &error) {
    throw error.in_file(path_);
  }
}

int Definitions::define_dim(const std::string &given, int64_t length) {
  const std::string name = new_name(given);
  if (length < 0)
    throw Error(Status::invalid, "dimension '" + name + "' has the length " + std::to_string(length),
                "Lengths are positive; SV_UNLIMITED makes the record dimension")
        .in_file(path_);
  if (find_dim(name) >= 0 || schema.find_group(name) >= 0)
    throw Error(Status::exists, "dimension '" + name + "' is defined twice", "Use another name").in_file(path_);
  const bool is_unlimited = length == 0, has_record_dim = is_unlimited && schema.record_dim() >= 0;
  Dimension made{name, length, is_unlimited && !has_record_dim, is_unlimited && has_record_dim};
  try {
    if (classic::governs(schema.format)) classic::check_dimension(schema, made);
  } catch (Error &error) {
    throw error.in_file(path_);
  }
  schema.dims.push_back(std::move(made));
  return static_cast<int>(schema.dims.size()) - 1;
}

namespace {

/// With the marks that the rules of the format give it.
void add_variable(Schema &schema, Variable made) {
  const auto is_unlimited = [&schema](int dim) { return schema.is_unlimited(dim); };
  if (classic::governs(schema.format)) classic::check_axes(schema, made.dims);
  made.has_records = !made.dims.empty() && schema.dims[static_cast<size_t>(made.dims.front())].is_record;
  const bool has_others = std::ranges::any_of(made.slab_dims(), is_unlimited);
  schema.variables.push_back(std::move(made));
  if (!has_others) return;
  try {
    enhanced::choose_record_dimension(schema);
  } catch (const Error &) {
    schema.variables.pop_back();
    throw;
  }
}

}  // namespace

int Definitions::define_variable(const std::string &given, Type type, const std::vector<int> &dims) {
  const std::string name = new_name(given);
  const auto refuse = [&](Status status, const std::string &cause, const std::string &remedy) {
    return Error(status, cause, remedy).in_variable(name).in_file(path_);
  };
  if (find_variable(name) >= 0 || schema.find_group(name) >= 0)
    throw refuse(Status::exists, "the variable is defined twice", "Use another name");
  try {
    check_dimension_count(schema.format, std::ssize(dims));
  } catch (Error &error) {
    throw error.in_variable(name).in_file(path_);
  }
  for (const int dim : dims)
    if (dim < 0 || dim >= static_cast<int>(schema.dims.size()))
      throw refuse(Status::not_found, "there is no dimension with id " + std::to_string(dim),
                   "Use the ids that sv_def_dim gives");
  for (const int dim : dims)
    if (const std::string &own = schema.dims[static_cast<size_t>(dim)].name; !sees(group_of(name), group_of(own)))
      throw refuse(Status::define, "dimension '" + own + "' is in another group",
                   "Use dimensions of the variable's group or of outer ones");
  Variable made{.name = name, .type = type, .dims = dims, .attributes = {}};
  try {
    if (classic::governs(schema.format)) classic::check_type(type);
    add_variable(schema, std::move(made));
  } catch (Error &error) {
    throw error.in_variable(name).in_file(path_);
  }
  return static_cast<int>(schema.variables.size()) - 1;
}

void Definitions::undefine_last_variable() {
  const int last = static_cast<int>(schema.variables.size()) - 1;
  axes_.erase(last);
  packed_.erase(last);
  forget_names();
  schema.variables.pop_back();
  if (!classic::governs(schema.format)) enhanced::choose_record_dimension(schema);
}

std::vector<Attribute> &Definitions::own_attributes(int variable) {
  attributes(variable);  // checks the id
  if (variable < -1) return schema.groups[static_cast<size_t>(-2 - variable)].attributes;
  return variable < 0 ? schema.attributes : schema.variables[static_cast<size_t>(variable)].attributes;
}

void Definitions::check_attribute(int variable, const Attribute &attribute) const {
  if (attribute.type == Type::string && classic::governs(schema.format)) {
    const Error refused(Status::type, "attribute '" + attribute.name + "' is of strings, which CDF files do not have",
                        "Put one text, for instance joined by blanks, or set the format to netcdf4 or zarr");
    throw variable < 0 ? Error(refused).in_file(path_)
                       : Error(refused).in_variable(this->variable(variable).name).in_file(path_);
  }
  if (variable < 0 || attribute.name != "_FillValue") return;
  const Variable &each = this->variable(variable);
  if (attribute.type == each.type && attribute.count == 1) return;
  throw Error(Status::type,
              "_FillValue is " + std::to_string(attribute.count) + " of type " +
                  std::string(sv::name_of(attribute.type)) + ", the variable is of type " +
                  std::string(sv::name_of(each.type)),
              "Give one value of the variable's type")
      .in_variable(each.name)
      .in_file(path_);
}

void Definitions::put_attribute(int variable, Attribute attribute) {
  attribute.name = new_name(attribute.name, Place::plain);
  check_attribute(variable, attribute);
  std::vector<Attribute> &all = own_attributes(variable);
  const int known = names_.attributes[variable].find(all, attribute.name);
  if (attribute.name == order_attribute) names_.order_marks.reset();
  if (known < 0)
    all.push_back(std::move(attribute));
  else
    all[static_cast<size_t>(known)] = std::move(attribute);
}

void Definitions::define_fill(int variable, const void *value) {
  const Type type = this->variable(variable).type;
  if (type == Type::string)
    throw Error(Status::type, "its fill value is a string", "Put it with sv_put_att_string, as '_FillValue'")
        .in_variable(this->variable(variable).name)
        .in_file(path_);
  Attribute fill{"_FillValue", type, 1, SmallBytes(static_cast<size_t>(size_of(type)))};
  std::memcpy(fill.values.data(), value, fill.values.size());
  put_attribute(variable, std::move(fill));
}

void Definitions::define_packing(int variable, const Scaling &scaling) {
  const Variable &each = this->variable(variable);
  const bool finite = std::isfinite(scaling.factor) && std::isfinite(scaling.offset);
  if (!finite || scaling.factor == 0)
    throw Error(Status::invalid, "packing with a scale_factor of 0, or with numbers that are not finite",
                "value = packed * scale_factor + add_offset")
        .in_variable(each.name)
        .in_file(path_);
  const auto put = [&](const char *name, double value) {
    Attribute made{name, Type::float64, 1, SmallBytes(sizeof value)};
    std::memcpy(made.values.data(), &value, sizeof value);
    put_attribute(variable, std::move(made));
  };
  put("scale_factor", scaling.factor);
  put("add_offset", scaling.offset);
  use_packing(variable, true);
}

void Definitions::use_packing(int variable, bool on) {
  const Variable &each = this->variable(variable);
  if (!on) {
    packed_.erase(variable);
    return;
  }
  const auto refuse = [&](Status status, const std::string &cause, const std::string &remedy) {
    return Error(status, cause, remedy).in_variable(each.name).in_file(path_);
  };
  if (each.type == Type::text || each.type == Type::string)
    throw refuse(Status::type, "characters and strings cannot be packed", "Pack numbers");
  int found = 0;
  for (const char *name : {"scale_factor", "add_offset"}) {
    const Attribute *attribute = sv::find_attribute(each.attributes, name);
    found += attribute != nullptr;
    if (attribute != nullptr &&
        (attribute->type == Type::text || attribute->type == Type::string || attribute->count != 1))
      throw refuse(Status::type, "its attribute '" + std::string(name) + "' is not one number",
                   "Read the packed values, without sv_use_packing");
  }
  if (found == 0)
    throw refuse(Status::not_found, "it has neither scale_factor nor add_offset",
                 "Its values are not packed: read them as they are");
  packed_.insert(variable);
}

void Definitions::define_axes(int variable, int first_dim) {
  const Variable &each = this->variable(variable);
  if (first_dim < 0 || first_dim >= static_cast<int>(each.dims.size()))
    throw Error(Status::invalid, "there is no dimension " + std::to_string(first_dim),
                "Dimensions count from 0, slowest first")
        .in_variable(each.name)
        .in_file(path_);
  axes_[variable] = first_dim;
}

const Dimension &Definitions::dim(int id) const {
  if (id < 0 || id >= static_cast<int>(schema.dims.size()))
    throw Error(Status::not_found, "there is no dimension with id " + std::to_string(id),
                "Use the ids that sv_def_dim or sv_inq_dimid give")
        .in_file(path_);
  return schema.dims[static_cast<size_t>(id)];
}

const std::vector<Attribute> &Definitions::attributes(int variable) const {
  if (variable < -1) {
    try {
      group_name(schema, -1 - variable);  // checks it
    } catch (Error &error) {
      throw error.in_file(path_);
    }
    return schema.groups[static_cast<size_t>(-2 - variable)].attributes;
  }
  return variable == -1 ? schema.attributes : this->variable(variable).attributes;
}

int Definitions::find_dim(const std::string &name) const { return names_.dims.find(schema.dims, name); }

int Definitions::find_variable(const std::string &name) const { return names_.variables.find(schema.variables, name); }

const Attribute *Definitions::find_attribute(int variable, const std::string &name) const {
  const std::vector<Attribute> &all = attributes(variable);
  const int at = names_.attributes[variable].find(all, name);
  return at < 0 ? nullptr : &all[static_cast<size_t>(at)];
}

const Variable &Definitions::variable(int id) const {
  if (id < 0 || id >= static_cast<int>(schema.variables.size()))
    throw Error(Status::not_found, "there is no variable with id " + std::to_string(id),
                "Use the ids that sv_def_var or sv_inq_varid give")
        .in_file(path_);
  return schema.variables[static_cast<size_t>(id)];
}

/// To be renamed, or to go.
Attribute &Definitions::own_attribute(int variable, const std::string &name) {
  std::vector<Attribute> &all = own_attributes(variable);
  const int known = names_.attributes[variable].find(all, name);
  names_.attributes.erase(variable);
  names_.order_marks.reset();
  if (known >= 0) return all[static_cast<size_t>(known)];
  throw Error(Status::not_found, "there is no attribute '" + name + "'", "See ncdump -h").in_file(path_);
}

/// Very many dimensions may be renamed, of files with very many variables.
void Definitions::rename_dim(int dim, const std::string &given) {
  const std::string name = new_name(renamed_in_group(this->dim(dim).name, new_name(given, Place::plain)));
  const int known = find_dim(name);
  if (known >= 0 && known != dim)
    throw Error(Status::exists, "there is a dimension '" + name + "'", "Use another name").in_file(path_);
  std::string &own = schema.dims[static_cast<size_t>(dim)].name;
  names_.dims.rename(dim, own, name);
  own = name;
  const auto is_marked = [](const Variable &each) {
    return sv::find_attribute(each.attributes, order_attribute) != nullptr;
  };
  if (!names_.order_marks) names_.order_marks = std::ranges::any_of(schema.variables, is_marked);
  if (!*names_.order_marks) return;
  for (Variable &each : schema.variables) {
    if (each.dims.size() != 1 || each.dims.front() != dim) continue;
    for (Attribute &mark : each.attributes)
      if (mark.name == order_attribute) mark = text_attribute(order_attribute, name);
  }
}

void Definitions::rename_variable(int variable, const std::string &given) {
  const std::string name = new_name(renamed_in_group(this->variable(variable).name, new_name(given, Place::plain)));
  const int known = find_variable(name);
  if (known >= 0 && known != variable)
    throw Error(Status::exists, "there is such a variable", "Use another name").in_variable(name).in_file(path_);
  std::string &own = schema.variables[static_cast<size_t>(variable)].name;
  names_.variables.rename(variable, own, name);
  own = name;
}

void Definitions::rename_attribute(int variable, const std::string &from, const std::string &given) {
  const std::string to = new_name(given, Place::plain);
  Attribute &renamed = own_attribute(variable, from);
  const Attribute *const other = find_attribute(variable, to);
  names_.attributes.erase(variable);
  if (other != nullptr && other != &renamed)
    throw Error(Status::exists, "there is an attribute '" + to + "'", "Use another name").in_file(path_);
  Attribute made = renamed;
  made.name = to;
  check_attribute(variable, made);
  renamed = std::move(made);
}

void Definitions::delete_attribute(int variable, const std::string &name) {
  const Attribute *const deleted = &own_attribute(variable, name);
  std::vector<Attribute> &all = own_attributes(variable);
  all.erase(all.begin() + (deleted - all.data()));
}

std::optional<int> Definitions::axis_of(int variable, const Layout &layout) const {
  try {
    return first_axis(variable, layout);
  } catch (const Error &) {
    return std::nullopt;
  }
}

int Definitions::first_axis(int variable, const Layout &layout) const {
  const Variable &each = this->variable(variable);
  const Index shape = schema.slab_shape(each);
  const Index &grid = layout.shape();
  const auto stands_at = [&](int first) {
    if (first < 0 || first + grid.n > shape.n) return false;
    for (int d = 0; d < grid.n; ++d)
      if (shape[first + d] != grid[d]) return false;
    return true;
  };
  const auto in_words = [](const Index &index) {
    std::string text;
    for (int d = 0; d < index.n; ++d) text += (d == 0 ? "" : " x ") + std::to_string(index[d]);
    return text;
  };
  int places = 0, first = -1;
  for (int d = 0; d < shape.n; ++d)
    if (stands_at(d)) {
      ++places;
      first = d;
    }
  if (const auto declared = axes_.find(variable); declared != axes_.end()) {
    first = declared->second - each.record_axes();
    places = stands_at(first) ? 1 : 0;
  }
  if (places == 1) return first;
  throw Error(Status::layout,
              "the decomposition's grid of " + in_words(grid) + " stands " +
                  (places == 0 ? "nowhere" : "in several places") + " in the variable's " + in_words(shape),
              places == 0 ? "The dimensions of the grid must follow one another in the variable"
                          : "Say which with sv_def_var_decomp_dim")
      .in_variable(each.name)
      .in_file(path_);
}

std::string Definitions::listing() const { return listing_of(schema, axes_); }

uint64_t Definitions::passing_signature() const { return run_local_hash(schema, axes_); }

void Definitions::use_as(const Definitions &other) {
  axes_ = other.axes_;
  packed_ = other.packed_;
}

}  // namespace sv
