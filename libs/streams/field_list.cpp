#include "field_list.hpp"

#include <cstdio>
#include <map>

#include "number_type.hpp"
#include "yaml_map.hpp"

namespace sv::streams {

namespace {

constexpr const char *attribute_names[] = {"units", "standard_name", "long_name", "axis", "positive"};
constexpr const char *reference_names[] = {"coordinates", "cell_measures", "ancillary_variables", "bounds"};

void write_numbers(YAML::Emitter &out, const char *key, const std::vector<double> &numbers) {
  if (!numbers.empty()) out << YAML::Key << key << YAML::Value << YAML::Flow << numbers;
}

void write_texts(YAML::Emitter &out, const Texts &texts) {
  for (const auto &[name, text] : texts) out << YAML::Key << name << YAML::Value << YAML::DoubleQuoted << text;
}

void write_axis(YAML::Emitter &out, const Axis &axis) {
  out << YAML::Key << axis.name << YAML::Value << YAML::BeginMap;
  out << YAML::Key << "length" << YAML::Value << axis.length;
  write_texts(out, axis.attributes);
  write_numbers(out, "values", axis.values);
  write_numbers(out, "bounds", axis.bounds);
  out << YAML::EndMap;
}

void write_field(YAML::Emitter &out, const Field &field) {
  std::vector<std::string> axes;
  for (const Axis &axis : field.axes) axes.push_back(axis.name);
  out << YAML::Key << field.name << YAML::Value << YAML::BeginMap;
  if (!axes.empty()) out << YAML::Key << "axes" << YAML::Value << YAML::Flow << axes;
  out << YAML::Key << "type" << YAML::Value << name_of_type(field.kind.type);
  out << YAML::Key << "file_type" << YAML::Value << name_of_type(field.file_type);
  if (field.kind.has_missing) out << YAML::Key << "fill_value" << YAML::Value << field.kind.missing;
  if (!field.units.empty()) out << YAML::Key << "units" << YAML::Value << YAML::DoubleQuoted << field.units;
  write_texts(out, field.attributes);
  write_texts(out, field.references);
  if (field.is_static) out << YAML::Key << "static" << YAML::Value << true;
  out << YAML::EndMap;
}

/// The strings that sv_stream_axis and sv_stream_field point into.
class Reader {
 public:
  explicit Reader(const std::string &path) : path_(path) {}

  FieldList read(const YAML::Node &document) {
    FieldList made;
    DeclaredNames names;
    YamlMap map(path_, document, "the list of fields");
    if (const std::string name = map.text("calendar"); !name.empty()) made.calendar = name;
    map.take("begin", [&](const YAML::Node &node) {
      made.begin = date_in(node.IsScalar() ? node.Scalar() : "");
      if (!made.begin) throw map.wrong(node, "this is no date", "Give, for example, 2001-01-01 00:00:00");
    });
    map.take("step_seconds", [&](const YAML::Node &node) { made.step_seconds = whole(map, node, 0); });
    map.take("axes", [&](const YAML::Node &node) {
      const YamlMap checked(path_, node, "'axes'");
      for (const auto &entry : node) read_axis(entry.first.Scalar(), entry.second);
    });
    map.take("fields", [&](const YAML::Node &node) {
      const YamlMap checked(path_, node, "'fields'");
      for (const auto &entry : node) {
        Field field = read_field(entry.first, entry.second);
        names.add(field);
        made.fields.push_back(std::move(field));
      }
    });
    map.finish();
    return made;
  }

 private:
  struct KeptAxis {
    std::map<std::string, std::string> texts;
    int64_t length = 0;
    std::vector<double> values, bounds;
  };

  static int64_t whole(const YamlMap &map, const YAML::Node &node, int64_t least) {
    int64_t number = 0;
    if (node.IsScalar() && YAML::convert<int64_t>::decode(node, number) && number >= least) return number;
    throw map.wrong(node, "this is no whole number", "Give " + std::to_string(least) + " or more");
  }

  static void take_texts(YamlMap &map, const auto &names, std::map<std::string, std::string> &texts) {
    for (const char *const name : names) map.take(name, [&](const YAML::Node &n) { texts[name] = n.Scalar(); });
  }

  static void take_numbers(YamlMap &map, const char *key, std::vector<double> &numbers) {
    map.take(key, [&](const YAML::Node &node) {
      if (!YAML::convert<std::vector<double>>::decode(node, numbers))
        throw map.wrong(node, std::string("'") + key + "' are no numbers", "Write [1.5, 2.5]");
    });
  }

  void read_axis(const std::string &name, const YAML::Node &node) {
    YamlMap map(path_, node, "axis '" + name + "'");
    KeptAxis &axis = axes_[name];
    take_texts(map, attribute_names, axis.texts);
    take_numbers(map, "values", axis.values);
    take_numbers(map, "bounds", axis.bounds);
    axis.length = static_cast<int64_t>(axis.values.size());
    map.take("length", [&](const YAML::Node &length) { axis.length = whole(map, length, 1); });
    map.finish();
    const auto length = static_cast<size_t>(axis.length);
    if ((!axis.values.empty() && axis.values.size() != length) ||
        (!axis.bounds.empty() && axis.bounds.size() != 2 * length))
      throw map.wrong(node, "axis '" + name + "' has another number of values or bounds than cells",
                      "Give 'length' values, and two bounds for each");
  }

  static int type_in(YamlMap &map, const char *key, int usual) {
    int found = usual;
    map.take(key, [&](const YAML::Node &node) {
      for (int type = SV_BYTE; type <= SV_UINT64; ++type)
        if (type != SV_CHAR && node.IsScalar() && node.Scalar() == name_of_type(type)) {
          found = type;
          return;
        }
      throw map.wrong(node, std::string("bad value of '") + key + "'", "Give a type such as int, float or double");
    });
    return found;
  }

  /// Those of the list, by their names.
  std::vector<sv_stream_axis> axes_of(YamlMap &map) const {
    std::vector<sv_stream_axis> made;
    map.take("axes", [&](const YAML::Node &node) {
      for (const YAML::Node &each : node) {
        const auto at = axes_.find(each.Scalar());
        if (at == axes_.end())
          throw map.wrong(each, "there is no axis '" + each.Scalar() + "'", "Describe it in 'axes' of the file");
        const auto &[texts, length, values, bounds] = at->second;
        sv_stream_axis axis{};
        axis.name = at->first.c_str();
        axis.length = length;
        axis.values = values.empty() ? nullptr : values.data();
        axis.bounds = bounds.empty() ? nullptr : bounds.data();
        const char **const to[] = {&axis.units, &axis.standard_name, &axis.long_name, &axis.axis, &axis.positive};
        for (size_t i = 0; i < std::size(to); ++i)
          if (const auto text = texts.find(attribute_names[i]); text != texts.end()) *to[i] = text->second.c_str();
        made.push_back(axis);
      }
    });
    return made;
  }

  Field read_field(const YAML::Node &name, const YAML::Node &node) const {
    YamlMap map(path_, node, "field '" + name.Scalar() + "'");
    std::map<std::string, std::string> texts;
    take_texts(map, attribute_names, texts);
    take_texts(map, reference_names, texts);
    const std::vector<sv_stream_axis> axes = axes_of(map);
    const std::string own = name.Scalar();
    sv_stream_field field{};
    field.name = own.c_str();
    field.type = type_in(map, "type", SV_DOUBLE);
    field.file_type = type_in(map, "file_type", field.type);
    field.units = texts["units"].c_str();
    field.standard_name = texts["standard_name"].c_str();
    field.long_name = texts["long_name"].c_str();
    field.coordinates = texts["coordinates"].c_str();
    field.cell_measures = texts["cell_measures"].c_str();
    field.ancillary_variables = texts["ancillary_variables"].c_str();
    field.bounds = texts["bounds"].c_str();
    field.naxes = static_cast<int>(axes.size());
    field.axes = axes.data();
    double fill = 0;
    map.take("fill_value", [&](const YAML::Node &value) {
      if (!YAML::convert<double>::decode(value, fill)) throw map.wrong(value, "this is no number", "Give one");
      field.fill_value = &fill;
    });
    bool is_static = false;
    map.take("static", [&](const YAML::Node &value) {
      if (!YAML::convert<bool>::decode(value, is_static))
        throw map.wrong(value, "this is not true or false", "Give one");
    });
    map.finish();
    const int type = field.type;
    field.type = SV_DOUBLE;  // of the fill value here
    Field made = is_static ? static_field_of(field, nullptr) : field_of(field);
    made.kind.type = type;
    return made;
  }

  std::string path_;
  std::map<std::string, KeptAxis> axes_;
};

}  // namespace

std::string text_of(const FieldList &list) {
  std::map<std::string, const Axis *> axes;
  for (const Field &field : list.fields)
    for (const Axis &axis : field.axes) axes[axis.name] = &axis;
  YAML::Emitter out;
  out.SetDoublePrecision(17);
  out << YAML::BeginMap << YAML::Key << "calendar" << YAML::Value << list.calendar;
  if (list.begin) out << YAML::Key << "begin" << YAML::Value << Calendar::text_of(*list.begin);
  out << YAML::Key << "step_seconds" << YAML::Value << list.step_seconds;
  out << YAML::Key << "axes" << YAML::Value << YAML::BeginMap;
  for (const auto &[name, axis] : axes) write_axis(out, *axis);
  out << YAML::EndMap << YAML::Key << "fields" << YAML::Value << YAML::BeginMap;
  for (const Field &field : list.fields) write_field(out, field);
  out << YAML::EndMap << YAML::EndMap;
  return std::string(out.c_str()) + "\n";
}

FieldList parse_field_list(const std::string &text, const std::string &path) {
  try {
    return Reader(path).read(YAML::Load(text));
  } catch (const YAML::Exception &error) {
    throw Failure(SV_ECONFIG, path + ":" + std::to_string(error.mark.line + 1) + ": this is not YAML: " + error.msg,
                  "Check indentation, quotes and colons");
  }
}

std::optional<Date> date_in(const std::string &text) {
  Date date{0, 0, 0, 0, 0, 0};
  int day_ends = 0, ends = 0;
  std::sscanf(text.c_str(), "%d-%d-%d%n%*1[T ]%d:%d:%d%n", &date.year, &date.month, &date.day, &day_ends, &date.hour,
              &date.minute, &date.second, &ends);
  const auto whole = static_cast<int>(text.size());
  if (day_ends == 0 || (day_ends != whole && ends != whole)) return std::nullopt;
  return date;
}

}  // namespace sv::streams
