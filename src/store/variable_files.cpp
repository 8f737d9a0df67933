#include "store/variable_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "store/set_run.hpp"

namespace sv {

namespace {

constexpr const char *place_of_name = "%v", *place_of_file = "%f";
constexpr const char *listed_files = "sverdrup_files", *listed_variables = "sverdrup_variables";

/// Attributes that name variables which a variable needs to be understood. Words that end with a colon are roles.
constexpr std::array naming{"coordinates",
                            "bounds",
                            "climatology",
                            "grid_mapping",
                            "formula_terms",
                            "geometry",
                            "node_coordinates",
                            "node_count",
                            "part_node_count",
                            "interior_ring",
                            "mesh",
                            "face_coordinates",
                            "edge_coordinates",
                            "face_node_connectivity",
                            "edge_node_connectivity",
                            "face_edge_connectivity",
                            "face_face_connectivity",
                            "edge_face_connectivity",
                            "boundary_node_connectivity"};

/// '/' is in no name.
std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names) text += (text.empty() ? "" : "/") + name;
  return text;
}

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> names;
  std::istringstream all(text);
  for (std::string name; std::getline(all, name, '/');) names.push_back(name);
  return names;
}

void set_text(std::vector<Attribute> &attributes, const std::string &name, const std::string &text) {
  std::erase_if(attributes, [&](const Attribute &each) { return each.name == name; });
  attributes.push_back(text_attribute(name, text));
}

std::vector<std::string> names_in(const Schema &schema, const char *name) {
  const Attribute *const found = find_attribute(schema.attributes, name);
  std::vector<std::string> names = found == nullptr ? std::vector<std::string>{} : split(text_of(*found).value_or(""));
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    throw Error(Status::format, std::string("the attribute '") + name + "' names a variable twice",
                "Give the files that one run has written");
  return names;
}

/// The needs of each variable of a schema.
class Needs {
 public:
  explicit Needs(const Schema &schema) : schema_(schema) {
    for (int v = 0; v < std::ssize(schema.variables); ++v) {
      const Variable &each = schema.variables[static_cast<size_t>(v)];
      ids_[each.name] = v;
      if (each.dims.size() == 1 && find_attribute(each.attributes, order_attribute) != nullptr) orders_.push_back(v);
    }
    for (int v = 0; v < std::ssize(schema.variables); ++v) direct_.push_back(of(v));
  }
  const std::set<int> &directly(int v) const { return direct_[static_cast<size_t>(v)]; }
  /// Adds it, and all that it needs.
  void collect(int v, std::set<int> &all) const {
    std::vector<int> left{v};
    while (!left.empty()) {
      const int next = left.back();
      left.pop_back();
      if (all.insert(next).second) left.insert(left.end(), directly(next).begin(), directly(next).end());
    }
  }

 private:
  std::set<int> of(int v) const {
    std::set<int> all;
    const auto add = [&](const std::string &name) {
      const auto found = ids_.find(name);
      if (found != ids_.end() && found->second != v) all.insert(found->second);
    };
    const Variable &variable = schema_.variables[static_cast<size_t>(v)];
    for (const int dim : variable.dims) add(schema_.dims[static_cast<size_t>(dim)].name);
    for (const int order : orders_)
      if (std::count(variable.dims.begin(), variable.dims.end(), dims_of(order).front()) > 0) add(name_of(order));
    for (const char *const attribute : naming) {
      const Attribute *const found = find_attribute(variable.attributes, attribute);
      std::istringstream words(found == nullptr ? "" : text_of(*found).value_or(""));
      for (std::string word; words >> word;) add(word.back() == ':' ? word.substr(0, word.size() - 1) : word);
    }
    return all;
  }

  const std::vector<int> &dims_of(int v) const { return schema_.variables[static_cast<size_t>(v)].dims; }
  const std::string &name_of(int v) const { return schema_.variables[static_cast<size_t>(v)].name; }

  const Schema &schema_;
  std::map<std::string, int> ids_;
  std::vector<int> orders_;  // variables that hold an order of points
  std::vector<std::set<int>> direct_;
};

Error foreign(const std::string &cause) {
  return Error(Status::format, cause, "Give the files that one run has written, all of them");
}

bool same_dims(const std::vector<Dimension> &a, const std::vector<Dimension> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Dimension &one, const Dimension &other) {
    return one.name == other.name && one.is_record == other.is_record && (one.is_record || one.length == other.length);
  });
}

}  // namespace

std::vector<VariableFile> variable_files(const Schema &whole) {
  if (whole.variables.empty())
    throw Error(Status::define, "a file for each variable was asked for, but there are no variables",
                "Define one, or leave 'layout' out");
  const Needs needs(whole);
  std::vector<bool> is_needed(whole.variables.size()), is_there(whole.variables.size());
  for (int v = 0; v < std::ssize(whole.variables); ++v)
    for (const int other : needs.directly(v)) is_needed[static_cast<size_t>(other)] = true;
  constexpr size_t most_entries = 4'000'000;  // of all files, in the memory of each rank
  std::map<int, std::set<int>> files;
  size_t entries = 0;
  const auto add = [&](int v) {
    needs.collect(v, files[v]);
    entries += files[v].size();
    if (entries > most_entries)
      throw Error(Status::limit,
                  "the files of the variables, each with all that it needs, have more than " +
                      std::to_string(most_entries) + " variables together",
                  "Leave 'layout' out, and write one file");
    for (const int each : files[v]) is_there[static_cast<size_t>(each)] = true;
  };
  for (int v = 0; v < std::ssize(whole.variables); ++v)
    if (!is_needed[static_cast<size_t>(v)]) add(v);
  for (int v = 0; v < std::ssize(whole.variables); ++v)
    if (!is_there[static_cast<size_t>(v)]) add(v);  // they need each other, and no other variable needs them
  std::vector<VariableFile> all;
  for (const auto &[variable, has] : files) all.push_back({variable, {has.begin(), has.end()}});
  return all;
}

Schema schema_of(const Schema &whole, const std::vector<VariableFile> &files, const VariableFile &file, int64_t run) {
  Schema schema = whole;
  schema.variables.clear();
  for (const int v : file.has) schema.variables.push_back(whole.variables[static_cast<size_t>(v)]);
  std::vector<std::string> own, all;
  for (const VariableFile &each : files) own.push_back(whole.variables[static_cast<size_t>(each.variable)].name);
  for (const Variable &each : whole.variables) all.push_back(each.name);
  set_text(schema.attributes, listed_files, joined(own));
  set_text(schema.attributes, listed_variables, joined(all));
  set_run(schema, run);
  return schema;
}

bool names_variable(const std::string &path) {
  return std::filesystem::path(path).filename().string().find(place_of_name) != std::string::npos;
}

std::string variable_template(const std::string &path, const std::string &name) {
  if (names_variable(path))
    throw Error(Status::config,
                "the name has " + std::string(place_of_name) + ", and so have the files of its variables",
                "Set layout to one_file for this file, or give it another name")
        .in_file(path);
  const std::filesystem::path whole(path);
  std::string made = name.empty() ? std::string(place_of_file) + "_" + place_of_name : name;
  if (const size_t at = made.find(place_of_file); at != std::string::npos) made.replace(at, 2, whole.stem().string());
  if (made.find(place_of_name) == std::string::npos)
    throw Error(Status::config, "layout = per_variable:" + name + " has no place for the name of a variable",
                "Write %v where it stands, as in %f_%v")
        .in_file(path);
  return (whole.parent_path() / (made + whole.extension().string())).string();
}

std::string variable_path(const std::string &path_template, const std::string &variable) {
  const size_t at = path_template.rfind(place_of_name);
  return path_template.substr(0, at) + variable + path_template.substr(at + 2);
}

std::string variable_in(const std::string &path_template, const std::string &path) {
  const size_t at = path_template.rfind(place_of_name);
  const std::string before = path_template.substr(0, at), after = path_template.substr(at + 2);
  if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after)) return "";
  return path.substr(before.size(), path.size() - before.size() - after.size());
}

std::vector<std::string> files_of_set(const Schema &one) { return names_in(one, listed_files); }

Schema whole_of(const std::vector<Schema> &files) {
  Schema whole = files.front();
  const std::vector<std::string> names = names_in(whole, listed_variables);
  std::map<std::string, const Variable *> found;
  for (const Schema &one : files) {
    if (one.format != whole.format || !same_dims(one.dims, whole.dims) || names_in(one, listed_variables) != names ||
        names_in(one, listed_files) != names_in(whole, listed_files))
      throw foreign("the files of a set have other dimensions or variables, or another format");
    if (run_of(one) != run_of(whole))
      throw foreign("a file of the set is not of the same run: " + runs_differ(run_of(one), run_of(whole)));
    for (const Variable &each : one.variables) {
      const auto [known, is_new] = found.try_emplace(each.name, &each);
      if (!is_new && (known->second->type != each.type || known->second->dims != each.dims))
        throw foreign("the variable '" + each.name + "' differs between the files of a set");
    }
  }
  whole.variables.clear();
  for (const std::string &name : names) {
    if (found.count(name) == 0) throw foreign("no file of the set has the variable '" + name + "'");
    whole.variables.push_back(*found[name]);
  }
  for (const char *const added : {listed_files, listed_variables})
    std::erase_if(whole.attributes, [&](const Attribute &each) { return each.name == added; });
  return whole;
}

}  // namespace sv
