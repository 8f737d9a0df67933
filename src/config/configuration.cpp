#include "config/configuration.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/json.hpp"
#include "config/keys.hpp"
#include "config/mpp_io.hpp"
#include "config/namelist.hpp"
#include "config/nearest.hpp"
#include "config/site.hpp"
#include "config/values.hpp"
#include "config/variable_keys.hpp"
#include "config/yaml_source.hpp"

namespace sv {

namespace {

const std::string config_variable = "SV_CONFIG";
// Variables with another meaning: these, and all that begin with one of these.
const std::vector<std::string> other_prefixes = {"SV_DEVICE", "SV_FORCE_",  "SV_INJECT", "SV_RUN_",
                                                 "SV_SHIM",   "SV_STREAM_", "SV_TEST_",  "SV_TRACE_"};

/// The row of a key; `place` is for the message when there is none.
const Key &key_of(const std::string &name, const std::string &place, bool in_files) {
  const Key *key = find_key(name);
  if (key && in_files && !key->per_file)
    throw Error(Status::config, place + ": key '" + name + "' holds for the whole run, not for single files",
                "Move it out of '" + std::string(files_section) + "'");
  if (key) return *key;
  std::vector<std::string> valid;
  for (const Key &other : keys())
    if (other.per_file || !in_files)
      for (const std::string &each : other.names()) valid.push_back(each);
  if (!in_files) valid.push_back(files_section);
  valid.push_back(variables_section);
  const std::string group = name.substr(0, name.find('.'));
  const bool is_group = std::ranges::any_of(keys(), [&](const Key &other) { return other.group() == group; });
  const std::string &unknown = is_group ? name : group;
  throw Error(Status::config, place + ": unknown key '" + unknown + "'",
              "The nearest valid one is '" + nearest_key(unknown, valid) + "'");
}

const VariableKey &variable_key_of(const Assignment &one) {
  if (const VariableKey *const key = find_variable_key(one.key)) return *key;
  std::vector<std::string> valid;
  for (const VariableKey &each : variable_keys())
    for (const std::string &name : {each.name, each.group})
      if (!name.empty()) valid.push_back(name);
  throw Error(Status::config, one.origin + ": unknown key '" + one.key + "' of variable '" + one.variable + "'",
              "The nearest valid one is '" + nearest_key(one.key, valid) + "'");
}

Error bad_value(const Assignment &one, const std::string &allowed, const BadValue &bad) {
  return Error(Status::config,
               one.origin + ": key '" + one.key + "' has " +
                   (one.value ? "the bad value '" + *one.value + "'" : "no single value"),
               "Give " + allowed + (bad.nearest.empty() ? "" : "; the nearest is '" + bad.nearest + "'"));
}

/// Where the summary finds from where the value of a key of a variable comes.
std::string origin_key(const std::string &variable, const std::string &key) {
  return std::string(variables_section) + "." + variable + "." + key;
}

/// Refuses a key that one source sets twice, by two of its names.
class Once {
 public:
  void add(const std::string &key, const Assignment &one) {
    if (!seen_.insert(key).second)
      throw Error(Status::config, one.origin + ": '" + one.key + "' is given a second time, by another of its names",
                  "Keep one");
  }

 private:
  std::set<std::string> seen_;
};

/// Puts the patterns of variables of one source in front of the file's existing ones.
class VariablePatterns {
 public:
  explicit VariablePatterns(FileSettings &file) : file_(&file) {}
  void assign(const Assignment &one) {
    auto &all = file_->chunks.variables;
    if (one.key.empty()) {
      all.insert(all.begin() + count_++, {one.variable, {}});
      return;
    }
    const VariableKey &key = variable_key_of(one);
    once_.add(one.pattern + '\n' + std::to_string(count_) + '\n' + key.name, one);
    try {
      if (!one.value) throw BadValue{""};
      key.set(all[static_cast<size_t>(count_ - 1)].second, *one.value);
    } catch (const BadValue &bad) {
      throw bad_value(one, key.allowed, bad);
    }
    file_->from[origin_key(one.variable, key.name)] = one.origin;
  }

 private:
  FileSettings *file_;
  std::ptrdiff_t count_ = 0;
  Once once_;
};

/// Of the form key?=value: a default of the program, over which everything else wins.
bool is_default(const std::string &option) {
  const size_t equals = option.find('=');
  return equals != std::string::npos && equals > 0 && option[equals - 1] == '?';
}

class Loader {
 public:
  /// Over the files that were read before. `mark` is put before its name in the summary and in errors.
  void read_file(const ConfigText &config, const std::string &mark) {
    const std::vector<Assignment> all = assignments_of(config, mark);
    for_all_files([&](FileSettings &file) {
      VariablePatterns variables(file);
      Once once;
      for (const Assignment &one : all)
        if (one.pattern.empty()) one.variable.empty() ? assign(one, file, once) : variables.assign(one);
    });
    // Patterns begin with the defaults of the whole file, wherever these stand in it.
    Patterns patterns;
    VariablePatterns variables(settings_.file);
    Once once;
    for (const Assignment &one : all) {
      if (one.pattern.empty()) continue;
      if (!one.variable.empty()) {
        variables.assign(one);
      } else if (one.key.empty()) {
        patterns.emplace_back(one.pattern, settings_.file);
        variables = VariablePatterns(patterns.back().second);
      } else {
        assign(one, patterns.back().second, once);
      }
    }
    settings_.patterns.insert(settings_.patterns.begin(), patterns.begin(), patterns.end());
  }

  void read_variables(const Environment &variables) {
    if (variables.empty()) return;
    std::vector<std::string> valid = {"config", "site_config", variables_section};
    Once once;
    for (const Key &key : keys())
      for (const std::string &name : key.names()) {
        valid.push_back(name);
        const auto at = variables.find(variable_of(name));
        if (at == variables.end()) continue;
        once.add(key.name, {"", at->first, at->second, "the environment"});
        set_everywhere(key, at->second, at->first, at->first);
      }
    const std::string of_variables = variable_of(variables_section);
    if (const auto at = variables.find(of_variables); at != variables.end()) set_variables(at->second, of_variables);
    for (const auto &[name, value] : variables) {
      const auto begins = [&name](const std::string &prefix) { return name.starts_with(prefix); };
      const auto is = [&name](const std::string &key) { return variable_of(key) == name; };
      if (!begins("SV_") || std::ranges::any_of(other_prefixes, begins) || std::ranges::any_of(valid, is)) continue;
      settings_.warnings.push_back("the environment variable '" + name +
                                   "' is no key of Sverdrup and has no effect. The nearest one is '" +
                                   variable_of(nearest_key(name.substr(3), valid)) + "'");
    }
  }

  void read_option(const std::string &option) {
    const std::string place = "argument '" + option + "'";
    const size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw Error(Status::config, place + " is not of the form key=value",
                  "Write, for example, '" + key_of(option, place, false).name + "=...'");
    const std::string origin = is_default(option) ? "default of the program" : "argument";
    const std::string name = option.substr(0, is_default(option) ? equals - 1 : equals);
    if (name == files_section)
      throw Error(Status::config, place + ": '" + name + "' is a section of the configuration file",
                  "Write it there; an argument holds for all files");
    if (name == variables_section) return set_variables(option.substr(equals + 1), origin);
    set_everywhere(key_of(name, place, false), option.substr(equals + 1), origin, place);
  }

  Settings take() { return std::move(settings_); }

 private:
  using Patterns = decltype(Settings::patterns);

  std::vector<Assignment> assignments_of(const ConfigText &config, const std::string &mark) {
    std::vector<Assignment> all;
    if (is_namelist(config.text)) {
      MppIo group = read_mpp_io(config.text, config.path);
      all = std::move(group.settings);
      settings_.notes.insert(settings_.notes.end(), group.notes.begin(), group.notes.end());
    } else {
      all = parse_yaml(config.text, config.path);
    }
    for (Assignment &one : all) one.origin.insert(0, mark);
    return all;
  }
  /// Calls `take` with the defaults and with the settings of each pattern.
  template <class Take>
  void for_all_files(const Take &take) {
    take(settings_.file);
    for (auto &pattern : settings_.patterns) take(pattern.second);
  }
  /// `text`: the section as YAML has it on one line, "{temp: {deflate: 4}}".
  void set_variables(const std::string &text, const std::string &place) {
    const std::vector<Assignment> all = parse_yaml(std::string(variables_section) + ": " + text, place);
    for_all_files([&](FileSettings &file) {
      VariablePatterns variables(file);
      for (Assignment one : all) {
        one.origin = place;
        if (one.variable.empty())
          throw Error(Status::config, place + ": there are keys of no variable in '" + text + "'",
                      "Give a map such as {temp: {deflate: 4}}");
        variables.assign(one);
      }
    });
  }
  void set(const Key &key, FileSettings &file, const std::string &value, const std::string &origin,
           const std::string &place) {
    try {
      key.set(settings_, file, value);
    } catch (const BadValue &bad) {
      throw Error(Status::config, place + ": key '" + key.name + "' has the bad value '" + value + "'",
                  "Give " + key.allowed + (bad.nearest.empty() ? "" : "; the nearest is '" + bad.nearest + "'"));
    }
    (key.per_file ? file.from : settings_.from)[key.name] = origin;
  }
  void assign(const Assignment &one, FileSettings &file, Once &once) {
    const Key &key = key_of(one.key, one.origin, !one.pattern.empty());
    once.add(one.pattern + '\n' + key.name, one);
    if (!one.value)
      throw Error(Status::config, one.origin + ": key '" + key.name + "' has no single value", "Give " + key.allowed);
    set(key, file, *one.value, one.origin, one.origin);
  }
  void set_everywhere(const Key &key, const std::string &value, const std::string &origin, const std::string &place) {
    set(key, settings_.file, value, origin, place);
    if (!key.per_file) return;
    for (auto &pattern : settings_.patterns) set(key, pattern.second, value, origin, place);
  }

  Settings settings_;
};

std::string origin_of(const Key &key, const Settings &settings, const FileSettings &file) {
  const Origins &from = key.per_file ? file.from : settings.from;
  const auto at = from.find(key.name);
  return at == from.end() ? "default" : at->second;
}

std::string value_json(const Key &key, const Settings &settings, const FileSettings &file) {
  return json_object({{"value", key.json(settings, file)}, {"from", json_text(origin_of(key, settings, file))}});
}

}  // namespace

Environment environment() {
  Environment variables;
  for (char **entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    const size_t equals = variable.find('=');
    if (variable.starts_with("SV_") && equals != std::string::npos)
      variables[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  return variables;
}

std::string config_path(const std::string &path, const Environment &variables) {
  const auto named = variables.find(config_variable);
  return path.empty() && named != variables.end() ? named->second : path;
}

ConfigText read_config(const std::string &path, const Environment &variables) {
  const std::string file = config_path(path, variables);
  return {file, file.empty() ? "" : read_config_text(file, "the configuration")};
}

std::string read_machine_profile(const std::string &path) {
  return read_config_text(path, "the profile of the machine");
}

Settings load_settings(const ConfigText &config, const Environment &variables, const std::vector<std::string> &options,
                       const ConfigText &site) {
  Loader loader;
  for (const std::string &option : options)
    if (is_default(option)) loader.read_option(option);
  if (!site.path.empty()) loader.read_file(site, "site ");
  if (!config.path.empty()) loader.read_file(config, "");
  loader.read_variables(variables);
  for (const std::string &option : options)
    if (!is_default(option)) loader.read_option(option);
  return loader.take();
}

Settings load_settings(const std::string &path, const Environment &variables, const std::vector<std::string> &options) {
  return load_settings(read_config(path, variables), variables, options, read_site_config(variables));
}

namespace {

/// The patterns of variables, each with its keys.
void add_variables(JsonMembers &to, const FileSettings &file) {
  JsonMembers patterns;
  for (const auto &[pattern, storage] : file.chunks.variables) {
    JsonMembers own;
    for (const VariableKey &key : variable_keys()) {
      if (!key.is_given(storage)) continue;
      const auto from = file.from.find(origin_key(pattern, key.name));
      own.emplace_back(key.name, json_object({{"value", key.json(storage)},
                                              {"from", json_text(from == file.from.end() ? "" : from->second)}}));
    }
    patterns.emplace_back(pattern, json_object(own));
  }
  if (!patterns.empty()) to.emplace_back(variables_section, json_object(patterns));
}

}  // namespace

std::string settings_json(const Settings &settings) {
  JsonMembers members, files;
  for (const Key &key : keys()) members.emplace_back(key.name, value_json(key, settings, settings.file));
  for (const auto &[pattern, file] : settings.patterns) {
    JsonMembers differing;
    for (const Key &key : keys()) {
      const std::string value = value_json(key, settings, file);
      if (value != value_json(key, settings, settings.file)) differing.emplace_back(key.name, value);
    }
    add_variables(differing, file);
    files.emplace_back(pattern, json_object(differing));
  }
  add_variables(members, settings.file);
  if (!files.empty()) members.emplace_back(files_section, json_object(files));
  std::vector<std::string> notes;
  for (const auto *const texts : {&settings.notes, &settings.warnings})
    for (const std::string &note : *texts) notes.push_back(json_text(note));
  if (!notes.empty()) members.emplace_back("notes", json_array(notes));
  return json_object(members);
}

}  // namespace sv
