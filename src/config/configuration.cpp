#include "config/configuration.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/error.hpp"
#include "base/json.hpp"
#include "config/keys.hpp"
#include "config/mpp_io.hpp"
#include "config/namelist.hpp"
#include "config/nearest.hpp"
#include "config/values.hpp"
#include "config/yaml_source.hpp"

namespace sv {

namespace {

constexpr size_t largest_file_bytes = 1 << 20;

const std::string config_variable = "SV_CONFIG";
// Variables with another meaning: these, and all that begin with one of these.
const std::vector<std::string> other_prefixes = {"SV_DEVICE", "SV_FORCE_", "SV_INJECT", "SV_RUN_",
                                                 "SV_SHIM",   "SV_TEST",   "SV_TRACE_"};

/// `what`: "the configuration".
std::string read_text(const std::string &path, const std::string &what) {
  const std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "r"), std::fclose);
  if (!file) throw system_error(errno, what + " cannot be opened", path);
  std::string text;
  std::array<char, 4096> block;
  while (const size_t got = std::fread(block.data(), 1, block.size(), file.get())) {
    text.append(block.data(), got);
    if (text.size() > largest_file_bytes)
      throw Error(Status::config, what + " is longer than 1 MiB", "Check that this is the file you meant")
          .in_file(path);
  }
  if (std::ferror(file.get())) throw system_error(errno, what + " cannot be read", path);
  return text;
}

/// The row of a key; `place` is for the message when there is none.
const Key &key_of(const std::string &name, const std::string &place, bool in_files) {
  const Key *key = find_key(name);
  if (key && in_files && !key->per_file)
    throw Error(Status::config, place + ": key '" + name + "' holds for the whole run, not for single files",
                "Move it out of '" + std::string(files_section) + "'");
  if (key) return *key;
  std::vector<std::string> valid;
  for (const Key &other : keys())
    if (other.per_file || !in_files) valid.push_back(other.name);
  if (!in_files) valid.push_back(files_section);
  throw Error(Status::config, place + ": unknown key '" + name + "'",
              "The nearest valid one is '" + nearest(name, valid) + "'");
}

class Loader {
 public:
  void read_file(const ConfigText &config) {
    std::vector<Assignment> all;
    if (is_namelist(config.text)) {
      MppIo group = read_mpp_io(config.text, config.path);
      all = std::move(group.settings);
      settings_.notes = std::move(group.notes);
    } else {
      all = parse_yaml(config.text, config.path);
    }
    for (const Assignment &one : all)
      if (one.pattern.empty()) assign(one, settings_.file);
    // Patterns begin with the defaults of the whole file, wherever these stand in it.
    for (const Assignment &one : all) {
      if (one.pattern.empty()) continue;
      if (one.key.empty())
        settings_.patterns.emplace_back(one.pattern, settings_.file);
      else
        assign(one, settings_.patterns.back().second);
    }
  }

  void read_variables(const Environment &variables) {
    if (variables.empty()) return;
    std::vector<std::string> valid = {config_variable};
    for (const Key &key : keys()) {
      valid.push_back(key.variable());
      const auto at = variables.find(key.variable());
      if (at != variables.end()) set_everywhere(key, at->second, at->first, at->first);
    }
    for (const auto &[name, value] : variables) {
      const auto begins = [&name](const std::string &prefix) { return name.starts_with(prefix); };
      if (!name.starts_with("SV_") || std::any_of(other_prefixes.begin(), other_prefixes.end(), begins)) continue;
      if (std::find(valid.begin(), valid.end(), name) == valid.end())
        settings_.warnings.push_back("the environment variable '" + name +
                                     "' is no key of Sverdrup and has no effect. The nearest one is '" +
                                     nearest(name, valid) + "'");
    }
  }

  void read_option(const std::string &option) {
    const std::string place = "argument '" + option + "'";
    const size_t equals = option.find('=');
    if (equals == std::string::npos)
      throw Error(Status::config, place + " is not of the form key=value",
                  "Write, for example, '" + key_of(option, place, false).name + "=...'");
    const std::string name = option.substr(0, equals);
    if (name == files_section)
      throw Error(Status::config, place + ": '" + name + "' is a section of the configuration file",
                  "Write it there; an argument holds for all files");
    set_everywhere(key_of(name, place, false), option.substr(equals + 1), "argument", place);
  }

  Settings take() { return std::move(settings_); }

 private:
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
  void assign(const Assignment &one, FileSettings &file) {
    const Key &key = key_of(one.key, one.origin, !one.pattern.empty());
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
  return {file, file.empty() ? "" : read_text(file, "the configuration")};
}

std::string read_machine_profile(const std::string &path) { return read_text(path, "the profile of the machine"); }

Settings load_settings(const ConfigText &config, const Environment &variables,
                       const std::vector<std::string> &options) {
  Loader loader;
  if (!config.path.empty()) loader.read_file(config);
  loader.read_variables(variables);
  for (const std::string &option : options) loader.read_option(option);
  return loader.take();
}

Settings load_settings(const std::string &path, const Environment &variables, const std::vector<std::string> &options) {
  return load_settings(read_config(path, variables), variables, options);
}

std::string settings_json(const Settings &settings) {
  JsonMembers members, files;
  for (const Key &key : keys()) members.emplace_back(key.name, value_json(key, settings, settings.file));
  for (const auto &[pattern, file] : settings.patterns) {
    JsonMembers differing;
    for (const Key &key : keys()) {
      const std::string value = value_json(key, settings, file);
      if (value != value_json(key, settings, settings.file)) differing.emplace_back(key.name, value);
    }
    files.emplace_back(pattern, json_object(differing));
  }
  if (!files.empty()) members.emplace_back(files_section, json_object(files));
  std::vector<std::string> notes;
  for (const auto *const texts : {&settings.notes, &settings.warnings})
    for (const std::string &note : *texts) notes.push_back(json_text(note));
  if (!notes.empty()) members.emplace_back("notes", json_array(notes));
  return json_object(members);
}

}  // namespace sv
