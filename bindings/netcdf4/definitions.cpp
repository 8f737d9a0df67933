#include "definitions.hpp"

#include <algorithm>
#include <cstring>

#include "real.hpp"

namespace sv::netcdf4 {

namespace {

struct Counts {
  int dims = 0, variables = 0, attributes = 0;
};

/// Asks a file of the real library.
class Inquirer {
 public:
  Inquirer(int ncid, const void *caller) : ncid_(ncid), caller_(caller) {}

  Counts counts() const {
    Counts counts;
    expect(real::inq(caller_)(ncid_, &counts.dims, &counts.variables, &counts.attributes, nullptr));
    return counts;
  }
  int attribute_count(int variable) const {
    int count = 0;
    if (variable == NC_GLOBAL) return counts().attributes;
    expect(real::inq_var(caller_)(ncid_, variable, nullptr, nullptr, nullptr, nullptr, &count));
    return count;
  }
  std::string attribute_name(int variable, int number) const {
    char name[NC_MAX_NAME + 1];
    expect(real::inq_attname(caller_)(ncid_, variable, number, name));
    return name;
  }
  /// Whether there is one; otherwise the result is not changed.
  bool find_attribute(int variable, const std::string &name, AttributeDefinition &found) const {
    if (real::inq_att(caller_)(ncid_, variable, name.c_str(), &found.type, &found.count) != NC_NOERR) return false;
    found.name = name;
    if (found.type == NC_STRING) {
      found.strings = strings(variable, name, found.count);
      return true;
    }
    found.values.resize(found.count + 1);
    expect(real::get_att(caller_)(ncid_, variable, name.c_str(), found.values.data()));
    return true;
  }
  std::vector<AttributeDefinition> attributes(int variable, int count) const {
    std::vector<AttributeDefinition> all(static_cast<size_t>(count));
    for (int a = 0; a < count; ++a)
      refuse_if(!find_attribute(variable, attribute_name(variable, a), all[static_cast<size_t>(a)]), NC_ENOTATT);
    return all;
  }
  VariableDefinition variable(int number) const;
  std::vector<DimensionDefinition> dims(int count) const;

 private:
  std::vector<std::string> strings(int variable, const std::string &name, size_t count) const;
  std::vector<VariableDefinition::Filter> filters(int number) const;

  int ncid_;
  const void *caller_;
};

VariableDefinition Inquirer::variable(int number) const {
  VariableDefinition made;
  char name[NC_MAX_NAME + 1];
  int ndims = 0, natts = 0, dims[NC_MAX_VAR_DIMS];
  size_t chunk[NC_MAX_VAR_DIMS];
  expect(real::inq_var(caller_)(ncid_, number, name, &made.type, &ndims, dims, &natts));
  made.name = name;
  made.dims.assign(dims, dims + ndims);
  expect(real::inq_var_chunking(caller_)(ncid_, number, &made.storage, chunk));
  if (ndims > 0 && made.storage == NC_CHUNKED) made.chunk.assign(chunk, chunk + ndims);
  made.filters = filters(number);
  expect(real::inq_var_deflate(caller_)(ncid_, number, &made.shuffle, nullptr, nullptr));
  expect(real::inq_var_fletcher32(caller_)(ncid_, number, &made.fletcher32));
  expect(real::inq_var_endian(caller_)(ncid_, number, &made.endian));
  if (made.type == NC_FLOAT || made.type == NC_DOUBLE)
    expect(real::inq_var_quantize(caller_)(ncid_, number, &made.quantize_mode, &made.digits));
  expect(real::inq_var_fill(caller_)(ncid_, number, &made.no_fill, made.type <= NC_UINT64 ? &made.fill : nullptr));
  made.attributes = attributes(number, natts);
  return made;
}

std::vector<DimensionDefinition> Inquirer::dims(int count) const {
  std::vector<DimensionDefinition> all(static_cast<size_t>(count));
  int unlimited = 0;
  expect(real::inq_unlimdims(caller_)(ncid_, &unlimited, nullptr));
  std::vector<int> numbers(static_cast<size_t>(unlimited) + 1);
  expect(real::inq_unlimdims(caller_)(ncid_, &unlimited, numbers.data()));
  for (int d = 0; d < count; ++d) {
    char name[NC_MAX_NAME + 1];
    DimensionDefinition &dim = all[static_cast<size_t>(d)];
    expect(real::inq_dim(caller_)(ncid_, d, name, &dim.length));
    dim.name = name;
    dim.is_unlimited = std::find(numbers.begin(), numbers.begin() + unlimited, d) != numbers.begin() + unlimited;
  }
  return all;
}

std::vector<std::string> Inquirer::strings(int variable, const std::string &name, size_t count) const {
  std::vector<char *> values(count + 1, nullptr);
  expect(real::get_att(caller_)(ncid_, variable, name.c_str(), values.data()));
  std::vector<std::string> strings;
  for (size_t i = 0; i < count; ++i) strings.emplace_back(values[i] == nullptr ? "" : values[i]);
  if (count > 0) expect(real::free_string(caller_)(count, values.data()));
  return strings;
}

/// Without shuffle and fletcher32, which netCDF-C reports by themselves, and in some files here, too.
std::vector<VariableDefinition::Filter> Inquirer::filters(int number) const {
  constexpr unsigned shuffle = 2, fletcher32 = 3;
  size_t count = 0;
  expect(real::inq_var_filter_ids(caller_)(ncid_, number, &count, nullptr));
  std::vector<unsigned> ids(count + 1);
  if (count > 0) expect(real::inq_var_filter_ids(caller_)(ncid_, number, &count, ids.data()));
  std::vector<VariableDefinition::Filter> filters;
  for (size_t f = 0; f < count; ++f) {
    size_t n = 0;
    if (ids[f] == shuffle || ids[f] == fletcher32) continue;
    expect(real::inq_var_filter_info(caller_)(ncid_, number, ids[f], &n, nullptr));
    filters.push_back({ids[f], std::vector<unsigned>(n)});
    if (n > 0) expect(real::inq_var_filter_info(caller_)(ncid_, number, ids[f], &n, filters.back().params.data()));
  }
  return filters;
}

/// Gives one file of the real library the definitions of another one.
class Bringer {
 public:
  Bringer(int to, const void *caller) : to_(to), caller_(caller), known_(to, caller) {}

  void bring(const Definitions &definitions) const {
    const Counts known = known_.counts();
    for (auto d = static_cast<size_t>(known.dims); d < definitions.dims.size(); ++d) {
      const DimensionDefinition &dim = definitions.dims[d];
      expect(real::def_dim(caller_)(to_, dim.name.c_str(), dim.is_unlimited ? NC_UNLIMITED : dim.length, nullptr));
    }
    bring_attributes(NC_GLOBAL, definitions.attributes);
    for (int v = 0; v < static_cast<int>(definitions.variables.size()); ++v) {
      const VariableDefinition &variable = definitions.variables[static_cast<size_t>(v)];
      const bool is_new = v >= known.variables;
      if (is_new) define(v, variable);
      bring_attributes(v, variable.attributes);
      if (is_new && variable.no_fill != 0) expect(real::def_var_fill(caller_)(to_, v, 1, nullptr));
    }
  }

 private:
  void define(int number, const VariableDefinition &variable) const;
  void bring_attributes(int variable, const std::vector<AttributeDefinition> &attributes) const;
  void put_attribute(int variable, const AttributeDefinition &attribute) const;

  int to_;
  const void *caller_;
  Inquirer known_;
};

void Bringer::define(int number, const VariableDefinition &variable) const {
  const auto ndims = static_cast<int>(variable.dims.size());
  expect(real::def_var(caller_)(to_, variable.name.c_str(), variable.type, ndims, variable.dims.data(), nullptr));
  if (ndims > 0 || variable.storage == NC_COMPACT)
    expect(real::def_var_chunking(caller_)(to_, number, variable.storage, variable.chunk.data()));
  if (variable.quantize_mode > 0)
    expect(real::def_var_quantize(caller_)(to_, number, variable.quantize_mode, variable.digits));
  if (variable.shuffle != 0) expect(real::def_var_deflate(caller_)(to_, number, 1, 0, 0));
  if (variable.fletcher32 != 0) expect(real::def_var_fletcher32(caller_)(to_, number, 1));
  for (const VariableDefinition::Filter &each : variable.filters)
    expect(real::def_var_filter(caller_)(to_, number, each.id, each.params.size(), each.params.data()));
  if (variable.endian != NC_ENDIAN_NATIVE) expect(real::def_var_endian(caller_)(to_, number, variable.endian));
}

void Bringer::put_attribute(int variable, const AttributeDefinition &attribute) const {
  std::vector<const char *> strings;
  for (const std::string &each : attribute.strings) strings.push_back(each.c_str());
  const void *const values = attribute.type == NC_STRING ? static_cast<const void *>(strings.data())
                                                         : static_cast<const void *>(attribute.values.data());
  expect(real::put_att(caller_)(to_, variable, attribute.name.c_str(), attribute.type, attribute.count, values));
}

void Bringer::bring_attributes(int variable, const std::vector<AttributeDefinition> &attributes) const {
  const int known = known_.attribute_count(variable);
  for (const AttributeDefinition &each : attributes) {
    AttributeDefinition old;
    const bool is_known = known > 0 && known_.find_attribute(variable, each.name, old);
    if (is_known && old.type == each.type && old.count == each.count && old.values == each.values &&
        old.strings == each.strings)
      continue;
    put_attribute(variable, each);
  }
  for (int a = known; a-- > 0;) {
    const std::string name = known_.attribute_name(variable, a);
    const auto has_name = [&name](const AttributeDefinition &each) { return each.name == name; };
    if (std::none_of(attributes.begin(), attributes.end(), has_name))
      expect(real::del_att(caller_)(to_, variable, name.c_str()));
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
    shape.type = variable.type;
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

Definitions definitions_of(int ncid, const void *caller) {
  const Inquirer file(ncid, caller);
  const Counts counts = file.counts();
  Definitions all;
  all.dims = file.dims(counts.dims);
  all.attributes = file.attributes(NC_GLOBAL, counts.attributes);
  for (int v = 0; v < counts.variables; ++v) all.variables.push_back(file.variable(v));
  return all;
}

const char *reason_in_file(int ncid, const void *caller) {
  int groups = 0, types = 0, variables = 0;
  expect(real::inq_grps(caller)(ncid, &groups, nullptr));
  expect(real::inq_typeids(caller)(ncid, &types, nullptr));
  expect(real::inq(caller)(ncid, nullptr, &variables, nullptr, nullptr));
  if (groups > 0) return "groups";
  if (types > 0) return "user-defined types";
  for (int v = 0; v < variables; ++v) {
    nc_type type = NC_NAT;
    expect(real::inq_var(caller)(ncid, v, nullptr, &type, nullptr, nullptr, nullptr));
    if (type == NC_STRING) return "strings";
  }
  return nullptr;
}

void bring_to_library(const Definitions &definitions, int to, const void *caller) {
  Bringer(to, caller).bring(definitions);
}

}  // namespace sv::netcdf4
