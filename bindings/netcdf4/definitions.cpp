#include "definitions.hpp"

#include <algorithm>
#include <cstring>

#include "../face/types.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

/// Of the attributes of a file: those of a variable in a group, or of the group (NC_GLOBAL).
struct Holder {
  int group, variable;
};

/// Asks a file of the real library.
class Inquirer {
 public:
  Inquirer(int ncid, const void *caller) : ncid_(ncid), caller_(caller) {}

  std::vector<GroupDefinition> groups() const {
    std::vector<GroupDefinition> all(1);
    add_groups(0, all);
    return all;
  }
  /// Of one group.
  Counts counts(int group) const {
    Counts counts;
    expect(real::inq(caller_)(ncid_ + group, nullptr, &counts.variables, nullptr, nullptr));
    expect(real::inq_dimids(caller_)(ncid_ + group, &counts.dims, nullptr, 0));
    return counts;
  }
  int attribute_count(Holder of) const {
    int count = 0;
    expect(of.variable == NC_GLOBAL
               ? real::inq(caller_)(ncid_ + of.group, nullptr, nullptr, &count, nullptr)
               : real::inq_var(caller_)(ncid_ + of.group, of.variable, nullptr, nullptr, nullptr, nullptr, &count));
    return count;
  }
  std::string attribute_name(Holder of, int number) const {
    char name[NC_MAX_NAME + 1];
    expect(real::inq_attname(caller_)(ncid_ + of.group, of.variable, number, name));
    return name;
  }
  /// Whether there is one; otherwise the result is not changed.
  bool find_attribute(Holder of, const std::string &name, AttributeDefinition &found) const {
    const int group = ncid_ + of.group;
    if (real::inq_att(caller_)(group, of.variable, name.c_str(), &found.type, &found.count) != NC_NOERR) return false;
    found.name = name;
    found.base = found.type;
    if (found.type >= EnumDefinition::first_number)
      expect(real::inq_user_type(caller_)(ncid_, found.type, nullptr, nullptr, &found.base, nullptr, nullptr));
    if (found.type == NC_STRING) {
      read_strings(of, found);
      return true;
    }
    found.values.resize(found.count + 1);
    expect(real::get_att(caller_)(group, of.variable, name.c_str(), found.values.data()));
    return true;
  }
  std::vector<AttributeDefinition> attributes(Holder of) const {
    std::vector<AttributeDefinition> all(static_cast<size_t>(attribute_count(of)));
    for (int a = 0; a < std::ssize(all); ++a)
      refuse_if(!find_attribute(of, attribute_name(of, a), all[static_cast<size_t>(a)]), NC_ENOTATT);
    return all;
  }
  VariableDefinition variable(int group, int number) const;
  /// Adds those of a group at their numbers.
  void add_dims(int group, std::vector<DimensionDefinition> &all) const;
  std::vector<EnumDefinition> enums() const;

 private:
  void add_groups(int parent, std::vector<GroupDefinition> &all) const;
  void read_strings(Holder of, AttributeDefinition &attribute) const;
  std::vector<VariableDefinition::Filter> filters(int group, int number) const;

  int ncid_;
  const void *caller_;
};

/// At their numbers.
void Inquirer::add_groups(int parent, std::vector<GroupDefinition> &all) const {
  int count = 0;
  expect(real::inq_grps(caller_)(ncid_ + parent, &count, nullptr));
  std::vector<int> ids(static_cast<size_t>(count) + 1);
  expect(real::inq_grps(caller_)(ncid_ + parent, &count, ids.data()));
  ids.pop_back();
  for (const int id : ids) {
    char name[NC_MAX_NAME + 1];
    expect(real::inq_grpname(caller_)(id, name));
    const auto number = static_cast<size_t>(id - ncid_);
    if (number >= all.size()) all.resize(number + 1);
    all[number] = {parent, name, all[static_cast<size_t>(parent)].path, {}};
    if (parent > 0) all[number].path += '/';
    all[number].path += name;
    add_groups(id - ncid_, all);
  }
}

VariableDefinition Inquirer::variable(int group, int number) const {
  VariableDefinition made;
  const int there = ncid_ + group;
  char name[NC_MAX_NAME + 1];
  int ndims = 0, dims[NC_MAX_VAR_DIMS];
  size_t chunk[NC_MAX_VAR_DIMS];
  made.group = group;
  made.number = number;
  expect(real::inq_var(caller_)(there, number, name, &made.type, &ndims, dims, nullptr));
  made.name = name;
  if (made.type >= EnumDefinition::first_number) {
    made.enumeration = made.type - EnumDefinition::first_number;
    expect(real::inq_user_type(caller_)(ncid_, made.type, nullptr, nullptr, &made.type, nullptr, nullptr));
  }
  made.dims.assign(dims, dims + ndims);
  expect(real::inq_var_chunking(caller_)(there, number, &made.storage, chunk));
  if (ndims > 0 && made.storage == NC_CHUNKED) made.chunk.assign(chunk, chunk + ndims);
  made.filters = filters(group, number);
  expect(real::inq_var_deflate(caller_)(there, number, &made.shuffle, nullptr, nullptr));
  expect(real::inq_var_fletcher32(caller_)(there, number, &made.fletcher32));
  expect(real::inq_var_endian(caller_)(there, number, &made.endian));
  if (made.type == NC_FLOAT || made.type == NC_DOUBLE)
    expect(real::inq_var_quantize(caller_)(there, number, &made.quantize_mode, &made.digits));
  // Of a variable that is not filled, netCDF reports no value, and quantizes with the default in mind.
  const float narrow = NC_FILL_FLOAT;
  const double wide = NC_FILL_DOUBLE;
  if (made.type == NC_FLOAT) std::memcpy(&made.fill, &narrow, sizeof narrow);
  if (made.type == NC_DOUBLE) std::memcpy(&made.fill, &wide, sizeof wide);
  expect(real::inq_var_fill(caller_)(there, number, &made.no_fill, made.type <= NC_UINT64 ? &made.fill : nullptr));
  made.attributes = attributes({group, number});
  return made;
}

void Inquirer::add_dims(int group, std::vector<DimensionDefinition> &all) const {
  const int there = ncid_ + group;
  int count = 0, unlimited = 0;
  expect(real::inq_unlimdims(caller_)(there, &unlimited, nullptr));
  expect(real::inq_dimids(caller_)(there, &count, nullptr, 0));
  std::vector<int> growing(static_cast<size_t>(unlimited) + 1), numbers(static_cast<size_t>(count) + 1);
  expect(real::inq_unlimdims(caller_)(there, &unlimited, growing.data()));
  expect(real::inq_dimids(caller_)(there, &count, numbers.data(), 0));
  numbers.pop_back();
  growing.pop_back();
  for (const int number : numbers) {
    char name[NC_MAX_NAME + 1];
    const auto d = static_cast<size_t>(number);
    if (d >= all.size()) all.resize(d + 1);
    expect(real::inq_dim(caller_)(there, number, name, &all[d].length));
    all[d].group = group;
    all[d].name = name;
    all[d].is_unlimited = std::find(growing.begin(), growing.end(), number) != growing.end();
  }
}

std::vector<EnumDefinition> Inquirer::enums() const {
  std::vector<EnumDefinition> all;
  int count = 0;
  expect(real::inq_typeids(caller_)(ncid_, &count, nullptr));
  for (int t = 0; t < count; ++t) {
    const nc_type type = EnumDefinition::first_number + t;
    char name[NC_MAX_NAME + 1];
    size_t members = 0;
    EnumDefinition &made = all.emplace_back();
    expect(real::inq_enum(caller_)(ncid_, type, name, &made.base, nullptr, &members));
    made.name = name;
    for (int m = 0; m < static_cast<int>(members); ++m) {
      uint64_t value = 0;
      expect(real::inq_enum_member(caller_)(ncid_, type, m, name, &value));
      made.members.push_back({name, value});
    }
  }
  return all;
}

void Inquirer::read_strings(Holder of, AttributeDefinition &attribute) const {
  std::vector<char *> values(attribute.count);
  if (attribute.count == 0) return;
  expect(real::get_att(caller_)(ncid_ + of.group, of.variable, attribute.name.c_str(), values.data()));
  for (const char *const each : values) {
    attribute.strings.emplace_back(each == nullptr ? "" : each);
    attribute.is_null.push_back(each == nullptr);
  }
  expect(real::free_string(caller_)(attribute.count, values.data()));
}

/// Without shuffle and fletcher32, which netCDF-C reports by themselves, and in some files here, too.
std::vector<VariableDefinition::Filter> Inquirer::filters(int group, int number) const {
  constexpr unsigned shuffle = 2, fletcher32 = 3;
  const int there = ncid_ + group;
  size_t count = 0;
  expect(real::inq_var_filter_ids(caller_)(there, number, &count, nullptr));
  std::vector<unsigned> ids(count + 1);
  if (count > 0) expect(real::inq_var_filter_ids(caller_)(there, number, &count, ids.data()));
  std::vector<VariableDefinition::Filter> filters;
  for (size_t f = 0; f < count; ++f) {
    size_t n = 0;
    if (ids[f] == shuffle || ids[f] == fletcher32) continue;
    expect(real::inq_var_filter_info(caller_)(there, number, ids[f], &n, nullptr));
    filters.push_back({ids[f], std::vector<unsigned>(n)});
    if (n > 0) expect(real::inq_var_filter_info(caller_)(there, number, ids[f], &n, filters.back().params.data()));
  }
  return filters;
}

/// Gives one file of the real library the definitions of another one.
class Bringer {
 public:
  Bringer(int to, const void *caller) : to_(to), caller_(caller), known_(to, caller) {}

  void bring(const Definitions &definitions) const {
    const Counts known = counts_of(to_, caller_);
    for (auto g = static_cast<size_t>(known.groups); g < definitions.groups.size(); ++g) {
      const GroupDefinition &group = definitions.groups[g];
      expect(real::def_grp(caller_)(to_ + group.parent, group.name.c_str(), nullptr));
    }
    for (auto d = static_cast<size_t>(known.dims); d < definitions.dims.size(); ++d) {
      const DimensionDefinition &dim = definitions.dims[d];
      const size_t length = dim.is_unlimited ? NC_UNLIMITED : dim.length;
      expect(real::def_dim(caller_)(to_ + dim.group, dim.name.c_str(), length, nullptr));
    }
    bring_enums(definitions.enums);
    for (int g = 0; g < std::ssize(definitions.groups); ++g)
      bring_attributes({g, NC_GLOBAL}, definitions.groups[static_cast<size_t>(g)].attributes);
    bring_variables(definitions);
  }

 private:
  void bring_enums(const std::vector<EnumDefinition> &enums) const;
  void bring_variables(const Definitions &definitions) const;
  void define(const VariableDefinition &variable) const;
  void bring_attributes(Holder to, const std::vector<AttributeDefinition> &attributes) const;
  void put_attribute(Holder to, const AttributeDefinition &attribute) const;

  int to_;
  const void *caller_;
  Inquirer known_;
};

void Bringer::bring_enums(const std::vector<EnumDefinition> &enums) const {
  int known = 0;
  expect(real::inq_typeids(caller_)(to_, &known, nullptr));
  for (auto e = static_cast<size_t>(known); e < enums.size(); ++e) {
    nc_type made = NC_NAT;
    expect(real::def_enum(caller_)(to_, enums[e].base, enums[e].name.c_str(), &made));
    for (const EnumDefinition::Member &each : enums[e].members)
      expect(real::insert_enum(caller_)(to_, made, each.name.c_str(), &each.value));
  }
}

void Bringer::bring_variables(const Definitions &definitions) const {
  std::vector<int> known;
  for (int g = 0; g < std::ssize(definitions.groups); ++g) known.push_back(known_.counts(g).variables);
  for (const VariableDefinition &variable : definitions.variables) {
    const bool is_new = variable.number >= known[static_cast<size_t>(variable.group)];
    if (is_new) define(variable);
    bring_attributes({variable.group, variable.number}, variable.attributes);
    if (is_new && variable.no_fill != 0)
      expect(real::def_var_fill(caller_)(to_ + variable.group, variable.number, 1, nullptr));
  }
}

void Bringer::define(const VariableDefinition &variable) const {
  const int to = to_ + variable.group, number = variable.number;
  const auto ndims = static_cast<int>(variable.dims.size());
  const nc_type type = variable.enumeration < 0 ? variable.type : EnumDefinition::first_number + variable.enumeration;
  expect(real::def_var(caller_)(to, variable.name.c_str(), type, ndims, variable.dims.data(), nullptr));
  if (ndims > 0 || variable.storage == NC_COMPACT)
    expect(real::def_var_chunking(caller_)(to, number, variable.storage, variable.chunk.data()));
  if (variable.quantize_mode > 0)
    expect(real::def_var_quantize(caller_)(to, number, variable.quantize_mode, variable.digits));
  if (variable.shuffle != 0) expect(real::def_var_deflate(caller_)(to, number, 1, 0, 0));
  if (variable.fletcher32 != 0) expect(real::def_var_fletcher32(caller_)(to, number, 1));
  for (const VariableDefinition::Filter &each : variable.filters)
    expect(real::def_var_filter(caller_)(to, number, each.id, each.params.size(), each.params.data()));
  if (variable.endian != NC_ENDIAN_NATIVE) expect(real::def_var_endian(caller_)(to, number, variable.endian));
}

void Bringer::put_attribute(Holder to, const AttributeDefinition &attribute) const {
  std::vector<const char *> strings;
  for (size_t i = 0; i < attribute.strings.size(); ++i)
    strings.push_back(attribute.is_null[i] ? nullptr : attribute.strings[i].c_str());
  const void *const values = attribute.type == NC_STRING ? static_cast<const void *>(strings.data())
                                                         : static_cast<const void *>(attribute.values.data());
  expect(real::put_att(caller_)(to_ + to.group, to.variable, attribute.name.c_str(), attribute.type, attribute.count,
                                values));
}

void Bringer::bring_attributes(Holder to, const std::vector<AttributeDefinition> &attributes) const {
  const int known = known_.attribute_count(to);
  for (const AttributeDefinition &each : attributes) {
    AttributeDefinition old;
    const bool is_known = known > 0 && known_.find_attribute(to, each.name, old);
    if (is_known && old.type == each.type && old.count == each.count && old.values == each.values &&
        old.strings == each.strings)
      continue;
    put_attribute(to, each);
  }
  for (int a = known; a-- > 0;) {
    const std::string name = known_.attribute_name(to, a);
    const auto has_name = [&name](const AttributeDefinition &each) { return each.name == name; };
    if (std::none_of(attributes.begin(), attributes.end(), has_name))
      expect(real::del_att(caller_)(to_ + to.group, to.variable, name.c_str()));
  }
}

}  // namespace

namespace {

Quantization quantization_of(const VariableDefinition &variable) {
  using Mode = Quantization::Mode;
  if (variable.quantize_mode == NC_NOQUANTIZE) return {};
  const Mode mode = variable.quantize_mode == NC_QUANTIZE_BITGROOM     ? Mode::bit_groom
                    : variable.quantize_mode == NC_QUANTIZE_GRANULARBR ? Mode::granular
                                                                       : Mode::bit_round;
  return {mode, variable.digits};
}

}  // namespace

std::vector<Shape> shapes_of(const Definitions &definitions) {
  std::vector<Shape> shapes;
  for (const VariableDefinition &variable : definitions.variables) {
    Shape shape;
    shape.group = variable.group;
    shape.number = variable.number;
    shape.group_path = definitions.groups[static_cast<size_t>(variable.group)].path;
    shape.type = variable.type;
    shape.is_enum = variable.enumeration >= 0;
    shape.dims = variable.dims;
    shape.is_filtered = variable.is_filtered();
    shape.is_filled = variable.no_fill == 0;
    shape.quantization = quantization_of(variable);
    shape.fill = variable.fill;
    for (const int number : shape.dims) {
      const DimensionDefinition &dim = definitions.dims[static_cast<size_t>(number)];
      (shape.lengths.empty() ? shape.has_records : shape.grows_inside) |= dim.is_unlimited;
      shape.lengths.push_back(dim.is_unlimited ? unlimited_length : static_cast<int64_t>(dim.length));
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

int place_of(const std::vector<Shape> &shapes, int group, int number) {
  const auto is_it = [=](const Shape &each) { return each.group == group && each.number == number; };
  const auto v = static_cast<size_t>(number);
  if (number >= 0 && v < shapes.size() && is_it(shapes[v])) return number;  // as in a file without groups
  const auto found = std::find_if(shapes.begin(), shapes.end(), is_it);
  return found == shapes.end() ? -1 : static_cast<int>(found - shapes.begin());
}

std::string Definitions::path_of(int group, const std::string &name) const {
  return group == 0 ? name : groups[static_cast<size_t>(group)].path + '/' + name;
}

Definitions definitions_of(int ncid, const void *caller, const std::vector<Shape> &known) {
  const Inquirer file(ncid, caller);
  Definitions all;
  all.groups = file.groups();
  all.enums = file.enums();
  std::vector<int> known_of(all.groups.size(), 0);
  for (const Shape &each : known) {
    all.variables.push_back(file.variable(each.group, each.number));
    ++known_of[static_cast<size_t>(each.group)];
  }
  for (int g = 0; g < std::ssize(all.groups); ++g) {
    all.groups[static_cast<size_t>(g)].attributes = file.attributes({g, NC_GLOBAL});
    file.add_dims(g, all.dims);
    const int variables = file.counts(g).variables;
    for (int v = known_of[static_cast<size_t>(g)]; v < variables; ++v) all.variables.push_back(file.variable(g, v));
  }
  return all;
}

Counts counts_of(int ncid, const void *caller) {
  const Inquirer file(ncid, caller);
  Counts all;
  all.groups = static_cast<int>(file.groups().size());
  for (int g = 0; g < all.groups; ++g) {
    const Counts own = file.counts(g);
    all.dims += own.dims;
    all.variables += own.variables;
  }
  return all;
}

bool is_filtered(int ncid, int variable, const void *caller) {
  size_t filters = 0;
  int shuffle = 0, fletcher32 = 0;
  expect(real::inq_var_filter_ids(caller)(ncid, variable, &filters, nullptr));
  expect(real::inq_var_deflate(caller)(ncid, variable, &shuffle, nullptr, nullptr));
  expect(real::inq_var_fletcher32(caller)(ncid, variable, &fletcher32));
  return filters > 0 || shuffle != 0 || fletcher32 != 0;
}

const char *reason_in_file(int ncid, bool writes, const void *caller) {
  const int groups = counts_of(ncid, caller).groups;
  for (int there = ncid; there < ncid + groups; ++there) {
    int types = 0, variables = 0;
    expect(real::inq_typeids(caller)(there, &types, nullptr));
    expect(real::inq(caller)(there, nullptr, &variables, nullptr, nullptr));
    if (types > 0) return "user-defined types";
    for (int v = 0; writes && v < variables; ++v) {
      nc_type type = NC_NAT;
      expect(real::inq_var(caller)(there, v, nullptr, &type, nullptr, nullptr, nullptr));
      if (type == NC_STRING) return "strings";
    }
  }
  return nullptr;
}

namespace {

/// Enumerations belong to variables, and their values have a sign.
const char *reason_in_enum(const Definitions &definitions, int number) {
  const EnumDefinition &own = definitions.enums[static_cast<size_t>(number)];
  const auto has_it = [number](const VariableDefinition &each) { return each.enumeration == number; };
  const auto is_beyond = [](const EnumDefinition::Member &each) { return each.value > INT64_MAX; };
  if (std::none_of(definitions.variables.begin(), definitions.variables.end(), has_it))
    return "an enumeration that no variable has";
  const bool is_large = own.base == NC_UINT64 && std::any_of(own.members.begin(), own.members.end(), is_beyond);
  return is_large ? "an enumeration with values beyond 2^63" : nullptr;
}

}  // namespace

const char *reason_in(const Definitions &definitions) {
  const auto has_null = [](const auto &each) {
    return std::any_of(each.attributes.begin(), each.attributes.end(), [](const AttributeDefinition &attribute) {
      return std::find(attribute.is_null.begin(), attribute.is_null.end(), true) != attribute.is_null.end();
    });
  };
  for (int e = 0; e < std::ssize(definitions.enums); ++e)
    if (const char *const reason = reason_in_enum(definitions, e)) return reason;
  const bool is_null = std::any_of(definitions.groups.begin(), definitions.groups.end(), has_null) ||
                       std::any_of(definitions.variables.begin(), definitions.variables.end(), has_null);
  return is_null ? "attributes of strings that are NULL" : nullptr;
}

int64_t integer_of(nc_type base, const EnumDefinition::Member &member) {
  return face::as_type(base, NC_EBADTYPE, [&](auto value) {
    std::memcpy(&value, &member.value, sizeof value);
    return static_cast<int64_t>(value);
  });
}

int group_in(int ncid, const std::string &path, const void *caller) {
  int group = ncid;
  if (path.empty()) return ncid;
  return real::inq_grp_full_ncid(caller)(ncid, ("/" + path).c_str(), &group) == NC_NOERR ? group : -1;
}

void bring_to_library(const Definitions &definitions, int to, const void *caller) {
  Bringer(to, caller).bring(definitions);
}

}  // namespace sv::netcdf4
