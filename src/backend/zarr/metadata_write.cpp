#include "backend/zarr/metadata.hpp"

#include <set>
#include <unordered_map>

#include "base/error.hpp"
#include "base/joined.hpp"

namespace sv::zarr {

namespace {

Json numbers(const Index &index) {
  Json list = Json::array();
  for (int d = 0; d < index.n; ++d) list.push_back(index[d]);
  return list;
}

Json named(const char *name, Json configuration) {
  return {{"name", name}, {"configuration", std::move(configuration)}};
}

Json byte_codec(const ByteStep &step) {
  switch (step.kind) {
    case ByteStep::Kind::gzip:
      return named("gzip", {{"level", step.level}});
    case ByteStep::Kind::zstd:
      return named("zstd", {{"level", step.level}, {"checksum", false}});
    case ByteStep::Kind::blosc:
      return named("blosc", {{"cname", step.inside},
                             {"clevel", step.level},
                             {"shuffle", step.shuffle == 0   ? "noshuffle"
                                         : step.shuffle == 1 ? "shuffle"
                                                             : "bitshuffle"},
                             {"typesize", step.element_bytes},
                             {"blocksize", 0}});
    case ByteStep::Kind::crc32c:
      break;
  }
  return {{"name", "crc32c"}};
}

Json codecs_json(const Array &array, Type type) {
  Json list = Json::array();
  const char *const order = array.encoding.is_big_endian ? "big" : "little";
  if (type == Type::string)
    list.push_back({{"name", "vlen-utf8"}});
  else
    list.push_back(size_of(type) == 1 ? Json{{"name", "bytes"}} : named("bytes", {{"endian", order}}));
  for (const ByteStep &step : array.encoding.steps) list.push_back(byte_codec(step));
  if (!array.is_sharded) return list;
  const Json sums = Json::array({named("bytes", {{"endian", "little"}}), Json{{"name", "crc32c"}}});
  return Json::array({named(
      "sharding_indexed",
      {{"chunk_shape", numbers(array.chunk)}, {"codecs", list}, {"index_codecs", sums}, {"index_location", "end"}})});
}

Json attributes_json(const std::vector<Attribute> &attributes) {
  Json all = Json::object();
  for (const Attribute &each : attributes) all[as_utf8(each.name)] = attribute_json(each);
  return all;
}

Json array_json(const Schema &schema, const Variable &variable, const Array &array) {
  Json dims = Json::array(), all;
  for (const int dim : variable.dims) dims.push_back(std::string(base_of(schema.dims[static_cast<size_t>(dim)].name)));
  all["shape"] = numbers(array.shape);
  all["data_type"] = data_type(variable.type);
  all["chunk_grid"] = named("regular", {{"chunk_shape", numbers(array.in_file)}});
  all["chunk_key_encoding"] = named("default", {{"separator", "/"}});
  all["fill_value"] = fill_json(variable.type, array.fill);
  all["codecs"] = codecs_json(array, variable.type);
  all["attributes"] = attributes_json(variable.attributes);
  all["dimension_names"] = dims;
  all["zarr_format"] = 3;
  all["node_type"] = "array";
  all["storage_transformers"] = Json::array();
  return all;
}

Json group_json(const sv::Group &group) {
  return {{"zarr_format", 3}, {"node_type", "group"}, {"attributes", attributes_json(group.attributes)}};
}

/// Attributes whose type does not follow from the value.
Json types_json(const std::vector<Attribute> &attributes, std::optional<Type> of) {
  Json types = Json::object();
  for (const Attribute &each : attributes)
    if (!has_type(each, of)) types[as_utf8(each.name)] = name_of(each.type);
  return types;
}

Json netcdf_json(const Schema &schema) {
  Json dims = Json::array(), types = Json::object(), names = Json::array();
  for (const Dimension &each : schema.dims) dims.push_back({{"name", each.name}, {"length", each.length}});
  Json all{{"dimensions", dims}};
  if (schema.record_dim() >= 0) all["unlimited"] = schema.dims[static_cast<size_t>(schema.record_dim())].name;
  for (const Dimension &each : schema.dims)
    if (each.grows) all["growing"].push_back(each.name);
  for (const Variable &each : schema.variables)
    if (Json some = types_json(each.attributes, each.type); !some.empty()) types[each.name] = some;
  if (Json some = types_json(schema.attributes, std::nullopt); !some.empty()) all["attribute_types"] = some;
  for (const sv::Group &each : schema.groups)
    if (Json some = types_json(each.attributes, std::nullopt); !some.empty())
      all["group_attribute_types"][each.name] = some;
  if (!types.empty()) all["variable_attribute_types"] = types;
  return all;
}

/// The netCDF document next to the metadata of an array.
std::string extension_text(const Schema &schema, const Variable &variable) {
  Json extension = Json::object();
  if (variable.has_records) extension["unlimited"] = schema.dims[static_cast<size_t>(schema.record_dim())].name;
  for (const int dim : variable.slab_dims())
    if (const Dimension &of = schema.dims[static_cast<size_t>(dim)]; of.grows) extension["growing"].push_back(of.name);
  if (Json types = types_json(variable.attributes, variable.type); !types.empty()) extension["attribute_types"] = types;
  return extension.empty() ? "" : extension.dump();
}

/// All members but these. (An IndexedMap loses no members.)
Json without(const Json &json, const std::set<std::string> &keys) {
  Json made = Json::object();
  for (const auto &[key, value] : json.items())
    if (keys.count(key) == 0) made[key] = value;
  return made;
}

/// Makes these changes in `json`, in which what Sverdrup does not read stays. Returns whether there are any.
bool change_attributes(Json &json, const std::vector<Attribute> &before, const std::vector<Attribute> &after) {
  std::set<std::string> deleted;
  for (const Attribute &each : before)
    if (find_attribute(after, each.name) == nullptr) deleted.insert(as_utf8(each.name));
  bool has_changed = !deleted.empty();
  json = without(json, deleted);
  for (const Attribute &each : after) {
    const Attribute *const known = find_attribute(before, each.name);
    if (known != nullptr && known->type == each.type && known->values == each.values) continue;
    json[as_utf8(each.name)] = attribute_json(each);
    has_changed = true;
  }
  return has_changed;
}

}  // namespace

/// The shape comes first, and in it the records: so the text is cut there.
MetadataTexts::Text MetadataTexts::text_of(const std::string &name, const Json &json, bool has_records) {
  Json first;
  first["shape"] = json["shape"];
  for (const auto &[key, value] : json.items())
    if (key != "shape") first[key] = value;
  Text made{Json(name).dump(), first.dump(), ""};
  if (has_records) {
    const std::string begin = "{\"shape\":[";
    made.after = made.before.substr(made.before.find_first_of(",]", begin.size()));
    made.before = begin;
  }
  return made;
}

MetadataTexts::MetadataTexts(const Schema &schema, const std::vector<Array> &arrays) {
  for (size_t v = 0; v < schema.variables.size(); ++v) add(schema, schema.variables[v], arrays[v]);
  for (const sv::Group &each : schema.groups) groups_.push_back({each.name, group_json(each).dump()});
  group_ = "\"attributes\":" + attributes_json(schema.attributes).dump() + ",";
  netcdf_ = netcdf_json(schema).dump();
}

void MetadataTexts::add(const Schema &schema, const Variable &variable, const Array &array) {
  arrays_.push_back(text_of(variable.name, array_json(schema, variable, array), variable.has_records));
  extensions_.push_back(extension_text(schema, variable));
}

std::set<int> MetadataTexts::add(const Schema &before, const Schema &after, const std::vector<Array> &arrays) {
  std::set<int> changed;
  for (size_t v = 0; v < after.variables.size(); ++v) {
    const Variable &variable = after.variables[v];
    if (v >= before.variables.size()) {
      add(after, variable, arrays[v]);
    } else {
      Json json = Json::parse(of_array(static_cast<int>(v), 0));
      if (!change_attributes(json["attributes"], before.variables[v].attributes, variable.attributes)) continue;
      arrays_[v] = text_of(variable.name, json, variable.has_records);
      extensions_[v] = extension_text(after, variable);
    }
    changed.insert(static_cast<int>(v));
  }
  Json group = without(Json::parse("{" + group_ + "\"\":0}"), {""});
  change_attributes(group["attributes"], before.attributes, after.attributes);
  group_.clear();
  for (const auto &[key, value] : group.items()) group_ += Json(key).dump() + ":" + value.dump() + ",";
  const Json old = Json::parse(netcdf_), now = netcdf_json(after);
  Json netcdf = without(old, {"unlimited", "growing", "attribute_types", "variable_attribute_types"});
  for (const auto &[key, value] : now.items()) netcdf[key] = value;
  for (const Json &dim : old.value("dimensions", Json::array()))  // also those that are left out
    if (after.find_dim(dim.value("name", "")) < 0) netcdf["dimensions"].push_back(dim);
  netcdf_ = netcdf.dump();
  return changed;
}

MetadataTexts::MetadataTexts(const Schema &schema, const Documents &documents) : extensions_(schema.variables.size()) {
  std::unordered_map<std::string, const Json *> known;
  for (const auto &[name, json] : documents.members) known.emplace(name, &json);
  for (const Variable &variable : schema.variables) {
    const auto found = known.find(variable.name);
    if (found == known.end())
      throw Error(Status::not_found, "its metadata have gone", "Open the group again").in_variable(variable.name);
    arrays_.push_back(text_of(variable.name, *found->second, variable.has_records));
    known.erase(found);
  }
  for (const auto &[name, json] : documents.members)
    if (known.count(name) > 0) others_.append(",").append(Json(name).dump()).append(":").append(json.dump());
  for (const auto &[key, value] : documents.group.items())
    if (key != "zarr_format" && key != "node_type" && key != "consolidated_metadata")
      group_ += Json(key).dump() + ":" + value.dump() + ",";
  Json netcdf = Json::object();
  const Json consolidated = documents.group.value("consolidated_metadata", Json());
  if (consolidated.is_object()) netcdf = consolidated.value("netcdf", Json::object());
  if (!netcdf.is_object() || netcdf.empty()) netcdf = netcdf_json(schema);
  Json kept = Json::object();
  for (const auto &[key, value] : netcdf.items())
    if (key != "records" && key != "complete") kept[key] = value;
  netcdf_ = kept.dump();
}

void MetadataTexts::set(const Schema &schema, int variable, const Attribute &attribute) {
  const Variable &of = schema.variables[static_cast<size_t>(variable)];
  Json json = Json::parse(of_array(variable, 0));
  json["attributes"][as_utf8(attribute.name)] = attribute_json(attribute);
  arrays_[static_cast<size_t>(variable)] = text_of(of.name, json, of.has_records);
}

void MetadataTexts::lengthen(const Schema &schema) {
  for (size_t v = 0; v < arrays_.size(); ++v) {
    const Variable &variable = schema.variables[v];
    if (!schema.has_growing_slab(variable)) continue;
    Json json = Json::parse(of_array(static_cast<int>(v), 0));
    const Index slab = schema.slab_shape(variable);
    for (int d = 0; d < slab.n; ++d) json["shape"][static_cast<size_t>(d + variable.record_axes())] = slab[d];
    arrays_[v] = text_of(variable.name, json, variable.has_records);
  }
  Json netcdf = Json::parse(netcdf_);
  for (Json &dim : netcdf["dimensions"])
    if (const int id = schema.find_dim(dim["name"]); id >= 0 && schema.dims[static_cast<size_t>(id)].grows)
      dim["length"] = schema.length_of(id);
  netcdf_ = netcdf.dump();
}

std::string MetadataTexts::of_array(int variable, int64_t records) const {
  const Text &text = arrays_[static_cast<size_t>(variable)];
  return text.after.empty() ? text.before : text.before + std::to_string(records) + text.after;
}

std::string MetadataTexts::of_group(int64_t records, bool is_complete) const {
  std::string all = "{\"zarr_format\":3,\"node_type\":\"group\"," + group_ +
                    "\"consolidated_metadata\":{\"kind\":\"inline\",\"must_understand\":false,\"metadata\":{";
  std::string members;
  for (size_t v = 0; v < arrays_.size(); ++v)
    members += joined({",", arrays_[v].name, ":", of_array(static_cast<int>(v), records)});
  for (const auto &[name, text] : groups_) members += joined({",", Json(name).dump(), ":", text});
  members += others_;
  if (!members.empty()) all += members.substr(1);
  all += "},\"netcdf\":{\"records\":" + std::to_string(records) + ",\"complete\":" + (is_complete ? "true" : "false");
  if (netcdf_.size() > 2) all += "," + netcdf_.substr(1, netcdf_.size() - 2);
  return all + "}}}";
}

void check_names(const Schema &schema) {
  const auto is_refused = [](std::string_view name) {
    const std::string_view base = base_of(name);
    return base == "." || base == ".." || base == metadata_name || base == netcdf_name || base.starts_with("__");
  };
  for (const sv::Group &each : schema.groups)
    if (is_refused(each.name))
      throw Error(Status::define, "no Zarr group may have the name '" + each.name + "'", "Give it another name");
  for (const Variable &each : schema.variables)
    if (is_refused(each.name))
      throw Error(Status::define, "no array of a Zarr group may have this name", "Give the variable another name")
          .in_variable(each.name);
}

}  // namespace sv::zarr
