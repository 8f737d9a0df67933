#include "schema.hpp"

#include <algorithm>
#include <span>

#include "model/enumeration.hpp"
#include "model/rules/netcdf4.hpp"
#include "model/variable_storage.hpp"

namespace sv::netcdf4 {

namespace {

std::vector<Attribute> attributes_of(const std::vector<AttributeDefinition> &definitions) {
  std::vector<Attribute> all;
  for (const AttributeDefinition &each : definitions) {
    if (each.type == NC_STRING) {
      all.push_back(string_attribute(each.name, each.strings));
      continue;
    }
    const auto type = static_cast<Type>(each.base);
    const auto bytes = static_cast<size_t>(size_of(type)) * each.count;
    all.push_back({each.name, type, static_cast<int64_t>(each.count),
                   SmallBytes(std::as_bytes(std::span(each.values)).first(bytes))});
  }
  return all;
}

/// The storage that the program asks for: keys of the configuration for all variables do not count.
VariableStorage storage_of(const VariableDefinition &variable) {
  VariableStorage asked;
  asked.chunks = variable.storage == NC_CHUNKED ? ChunkKind::given : ChunkKind::contiguous;
  for (const size_t length : variable.chunk) asked.shape.push(static_cast<int64_t>(length));
  asked.shuffle = variable.shuffle != 0;
  asked.fletcher32 = variable.fletcher32 != 0;
  asked.deflate = asked.zstd = 0;
  for (const VariableDefinition::Filter &each : variable.filters) {
    const int level = each.params.empty() ? 0 : static_cast<int>(each.params.front());
    if (static_cast<FilterNumber>(each.id) == FilterNumber::deflate) asked.deflate = level;
    if (static_cast<FilterNumber>(each.id) == FilterNumber::zstd) asked.zstd = level;
  }
  asked.endian = static_cast<Endian>(variable.endian);
  return asked;
}

/// Whether Sverdrup applies all of them: one compressor at most, with a level.
bool has_known_filters(const VariableDefinition &variable) {
  int compressors = 0;
  for (const VariableDefinition::Filter &each : variable.filters) {
    const auto number = static_cast<FilterNumber>(each.id);
    if (number == FilterNumber::shuffle || number == FilterNumber::fletcher32) continue;
    const bool is_compressor = number == FilterNumber::deflate || number == FilterNumber::zstd;
    if (!is_compressor || each.params.size() != 1 || each.params.front() == 0) return false;
    ++compressors;
  }
  return compressors <= 1;
}

/// nullptr for a variable without names of its integers.
std::shared_ptr<const Enumeration> enumeration_of(const Definitions &definitions, const VariableDefinition &variable) {
  if (variable.enumeration < 0) return nullptr;
  const EnumDefinition &of = definitions.enums[static_cast<size_t>(variable.enumeration)];
  Enumeration made{of.name, {}};
  for (const EnumDefinition::Member &each : of.members) made.members.push_back({each.name, integer_of(of.base, each)});
  return std::make_shared<const Enumeration>(std::move(made));
}

/// Whether each chunk stands as it is, and they are so many that the store would take longer than netCDF to place them.
bool has_tiny_chunks(const Definitions &definitions, const VariableDefinition &variable) {
  constexpr size_t most = 16384;
  size_t chunks = 1;
  for (size_t d = 0; d < variable.chunk.size(); ++d) {
    const DimensionDefinition &dim = definitions.dims[static_cast<size_t>(variable.dims[d])];
    if (!dim.is_unlimited) chunks *= std::min(most + 1, (dim.length + variable.chunk[d] - 1) / variable.chunk[d]);
    if (chunks > most) return !variable.is_filtered();
  }
  return false;
}

/// Whether fill values would have to be written for a variable that may never be put.
bool is_large_to_fill(const Definitions &definitions, const VariableDefinition &variable) {
  constexpr double most_elements = 1 << 28;
  double elements = 1;
  for (const int number : variable.dims) {
    const DimensionDefinition &dim = definitions.dims[static_cast<size_t>(number)];
    if (dim.is_unlimited) return false;
    elements *= static_cast<double>(dim.length);
  }
  return elements > most_elements && variable.no_fill == 0 && !variable.is_filtered();
}

}  // namespace

std::string reason_against(const Definitions &definitions) {
  if (const char *const reason = reason_in(definitions)) return reason;
  for (const DimensionDefinition &each : definitions.dims)
    if (each.name.starts_with("phony_dim_")) return "dimensions that netCDF has not made";
  for (const VariableDefinition &each : definitions.variables) {
    if (each.storage != NC_CHUNKED && each.storage != NC_CONTIGUOUS) return "compact storage";
    if (each.storage == NC_CONTIGUOUS && !each.dims.empty() && swaps(static_cast<Endian>(each.endian)))
      return "contiguous values in another byte order";
    if (is_large_to_fill(definitions, each)) return "a large variable that is filled and not compressed";
    if (has_tiny_chunks(definitions, each)) return "a variable with more than 16384 chunks that are not compressed";
    if (each.type == NC_STRING && each.is_filtered()) return "filters of strings";
    if (!has_known_filters(each)) return "filters that Sverdrup does not apply";
  }
  return "";
}

PlacedSchema schema_of(const Definitions &definitions, bool is_classic, const PlacedSchema *before) {
  PlacedSchema schema;
  schema.format = is_classic ? Format::netcdf4_classic : Format::netcdf4;
  schema.records = before == nullptr ? 0 : before->records;
  for (size_t d = 0; d < definitions.dims.size(); ++d) {
    const DimensionDefinition &dim = definitions.dims[d];
    const std::string name = definitions.path_of(dim.group, dim.name);
    Dimension made{name, static_cast<int64_t>(dim.length), false, dim.is_unlimited};
    if (before != nullptr && d < before->dims.size()) {
      made = before->dims[d];
      made.name = name;
    }
    schema.dims.push_back(std::move(made));
  }
  for (const GroupDefinition &each : definitions.groups) {
    if (each.path.empty())
      schema.attributes = attributes_of(each.attributes);
    else
      schema.groups.push_back({each.path, attributes_of(each.attributes)});
  }
  for (const VariableDefinition &each : definitions.variables) {
    Variable made{definitions.path_of(each.group, each.name), static_cast<Type>(each.type), each.dims,
                  attributes_of(each.attributes), false};
    made.enumeration = enumeration_of(definitions, each);
    made.no_fill = each.no_fill != 0 && made.type != Type::string;
    if (!each.dims.empty()) made.storage = std::make_shared<const VariableStorage>(storage_of(each));
    schema.variables.push_back(std::move(made));
  }
  enhanced::choose_record_dimension(schema);
  return schema;
}

std::vector<bool> fills_of(const Definitions &definitions) {
  std::vector<bool> fills;
  for (const VariableDefinition &each : definitions.variables) fills.push_back(each.no_fill == 0);
  return fills;
}

}  // namespace sv::netcdf4
