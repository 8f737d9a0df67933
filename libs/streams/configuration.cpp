#include "configuration.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "space_keys.hpp"

namespace sv::streams {

namespace {

constexpr const char *default_time_units = "days since 1900-01-01 00:00:00";

template <class Value>
using Words = std::vector<std::pair<const char *, Value>>;

/// The value of one of several words. Throws Failure.
template <class Value>
Value word_of(const YamlMap &map, const YAML::Node &node, const Words<Value> &words, const std::string &more = "") {
  std::string valid = more;
  for (const auto &[word, value] : words) {
    if (node.IsScalar() && node.Scalar() == word) return value;
    valid += (valid.empty() ? "" : ", ") + std::string(word);
  }
  throw map.wrong(node, "bad value '" + (node.IsScalar() ? node.Scalar() : "a list or map") + "'", "Give " + valid);
}

int64_t number_of(const YamlMap &map, const YAML::Node &node, int64_t least, int64_t most) {
  int64_t number = 0;
  if (node.IsScalar() && YAML::convert<int64_t>::decode(node, number) && number >= least && number <= most)
    return number;
  throw map.wrong(node, "this is no whole number in range",
                  "Give " + std::to_string(least) + " to " + std::to_string(most));
}

const Words<int> &types() {
  static const Words<int> all = {
      {"byte", SV_BYTE},   {"short", SV_SHORT},   {"int", SV_INT},   {"float", SV_FLOAT}, {"double", SV_DOUBLE},
      {"ubyte", SV_UBYTE}, {"ushort", SV_USHORT}, {"uint", SV_UINT}, {"int64", SV_INT64}, {"uint64", SV_UINT64}};
  return all;
}

/// A method with its parameter, as in "zstd:3"; 0: without a parameter. Throws Failure.
std::pair<std::string, int> method_of(const YamlMap &map, const YAML::Node &node, int most) {
  const std::string text = node.IsScalar() ? node.Scalar() : "a list or map";
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, 0};
  int number = 0;
  const char *const begin = text.data() + colon + 1, *const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error != std::errc() || stop != end || number < 1 || number > most)
    throw map.wrong(node, "bad value '" + text + "'",
                    "Give a number from 1 to " + std::to_string(most) + " after the colon");
  return {text.substr(0, colon), number};
}

void take_codec(const YamlMap &map, const YAML::Node &node, Storage &storage) {
  const auto [codec, level] = method_of(map, node, 22);
  storage.deflate = storage.zstd = std::nullopt;
  if (codec == "none")
    storage.deflate = 0;
  else if (codec == "deflate" && level <= 9)
    storage.deflate = level > 0 ? level : 1;
  else if (codec == "zstd")
    storage.zstd = level > 0 ? level : 3;
  else
    throw map.wrong(node, "bad value '" + node.Scalar() + "'",
                    "Give none, deflate:1 to deflate:9, or zstd:1 to zstd:22");
}

/// "absolute:0.01", "absolute:0.01:sz3", "relative:1e-4", "information:0.99". Whether it is one of these.
bool take_error(const std::string &text, Storage &storage) {
  static const Words<int> kinds = {
      {"absolute", SV_ERROR_ABSOLUTE}, {"relative", SV_ERROR_RELATIVE}, {"information", SV_ERROR_INFORMATION}};
  static const Words<unsigned> encoders = {{":sz3", SV_FILTER_SZ3}, {":zfp", SV_FILTER_ZFP}};
  const auto named = [](const auto &words, const std::string &name) {
    return std::find_if(words.begin(), words.end(), [&](const auto &each) { return each.first == name; });
  };
  const size_t colon = std::min(text.find(':'), text.size());
  const auto kind = named(kinds, text.substr(0, colon));
  if (kind == kinds.end() || colon == text.size()) return false;
  double bound = 0;
  const char *const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, bound);
  const auto encoder = named(encoders, std::string(stop, end));
  const bool has_encoder = encoder != encoders.end();
  if (error != std::errc() || (stop != end && (!has_encoder || kind->second != SV_ERROR_ABSOLUTE))) return false;
  storage.error_kind = kind->second;
  storage.error_bound = bound;
  if (has_encoder) storage.error_filter = encoder->second;
  return true;
}

void take_quantize(const YamlMap &map, const YAML::Node &node, Storage &storage) {
  static const Words<int> modes = {{"none", SV_NOQUANTIZE},
                                   {"bitround", SV_QUANTIZE_BITROUND},
                                   {"bitgroom", SV_QUANTIZE_BITGROOM},
                                   {"granular_bitround", SV_QUANTIZE_GRANULARBR}};
  storage.quantize.reset();
  storage.error_kind = SV_ERROR_NONE;
  storage.error_filter.reset();
  if (node.IsScalar() && take_error(node.Scalar(), storage)) return;
  const auto [method, amount] = method_of(map, node, 52);
  const auto known =
      std::find_if(modes.begin(), modes.end(), [name = method](const auto &mode) { return name == mode.first; });
  if (known == modes.end() || (amount == 0) != (known->second == SV_NOQUANTIZE))
    throw map.wrong(node, "bad value of quantize",
                    "Give none, or a method and its number: bitround:9, bitgroom:3, granular_bitround:3, "
                    "absolute:0.01, absolute:0.01:sz3, relative:1e-4 or information:0.99");
  storage.quantize_mode = known->second;
  storage.quantize = amount;
}

/// The group `compression` of the configuration, or its codec alone.
void take_compression(const std::string &path, const YamlMap &map, const YAML::Node &node, Storage &storage) {
  static const Words<bool> yes_or_no = {{"true", true}, {"false", false}};
  if (node.IsScalar()) return take_codec(map, node, storage);
  YamlMap group(path, node, "'compression'");
  group.take("codec", [&](const YAML::Node &value) { take_codec(group, value, storage); });
  group.take("quantize", [&](const YAML::Node &value) { take_quantize(group, value, storage); });
  group.take("shuffle", [&](const YAML::Node &value) { storage.shuffle = word_of(group, value, yes_or_no); });
  group.take("checksum", [&](const YAML::Node &value) { storage.fletcher32 = word_of(group, value, yes_or_no); });
  group.finish();
}

/// `storage`: of the stream, over which this map's keys go.
Storage storage_of(YamlMap &map, const std::string &path, Storage storage) {
  map.take("type", [&](const YAML::Node &node) { storage.type = word_of(map, node, types()); });
  map.take("chunks", [&](const YAML::Node &node) {
    if (!node.IsSequence()) throw map.wrong(node, "'chunks' is not a list", "Write [1, 10, 90, 180], records first");
    storage.chunks.clear();
    for (const YAML::Node &each : node) storage.chunks.push_back(number_of(map, each, 1, int64_t{1} << 40));
  });
  map.take("compression", [&](const YAML::Node &node) { take_compression(path, map, node, storage); });
  return storage;
}

std::vector<AttributeRequest> attributes_of(YamlMap &map, const std::string &path, const std::string &what) {
  std::vector<AttributeRequest> made;
  map.take("attributes", [&](const YAML::Node &node) {
    const YamlMap checked(path, node, "the attributes of " + what);
    for (const auto &entry : node) {
      if (!entry.second.IsScalar()) throw map.wrong(entry.second, "an attribute has no single value", "Give one");
      AttributeRequest one{entry.first.Scalar(), entry.second.Scalar(), std::nullopt};
      double number = 0;
      const bool is_quoted = entry.second.Tag() == "!";
      if (!is_quoted && YAML::convert<double>::decode(entry.second, number)) one.number = number;
      made.push_back(one);
    }
  });
  return made;
}

std::vector<AxisRequest> axes_of(YamlMap &map, const std::string &path, const std::string &what) {
  std::vector<AxisRequest> made;
  map.take("axes", [&](const YAML::Node &node) {
    const YamlMap checked(path, node, "'axes' of " + what);
    for (const auto &entry : node) {
      const std::string axis = entry.first.Scalar();
      YamlMap keys(path, entry.second, "axis '" + axis + "' of " + what);
      const std::string name = keys.text("name");
      made.push_back({axis, name.empty() ? axis : name, attributes_of(keys, path, "axis '" + axis + "'"),
                      keys.place(entry.first)});
      keys.finish();
    }
  });
  return made;
}

std::vector<ScalarRequest> scalars_of(YamlMap &map, const std::string &path, const std::string &what) {
  std::vector<ScalarRequest> made;
  map.take("scalars", [&](const YAML::Node &node) {
    const YamlMap checked(path, node, "'scalars' of " + what);
    for (const auto &entry : node) {
      const std::string name = entry.first.Scalar();
      YamlMap keys(path, entry.second, "scalar '" + name + "' of " + what);
      ScalarRequest one{name, 0, attributes_of(keys, path, "scalar '" + name + "'")};
      if (!YAML::convert<double>::decode(YAML::Node(keys.text("value")), one.value))
        throw keys.wrong(entry.first, "scalar '" + name + "' has no number", "Write 'height: {value: 2}'");
      made.push_back(one);
      keys.finish();
    }
  });
  return made;
}

class StreamReader {
 public:
  StreamReader(const std::string &path, const std::string &name) : path_(path), what_("stream '" + name + "'") {
    stream_.name = name;
  }

  StreamRequest read(const YAML::Node &name, const YAML::Node &node) {
    YamlMap map(path_, node, what_);
    stream_.place = map.place(name);
    stream_.file = map.text("file");
    if (stream_.file.empty()) throw map.wrong(name, what_ + " has no 'file'", "Give a name such as 'ocean_%Y-%m.nc'");
    stream_.frequency = *frequency_in(map, name, "frequency", true);
    stream_.file_period = frequency_in(map, name, "file_period", false);
    stream_.time_units = map.text("time_units");
    if (stream_.time_units.empty()) stream_.time_units = default_time_units;
    take_operation(map, usual_);
    usual_.storage = storage_of(map, path_, {});
    take_space(map, path_, false, usual_);
    stream_.part = usual_.part;
    stream_.axes = axes_of(map, path_, what_);
    stream_.attributes = attributes_of(map, path_, what_);
    map.take("fields", [&](const YAML::Node &fields) { read_fields(map, fields); });
    map.finish();
    if (stream_.fields.empty()) throw map.wrong(name, what_ + " has no 'fields'", "Give a list: fields: [temp, salt]");
    return stream_;
  }

 private:
  std::optional<Frequency> frequency_in(YamlMap &map, const YAML::Node &name, const std::string &key,
                                        bool is_needed) const {
    const std::string text = map.text(key);
    if (text.empty() && !is_needed) return std::nullopt;
    const char *const remedy =
        "Give, for example, '6 hours': a number of steps, seconds, minutes, "
        "hours, days, months or years";
    if (text.empty()) throw map.wrong(name, what_ + " has no '" + key + "'", remedy);
    try {
      return frequency_of(text);
    } catch (const std::invalid_argument &) {
      throw map.wrong(name, what_ + " has the bad " + key + " '" + text + "'", remedy);
    }
  }

  static void take_operation(YamlMap &map, FieldRequest &to) {
    map.take("operation", [&](const YAML::Node &node) {
      to.parts_a_day = 1;
      if (const auto [name, parts] = method_of(map, node, 1440); name == "diurnal" && parts > 1) {
        to.operation = Operation::mean;
        to.parts_a_day = parts;
        return;
      }
      Words<Operation> words;
      for (const OperationFacts &each : operations()) words.emplace_back(each.name, each.operation);
      to.operation = word_of(map, node, words, "diurnal:24");
    });
  }

  /// A list of names, of which each may be a map of one name with its keys; or
  /// a map of names.
  void read_fields(const YamlMap &map, const YAML::Node &fields) {
    if (!fields.IsSequence()) return read_named(fields);
    for (const YAML::Node &each : fields) {
      if (each.IsScalar())
        add(each, YAML::Node());
      else if (each.IsMap() && each.size() == 1)
        read_named(each);
      else
        throw map.wrong(each, "this is no field of " + what_, "Write 'temp' or 'temp: {operation: max}'");
    }
  }

  void read_named(const YAML::Node &fields) {
    const YamlMap checked(path_, fields, "'fields' of " + what_);
    for (const auto &entry : fields) add(entry.first, entry.second);
  }

  void add(const YAML::Node &name, const YAML::Node &keys) {
    YamlMap map(path_, keys, "field '" + name.Scalar() + "' of " + what_);
    FieldRequest field = usual_;
    field.pattern = name.Scalar();
    field.place = map.place(name);
    field.name = map.text("name");
    if (field.name.empty()) field.name = "*";
    take_operation(map, field);
    field.storage = storage_of(map, path_, usual_.storage);
    take_space(map, path_, true, field);
    field.has_own_steps = keys.IsMap() && (keys["operation"] || keys["where"] || keys["reduce"] || keys["grid"]);
    field.attributes = attributes_of(map, path_, "field '" + field.pattern + "'");
    field.scalars = scalars_of(map, path_, "field '" + field.pattern + "'");
    field.units = map.text("units");
    map.finish();
    stream_.fields.push_back(field);
  }

  std::string path_, what_;
  StreamRequest stream_;
  FieldRequest usual_;  // of the stream
};

/// Two streams may not write the same files.
void compare_files(const std::vector<StreamRequest> &streams) {
  for (size_t i = 0; i < streams.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (streams[i].file == streams[k].file)
        throw Failure(SV_ECONFIG,
                      streams[i].place + ": streams '" + streams[k].name + "' and '" + streams[i].name +
                          "' have the same file '" + streams[i].file + "'",
                      "Give each stream a file name of its own");
}

Configuration read_section(const YAML::Node &document, const std::string &path) {
  Configuration made;
  made.place = path;
  YamlMap file(path, document, "the file");
  file.take("streams", [&](const YAML::Node &section) {
    YamlMap map(path, section, "'streams'");
    made.place = map.place(section);
    if (const std::string state = map.text("state"); !state.empty()) made.state = state;
    for (const auto &entry : section) {
      const std::string name = entry.first.Scalar();
      if (name != "state") made.streams.push_back(StreamReader(path, name).read(entry.first, entry.second));
    }
  });
  if (!is_template(made.state))
    throw Failure(SV_ECONFIG, made.place + ": the file name '" + made.state + "' has no date field",
                  "Give it one, as in 'streams_%Y-%m-%d.nc'");
  compare_files(made.streams);
  return made;
}

/// What `read` makes of a text.
template <class Read>
auto parsed(const std::string &text, const std::string &path, const Read &read) {
  try {
    return read(YAML::Load(text));
  } catch (const YAML::Exception &error) {
    throw Failure(SV_ECONFIG, path + ":" + std::to_string(error.mark.line + 1) + ": this is not YAML: " + error.msg,
                  "Check indentation, quotes and colons");
  }
}

}  // namespace

bool has_attribute(const FieldRequest &field, const std::string &name) {
  return std::any_of(field.attributes.begin(), field.attributes.end(),
                     [&](const AttributeRequest &each) { return each.name == name; });
}

bool is_template(const std::string &name) {
  for (size_t i = 0; i + 1 < name.size(); ++i)
    if (name[i] == '%' && std::string("YmdHMSj").find(name[++i]) != std::string::npos) return true;
  return false;
}

Configuration parse_configuration(const std::string &text, const std::string &path) {
  return parsed(text, path, [&](const YAML::Node &document) { return read_section(document, path); });
}

void add_stream(Configuration &to, const std::string &name, const std::string &keys) {
  for (const StreamRequest &known : to.streams)
    if (known.name == name) return;
  const std::string path = "stream '" + name + "' of the model";
  to.streams.push_back(parsed(
      keys, path, [&](const YAML::Node &document) { return StreamReader(path, name).read(document, document); }));
  compare_files(to.streams);
}

}  // namespace sv::streams
