#include <algorithm>
#include <cmath>
#include <limits>

#include "backend/zarr/metadata.hpp"
#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv::zarr {

namespace {

constexpr int64_t most_metadata_bytes = int64_t{16} << 20;    // JSON in memory takes several times as much
constexpr int64_t most_chunk_bytes = (int64_t{1} << 32) - 1;  // as all stores have it
constexpr int64_t most_length = std::numeric_limits<int64_t>::max() / 2;

[[noreturn]] void malformed(const std::string &cause) {
  throw Error(Status::format, cause, "The file is damaged, or no Zarr of version 3");
}

[[noreturn]] void unknown(const std::string &what) {
  throw Error(
      Status::format, what + ", which Sverdrup does not know",
      "Write it anew with the codecs bytes, gzip, zstd, blosc, crc32c and sharding_indexed, and types of netCDF");
}

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

/// A codec, a data type or the like: a name, and what belongs to it.
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

/// `bytes`, then codecs from bytes to bytes.
Encoding encoding_of(const Json &codecs, int64_t element_bytes) {
  Encoding made;
  bool is_first = true;
  for (const Json &each : list_of(codecs)) {
    const Named codec = named_of(each, "a codec");
    if (is_first && codec.name == "bytes")
      made.is_big_endian = is_big_endian(codec);
    else if (is_first)
      unknown("the codec '" + codec.name + "' before 'bytes'");
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
    if (!multiply_into(chunks, array.in_file[d] / array.chunk[d]) || chunks > most_chunk_bytes)
      unknown("a shard of more than 2^32 chunks");
    if (!multiply_into(cells, std::max<int64_t>(array.shape[d], 1))) malformed("its shape is larger than any file");
  }
}

struct Member {
  std::string name;
  Json json;
  Array array;
  Variable variable;
};

void read_array(Member &one) {
  const Json &json = one.json;
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
  if (first.name == "sharding_indexed" && codecs.size() == 1)
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

/// In Python's JSON, NaN and Infinity may stand for numbers.
std::string with_quoted_names(const std::string &text) {
  std::string made;
  bool in_string = false;
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
    }
    made += text[at];
  }
  return made;
}

/// Deep nesting would overflow the stack of whoever goes through it.
Json parsed(const std::string &text, const std::string &name) {
  constexpr int most_depth = 64;
  const auto check_depth = [](int depth, Json::parse_event_t, Json &) {
    if (depth > most_depth) malformed("its metadata are nested too deeply");
    return true;
  };
  try {
    return Json::parse(with_quoted_names(text), check_depth);
  } catch (const Json::exception &error) {
    malformed("'" + name + "' is no JSON: " + as_utf8(error.what()));
  }
}

std::optional<Type> told_type(const Json &types, const std::string &name) {
  if (!types.is_object() || !types.contains(name)) return std::nullopt;
  for (int number = 1; is_type(number); ++number)
    if (types[name] == name_of(static_cast<Type>(number))) return static_cast<Type>(number);
  return std::nullopt;
}

std::vector<Attribute> attributes_of(const Json &json, const Json &types, std::optional<Type> of) {
  std::vector<Attribute> all;
  if (!json.is_object()) malformed("its attributes are no object");
  for (const auto &[name, value] : json.items()) {
    if (value.is_null() || (of && name == "_ARRAY_DIMENSIONS")) continue;
    try {
      check_name(name);
    } catch (const Error &) {
      continue;  // netCDF has no such attribute
    }
    all.push_back(attribute_of(name, value, told_type(types, name), of));
  }
  return all;
}

class GroupReader {
 public:
  GroupReader(const Folder &folder, StoreCounters &counters) : folder_(folder), counters_(counters) {}
  Group read();

 private:
  Json text_of_file(const std::string &name);
  void find_arrays(const Json &consolidated);
  void add_dims(Member &one);
  int dim_of(const std::string &name, int64_t length);

  const Folder &folder_;
  StoreCounters &counters_;
  std::vector<Member> members_;
  Json netcdf_ = Json::object();
  std::string unlimited_;
  Group made_;
};

Json GroupReader::text_of_file(const std::string &name) {
  const auto text = folder_.text(name, most_metadata_bytes, counters_);
  return text ? parsed(*text, name) : Json();
}

/// Where nobody has consolidated them, each directory may be one.
void GroupReader::find_arrays(const Json &consolidated) {
  const auto add = [this](const std::string &name, const Json &json) {
    if (json.is_object() && json.value("node_type", Json()) == "array") members_.push_back({name, json, {}, {}});
  };
  if (consolidated.is_object() && consolidated.contains("metadata") && consolidated["metadata"].is_object()) {
    for (const auto &[name, json] : consolidated["metadata"].items())
      if (name.find('/') == std::string::npos) add(name, json);
    return;
  }
  for (const std::string &name : folder_.names(""))
    if (name != metadata_name) add(name, text_of_file(name + "/" + metadata_name));
}

int GroupReader::dim_of(const std::string &name, int64_t length) {
  Schema &schema = made_.schema;
  const int known = schema.find_dim(name);
  if (known < 0) {
    const bool is_record = name == unlimited_;
    if (is_record) schema.records = length;
    schema.dims.push_back({name, is_record ? 0 : length, is_record});
    return static_cast<int>(std::ssize(schema.dims)) - 1;
  }
  const Dimension &of = schema.dims[static_cast<size_t>(known)];
  const int64_t other = of.is_record ? schema.records : of.length;
  if (other != length)
    malformed("the dimension '" + name + "' has " + std::to_string(length) + " cells, and " + std::to_string(other) +
              " in another variable");
  return known;
}

/// Arrays of Zarr need not name their dimensions.
void GroupReader::add_dims(Member &one) {
  const Json names = one.json.value("dimension_names", Json());
  const bool has_names = names.is_array() && names.size() == static_cast<size_t>(one.array.shape.n);
  if (!names.is_null() && !has_names) malformed("it names other dimensions than it has");
  for (int d = 0; d < one.array.shape.n; ++d) {
    const bool is_named = has_names && names[static_cast<size_t>(d)].is_string();
    const std::string name =
        is_named ? names[static_cast<size_t>(d)].get<std::string>() : one.name + "_dim" + std::to_string(d);
    check_name(name);
    one.variable.dims.push_back(dim_of(name, one.array.shape[d]));
  }
}

Group GroupReader::read() {
  const Json group = text_of_file(metadata_name);
  if (group.is_null())
    malformed(folder_.has(".zgroup") || folder_.has(".zarray") ? "it is a Zarr of version 2"
                                                               : "there is no 'zarr.json' in it");
  if (member(group, "node_type") != "group") malformed("it is a single array, and no group");
  if (member(group, "zarr_format") != 3) malformed("its format is not version 3");
  const Json consolidated = group.value("consolidated_metadata", Json());
  if (consolidated.is_object()) netcdf_ = consolidated.value("netcdf", Json::object());
  if (!netcdf_.is_object()) netcdf_ = Json::object();
  find_arrays(consolidated);
  Schema &schema = made_.schema;
  schema.format = Format::zarr;
  if (netcdf_.contains("unlimited")) unlimited_ = text_of(netcdf_["unlimited"], "the unlimited dimension");
  for (const Json &dim : netcdf_.value("dimensions", Json::array())) {
    const std::string name = text_of(member(dim, "name"), "a dimension");
    const bool is_record = name == unlimited_;
    dim_of(name, length_of(is_record ? netcdf_.value("records", Json(0)) : member(dim, "length"), 0, "a length"));
  }
  const Json types = netcdf_.value("variable_attribute_types", Json::object());
  for (Member &one : members_) {
    try {
      check_name(one.name);
      read_array(one);
      add_dims(one);
      one.variable.attributes =
          attributes_of(one.json.value("attributes", Json::object()),
                        types.is_object() ? types.value(one.name, Json()) : Json(), one.variable.type);
    } catch (Error &error) {
      throw error.in_variable(one.name);
    }
    schema.variables.push_back(std::move(one.variable));
    made_.arrays.push_back(std::move(one.array));
  }
  schema.attributes =
      attributes_of(group.value("attributes", Json::object()), netcdf_.value("attribute_types", Json()), std::nullopt);
  schema.mark_records();
  return std::move(made_);
}

}  // namespace

Group read_group(const Folder &folder, StoreCounters &counters) {
  try {
    return GroupReader(folder, counters).read();
  } catch (const Json::exception &error) {
    malformed(std::string("its metadata cannot be read: ") + as_utf8(error.what()));
  }
}

}  // namespace sv::zarr
