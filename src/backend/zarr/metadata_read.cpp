#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>

#include "backend/zarr/metadata.hpp"
#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "model/rules/netcdf4.hpp"

namespace sv::zarr {

namespace {

constexpr int64_t most_chunk_bytes = (int64_t{1} << 32) - 1;  // as all stores have it
constexpr int64_t most_metadata_values = int64_t{2} << 20;    // of all metadata of a group; 16 to 48 bytes each
constexpr int64_t most_in_shard = int64_t{4} << 20;           // chunks: an index of 64 MiB
constexpr int64_t most_length = std::numeric_limits<int64_t>::max() / 2;

[[noreturn]] void malformed(const std::string &cause) {
  throw Error(Status::format, cause, "The file is damaged, or no Zarr of version 3");
}

/// Well-formed metadata that Sverdrup does not support.
struct Unknown {
  std::string what;
};

[[noreturn]] void unknown(std::string what) { throw Unknown{std::move(what)}; }

const Json &member(const Json &of, const char *name) {
  if (!of.is_object() || !of.contains(name)) malformed(std::string("'") + name + "' is missing in its metadata");
  return of[name];
}

std::string text_of(const Json &json, const char *what) {
  if (!json.is_string()) malformed(std::string(what) + " is no text");
  return json.get<std::string>();
}

int64_t length_of(const Json &json, int64_t least, const char *what) {
  const bool is_whole =
      json.is_number_unsigned() ? json.get<uint64_t>() <= static_cast<uint64_t>(most_length) : json.is_number_integer();
  if (!is_whole || json.get<int64_t>() < least) malformed(std::string(what) + " is no such number: " + json.dump());
  return json.get<int64_t>();
}

Index lengths_of(const Json &json, int64_t least, const char *what) {
  if (!json.is_array()) malformed(std::string(what) + " is no list");
  if (json.size() > max_dims) unknown("more than " + std::to_string(max_dims) + " dimensions");
  Index all;
  for (const Json &each : json) all.push(length_of(each, least, what));
  return all;
}

/// A codec, a data type or the like: a name, and its configuration.
struct Named {
  std::string name;
  Json configuration;
};

Named named_of(const Json &json, const char *what) {
  if (json.is_string()) return {json.get<std::string>(), Json::object()};
  Named made{text_of(member(json, "name"), what), Json::object()};
  if (json.contains("configuration")) made.configuration = json["configuration"];
  if (!made.configuration.is_object()) malformed(std::string("the configuration of ") + what + " is no object");
  return made;
}

bool is_big_endian(const Named &bytes) {
  if (!bytes.configuration.contains("endian")) return false;
  const std::string order = text_of(bytes.configuration["endian"], "the order of bytes");
  if (order != "big" && order != "little") malformed("there is no order of bytes '" + order + "'");
  return order == "big";
}

int level_of(const Named &codec, const char *name, int otherwise) {
  const Json level = codec.configuration.value(name, Json(otherwise));
  return level.is_number_integer() ? static_cast<int>(std::clamp<int64_t>(level.get<int64_t>(), -1000, 1000))
                                   : otherwise;
}

ByteStep step_of(const Named &codec, int64_t element_bytes) {
  if (codec.name == "gzip")
    return {.kind = ByteStep::Kind::gzip, .level = std::clamp(level_of(codec, "level", 1), 1, 9)};
  if (codec.name == "zstd")
    return {.kind = ByteStep::Kind::zstd, .level = std::clamp(level_of(codec, "level", 1), -7, 22)};
  if (codec.name == "crc32c") return {.kind = ByteStep::Kind::crc32c};
  if (codec.name != "blosc") unknown("the codec '" + codec.name + "'");
  ByteStep step{.kind = ByteStep::Kind::blosc,
                .level = std::clamp(level_of(codec, "clevel", 1), 0, 9),
                .element_bytes = std::clamp(level_of(codec, "typesize", static_cast<int>(element_bytes)), 1, 255)};
  step.inside = text_of(codec.configuration.value("cname", Json("zstd")), "blosc's codec");
  const Json shuffle = codec.configuration.value("shuffle", Json("shuffle"));
  step.shuffle = shuffle == "noshuffle" ? 0 : shuffle == "bitshuffle" ? 2 : 1;
  return step;
}

const Json &list_of(const Json &json) {
  if (!json.is_array() || json.empty() || json.size() > 64) malformed("its codecs are no list, or none");
  return json;
}

/// `bytes`, or of strings `vlen-utf8`; then codecs from bytes to bytes.
Encoding encoding_of(const Json &codecs, int64_t element_bytes, const char *to_bytes = "bytes") {
  Encoding made;
  bool is_first = true;
  for (const Json &each : list_of(codecs)) {
    const Named codec = named_of(each, "a codec");
    if (is_first && codec.name == to_bytes)
      made.is_big_endian = is_big_endian(codec);
    else if (is_first)
      unknown("the codec '" + codec.name + "' before '" + to_bytes + "'");
    else
      made.steps.push_back(step_of(codec, element_bytes));
    is_first = false;
  }
  return made;
}

void read_sharding(const Named &sharding, int64_t element_bytes, Array &array) {
  const Json &of = sharding.configuration;
  array.is_sharded = true;
  array.chunk = lengths_of(member(of, "chunk_shape"), 1, "the shape of a shard's chunks");
  if (array.chunk.n != array.in_file.n) malformed("a shard's chunks have other dimensions than the array");
  for (int d = 0; d < array.chunk.n; ++d)
    if (array.in_file[d] % array.chunk[d] != 0) malformed("the chunks of a shard do not divide it");
  array.encoding = encoding_of(member(of, "codecs"), element_bytes);
  const std::string place = text_of(of.value("index_location", Json("end")), "the place of the index");
  if (place != "start" && place != "end") malformed("the index of a shard stands neither at its start nor at its end");
  array.index_first = place == "start";
  const Encoding index = encoding_of(member(of, "index_codecs"), sizeof(uint64_t));
  array.index_is_big = index.is_big_endian;
  array.index_has_sum = !index.steps.empty();
  if (index.steps.size() > 1 || (array.index_has_sum && index.steps.front().kind != ByteStep::Kind::crc32c))
    unknown("a shard's index that is compressed");
}

void read_keys(const Json &json, Array &array) {
  const Named keys = named_of(member(json, "chunk_key_encoding"), "the encoding of keys");
  array.has_prefix = keys.name == "default";
  if (!array.has_prefix && keys.name != "v2") unknown("the encoding of keys '" + keys.name + "'");
  const Json separator = keys.configuration.value("separator", Json(array.has_prefix ? "/" : "."));
  if (separator != "/" && separator != ".") malformed("the separator of keys is neither '/' nor '.'");
  array.separator = separator == "/" ? '/' : '.';
}

void check_sizes(const Array &array, int64_t element_bytes) {
  int64_t bytes = element_bytes, chunks = 1, cells = element_bytes;
  for (int d = 0; d < array.chunk.n; ++d) {
    if (!multiply_into(bytes, array.chunk[d]) || bytes > most_chunk_bytes) unknown("a chunk of 4 GiB or more");
    if (!multiply_into(chunks, array.in_file[d] / array.chunk[d]) || chunks > most_in_shard)
      unknown("a shard of more than " + std::to_string(most_in_shard) + " chunks");
    if (!multiply_into(cells, std::max<int64_t>(array.shape[d], 1))) malformed("its shape is larger than any file");
  }
}

struct Member {
  std::string name;
  const Json *json;
  Array array;
  Variable variable;
};

void read_array(Member &one) {
  const Json &json = *one.json;
  if (member(json, "zarr_format") != 3) unknown("a format of another version than 3");
  const auto type = type_of(member(json, "data_type"));
  if (!type) unknown("the data type " + member(json, "data_type").dump());
  const int64_t element_bytes = size_of(*type);
  Array &array = one.array;
  array.shape = lengths_of(member(json, "shape"), 0, "its shape");
  const Named grid = named_of(member(json, "chunk_grid"), "the grid of chunks");
  if (grid.name != "regular") unknown("the grid of chunks '" + grid.name + "'");
  array.in_file = array.chunk = lengths_of(member(grid.configuration, "chunk_shape"), 1, "the shape of its chunks");
  if (array.in_file.n != array.shape.n) malformed("its chunks have other dimensions than its shape");
  read_keys(json, array);
  const Json &codecs = list_of(member(json, "codecs"));
  const Named first = named_of(codecs.front(), "a codec");
  if (*type == Type::string)
    array.encoding = encoding_of(codecs, element_bytes, "vlen-utf8");
  else if (first.name == "sharding_indexed" && codecs.size() == 1)
    read_sharding(first, element_bytes, array);
  else
    array.encoding = encoding_of(codecs, element_bytes);
  if (json.contains("storage_transformers") && !json["storage_transformers"].empty()) unknown("a storage transformer");
  check_sizes(array, element_bytes);
  const auto fill = fill_of(member(json, "fill_value"), *type);
  if (!fill) malformed("its fill value is none of its type: " + json["fill_value"].dump());
  array.fill = *fill;
  one.variable.name = one.name;
  one.variable.type = *type;
}

/// In Python's JSON, NaN and Infinity may stand for numbers. Deep nesting would overflow the stack of all that goes
/// through it, and a value takes many times the memory of its text: `values` says how many there may be, and is less by
/// those of this text afterwards.
std::string with_quoted_names(const std::string &text, int64_t &values) {
  constexpr int most_nesting = 64;
  std::string made;
  bool in_string = false;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (in_string && text[at] == '\\' && at + 1 < text.size()) {
      made += text[at++];
    } else if (text[at] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      const std::string_view rest = std::string_view(text).substr(at);
      for (const std::string_view name : {"NaN", "-Infinity", "Infinity"})
        if (rest.starts_with(name)) {
          made.append("\"").append(name).append("\"");
          at += name.size();
          break;
        }
      if (at >= text.size()) break;
      if (text[at] == '"') in_string = true;
      const bool is_begin = text[at] == '{' || text[at] == '[', is_end = text[at] == '}' || text[at] == ']';
      depth += is_begin ? 1 : is_end ? -1 : 0;
      if (is_begin || text[at] == ',' || text[at] == ':') --values;
      if (depth > most_nesting) malformed("its metadata are nested too deeply");
      if (values < 0) malformed("its metadata have more than " + std::to_string(most_metadata_values) + " values");
    }
    made += text[at];
  }
  return made;
}

/// Without nlohmann's callback, with which the time grows with the square of the values.
Json parsed(const std::string &text, const std::string &name, int64_t &values) {
  try {
    return Json::parse(with_quoted_names(text, values));
  } catch (const Json::exception &error) {
    malformed("'" + printable(name) + "' is no JSON: " + printable(error.what()));
  }
}

std::optional<Type> declared_type(const Json &types, const std::string &name) {
  if (!types.is_object() || !types.contains(name)) return std::nullopt;
  for (int number = 1; number <= static_cast<int>(Type::string); ++number)
    if (types[name] == name_of(static_cast<Type>(number))) return static_cast<Type>(number);
  return std::nullopt;
}

bool is_netcdf_name(const std::string &name) {
  try {
    check_name(name);
    return true;
  } catch (const Error &) {
    return false;
  }
}

/// The same with names of groups before it. None may lead out of the group.
bool is_path(const std::string &name) {
  if (std::ssize(name) > longest_name) return false;
  for (std::string_view rest = name;; rest = group_of(rest)) {
    const std::string base(base_of(rest));
    if (!is_netcdf_name(base) || base == "." || base == "..") return false;
    if (group_of(rest).empty()) return rest.find('/') == rest.npos;
  }
}

class GroupReader {
 public:
  GroupReader(const Objects &objects, StoreCounters &counters, bool keeps)
      : objects_(objects), counters_(counters), keeps_(keeps) {}
  Group read();

 private:
  Json text_of_file(const std::string &name);
  void find_group();
  void find_members();
  void find_directories(const std::string &place);
  void take_member(const std::string &name, const Json &json);
  void order_groups();
  void read_groups();
  void take_unlimited(const Json &json);
  void find_unlimited();
  Json types_of(const std::string &name);
  void find_dims();
  void find_records();
  void read_members();
  void read_member(Member &one);
  std::vector<Attribute> attributes_of(const Json &json, const Json &types, const Member *of);
  void omit(const std::string &what, const std::string &why) {
    made_.schema.omissions.push_back({what, "it is left out, since " + why});
  }
  std::optional<std::string> dim_name(const Member &one, int d) const;
  std::string scoped(const Member &one, const std::string &base, int64_t length) const;
  void add_dims(Member &one);
  int dim_of(const std::string &name, int64_t length);

  const Objects &objects_;
  StoreCounters &counters_;
  const bool keeps_;
  int64_t values_ = most_metadata_values;  // that may still be read
  Json group_, consolidated_, types_ = Json::object();
  Json netcdf_ = Json::object();
  std::deque<Json> texts_;  // of members without consolidated metadata
  std::vector<Member> members_;
  std::map<std::string, const Json *, std::less<>> groups_;  // by name; nullptr: of unknown contents
  std::unordered_map<std::string, int> dims_;                // by name
  bool is_consolidated_ = false, has_own_types_ = false;
  std::set<std::string> unlimited_;
  Group made_;
};

Json GroupReader::text_of_file(const std::string &name) {
  const auto text = objects_.text(name, most_metadata_bytes, counters_);
  return text ? parsed(*text, name, values_) : Json();
}

void GroupReader::find_group() {
  group_ = text_of_file(metadata_name);
  if (group_.is_null())
    malformed(objects_.has(".zgroup") || objects_.has(".zarray") ? "it is a Zarr of version 2"
                                                                 : "there is no 'zarr.json' in it");
  if (member(group_, "node_type") != "group") malformed("it is a single array, and no group");
  if (member(group_, "zarr_format") != 3) malformed("its format is not version 3");
  if (!group_.contains("consolidated_metadata")) return;
  consolidated_ = group_["consolidated_metadata"];
  if (!consolidated_.is_object()) return;
  is_consolidated_ = consolidated_.contains("metadata") && consolidated_["metadata"].is_object();
  if (Json netcdf = consolidated_.value("netcdf", Json()); netcdf.is_object()) netcdf_ = std::move(netcdf);
}

/// Arrays are variables.
void GroupReader::take_member(const std::string &name, const Json &json) {
  if (keeps_) made_.documents.members.emplace_back(name, json);
  if (!json.is_object()) return;
  const Json kind = json.value("node_type", Json());
  if (kind != "group" && kind != "array") return;
  const bool is_array = kind == "array";
  if (!is_path(name))
    return omit((is_array ? "variable '" : "group '") + name + "'",
                is_array ? "no variable of netCDF may have this name" : "no group of netCDF may have this name");
  if (is_array)
    members_.push_back({name, &json, {}, {}});
  else
    groups_[name] = &json;
  for (std::string_view above = group_of(name); !above.empty(); above = group_of(above))
    groups_.emplace(above, nullptr);
}

/// An outer group comes before those that are in it, and its arrays before theirs: they may have its dimensions.
void GroupReader::order_groups() {
  for (const auto &[name, json] : groups_) made_.schema.groups.push_back({name, {}});
  const auto depth = [](const Member &one) { return std::ranges::count(one.name, '/'); };
  std::ranges::stable_sort(members_, {}, depth);
}

void GroupReader::read_groups() {
  const Json types = netcdf_.value("group_attribute_types", Json::object());
  for (sv::Group &each : made_.schema.groups)
    if (const Json *const json = groups_.at(each.name); json != nullptr)
      each.attributes = attributes_of(json->value("attributes", Json::object()),
                                      types.is_object() ? types.value(each.name, Json()) : Json(), nullptr);
}

/// Without consolidated metadata, each directory may be one.
void GroupReader::find_directories(const std::string &place) {
  for (const Entry &entry : objects_.list(place)) {
    if (entry.kind == EntryKind::file) continue;
    const std::string name = place.empty() ? entry.name : place + "/" + entry.name;
    Json json = text_of_file(name + "/" + metadata_name);
    if (json.is_null()) continue;
    texts_.push_back(std::move(json));
    take_member(name, texts_.back());
    constexpr size_t longest_path = 1024;
    const bool is_group = texts_.back().is_object() && texts_.back().value("node_type", Json()) == "group";
    if (is_group && name.size() < longest_path) find_directories(name);
  }
}

void GroupReader::find_members() {
  if (!is_consolidated_) return find_directories("");
  const Json &all = consolidated_["metadata"];
  for (const auto &[name, json] : all.items()) take_member(name, json);
}

std::optional<std::string> GroupReader::dim_name(const Member &one, int d) const {
  if (!one.json->contains("dimension_names")) return std::nullopt;
  const Json &names = (*one.json)["dimension_names"];
  if (!names.is_array() || names.size() <= static_cast<size_t>(d)) return std::nullopt;
  const Json &name = names[static_cast<size_t>(d)];
  return name.is_string() ? std::optional(name.get<std::string>()) : std::nullopt;
}

/// "unlimited" names the record dimension, "growing" lists the other unlimited ones.
void GroupReader::take_unlimited(const Json &json) {
  if (json.contains("unlimited")) unlimited_.insert(text_of(json["unlimited"], "the unlimited dimension"));
  if (!json.contains("growing")) return;
  for (const Json &name : json["growing"]) unlimited_.insert(text_of(name, "an unlimited dimension"));
}

/// The unlimited dimensions stand in the group's metadata, or, where another program has written these anew, next to
/// those of the arrays that have some. A few arrays with the same first dimension are asked.
void GroupReader::find_unlimited() {
  take_unlimited(netcdf_);
  constexpr int most_asked = 3;
  std::unordered_map<std::string, int> asked;
  for (size_t n = 0; netcdf_.empty() && n < members_.size(); ++n) {
    const auto first = dim_name(members_[n], 0);
    if (!first || unlimited_.count(*first) > 0 || ++asked[*first] > most_asked) continue;
    const Json extension = text_of_file(members_[n].name + "/" + netcdf_name);
    if (!extension.is_object() || !(extension.contains("unlimited") || extension.contains("growing"))) continue;
    take_unlimited(extension);
    has_own_types_ = true;
  }
}

/// Of the attributes of an array.
Json GroupReader::types_of(const std::string &name) {
  if (!has_own_types_) return types_.is_object() ? types_.value(name, Json()) : Json();
  const Json extension = text_of_file(name + "/" + netcdf_name);
  return extension.is_object() ? extension.value("attribute_types", Json()) : Json();
}

void GroupReader::find_dims() {
  if (!netcdf_.contains("dimensions")) return;
  for (const Json &dim : netcdf_["dimensions"]) {
    const std::string name = text_of(member(dim, "name"), "a dimension");
    if (!is_path(name)) malformed("its dimension '" + printable(name) + "' has no name of netCDF");
    const int64_t length = length_of(member(dim, "length"), 0, "a length");
    if (unlimited_.count(name) > 0 || length > 0)
      dim_of(name, length);
    else
      omit("dimension '" + name + "'", "it has the length 0");
  }
}

/// A record dimension that no variable has is as long as the group says.
void GroupReader::find_records() {
  Schema &schema = made_.schema;
  enhanced::choose_record_dimension(schema);
  const auto has_records = [](const Variable &each) { return each.has_records; };
  if (std::ranges::none_of(schema.variables, has_records) && schema.record_dim() >= 0 && netcdf_.contains("records"))
    schema.records = length_of(netcdf_["records"], 0, "the number of records");
}

/// Where cells along an unlimited dimension were added to some variables only, the others have fill values there.
int GroupReader::dim_of(const std::string &name, int64_t length) {
  Schema &schema = made_.schema;
  const auto [known, is_new] = dims_.emplace(name, static_cast<int>(std::ssize(schema.dims)));
  if (is_new) {
    schema.dims.push_back({name, length, false, unlimited_.count(name) > 0});
    return known->second;
  }
  Dimension &dim = schema.dims[static_cast<size_t>(known->second)];
  if (dim.grows)
    dim.length = std::max(dim.length, length);
  else if (dim.length != length)
    unknown("a length of " + std::to_string(length) + " in the dimension '" + name + "', which is " +
            std::to_string(dim.length) + " elsewhere in the group");
  return known->second;
}

/// The dimension that an array means: one of this length in its group or an outer one, or a new one in its group.
std::string GroupReader::scoped(const Member &one, const std::string &base, int64_t length) const {
  const std::string group(group_of(one.name));
  if (group.empty()) return base;
  for (std::string_view place = group;; place = group_of(place)) {
    const std::string name = place.empty() ? base : std::string(place) + "/" + base;
    if (const auto known = dims_.find(name); known != dims_.end()) {
      const Dimension &dim = made_.schema.dims[static_cast<size_t>(known->second)];
      if (dim.grows || dim.length == length) return name;
    }
    if (place.empty()) return group + "/" + base;
  }
}

/// Arrays of Zarr need not name their dimensions.
void GroupReader::add_dims(Member &one) {
  const Json names = one.json->value("dimension_names", Json());
  const bool has_names = names.is_array() && names.size() == static_cast<size_t>(one.array.shape.n);
  if (!names.is_null() && !has_names) malformed("it names other dimensions than it has");
  for (int d = 0; d < one.array.shape.n; ++d) {
    const std::string base = dim_name(one, d).value_or(std::string(base_of(one.name)) + "_dim" + std::to_string(d));
    const std::string name = scoped(one, base, one.array.shape[d]);
    if (!is_path(name)) unknown("the dimension '" + name + "', which is no name of netCDF");
    if (unlimited_.count(name) == 0 && one.array.shape[d] == 0) unknown("the dimension '" + name + "' of length 0");
    one.variable.dims.push_back(dim_of(name, one.array.shape[d]));
  }
}

/// `of`: the variable; nullptr: those of the group.
std::vector<Attribute> GroupReader::attributes_of(const Json &json, const Json &types, const Member *of) {
  std::vector<Attribute> all;
  const auto type = of == nullptr ? std::nullopt : std::optional(of->variable.type);
  if (!json.is_object()) malformed("its attributes are no object");
  for (const auto &[name, value] : json.items()) {
    if (value.is_null() || (type && name == "_ARRAY_DIMENSIONS")) continue;
    const std::string what = "attribute '" + name + "'" + (of == nullptr ? "" : " of variable '" + of->name + "'");
    if (!is_netcdf_name(name)) {
      omit(what, "no attribute of netCDF may have this name");
      continue;
    }
    Attribute made = attribute_of(name, value, declared_type(types, name), type);
    if (type && name == "_FillValue" && (made.type != *type || made.count != 1))
      omit(what, "it is no value of the variable's type");
    else
      all.push_back(std::move(made));
  }
  return all;
}

void GroupReader::read_member(Member &one) {
  const size_t dims = made_.schema.dims.size();
  try {
    read_array(one);
    add_dims(one);
    const Json attributes = one.json->value("attributes", Json::object());
    one.variable.attributes = attributes_of(attributes, types_of(one.name), &one);
    one.variable.storage = std::make_shared<const VariableStorage>(found_storage(one.array, one.variable.attributes));
    made_.schema.variables.push_back(std::move(one.variable));
    made_.arrays.push_back(std::move(one.array));
  } catch (const Unknown &found) {
    omit("variable '" + one.name + "'", "it has " + found.what + ", which Sverdrup does not read");
    for (; made_.schema.dims.size() > dims; made_.schema.dims.pop_back()) dims_.erase(made_.schema.dims.back().name);
  } catch (const Json::exception &error) {
    malformed(std::string("its metadata cannot be read: ") + printable(error.what()));
  }
}

void GroupReader::read_members() {
  Schema &schema = made_.schema;
  types_ = netcdf_.value("variable_attribute_types", Json::object());
  for (Member &one : members_) {
    try {
      read_member(one);
    } catch (Error &error) {
      throw error.in_variable(one.name);
    }
  }
  if (members_.empty() || !schema.variables.empty()) return;
  const auto [what, why, is_lost] = schema.omissions.back();
  throw Error(Status::format, "Sverdrup can read none of its variables: " + what + ": " + why,
              "Write one with the codecs bytes, gzip, zstd, blosc, crc32c and sharding_indexed, and a type of netCDF");
}

Group GroupReader::read() {
  made_.schema.format = Format::zarr;
  find_group();
  find_members();
  order_groups();
  find_unlimited();
  find_dims();
  read_members();
  find_records();
  made_.schema.attributes =
      attributes_of(group_.value("attributes", Json::object()), netcdf_.value("attribute_types", Json()), nullptr);
  read_groups();
  if (keeps_) made_.documents.group = std::move(group_);
  return std::move(made_);
}

}  // namespace

int64_t records_in(const std::string &array) {
  int64_t values = most_metadata_values;
  try {
    const Json shape = parsed(array, metadata_name, values).value("shape", Json());
    return shape.is_array() && !shape.empty() && shape.front().is_number_integer() ? shape.front().get<int64_t>() : 0;
  } catch (const Json::exception &) {
    return 0;
  } catch (const Error &) {
    return 0;
  }
}

Group read_group(const Objects &objects, StoreCounters &counters, bool keeps) {
  try {
    return GroupReader(objects, counters, keeps).read();
  } catch (const Json::exception &error) {
    malformed(std::string("its metadata cannot be read: ") + printable(error.what()));
  } catch (const Unknown &found) {
    malformed("it has " + found.what);
  }
}

}  // namespace sv::zarr
