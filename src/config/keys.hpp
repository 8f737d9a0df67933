// The table of keys: one row for each, in groups, from which the YAML file, the environment, the arguments, the summary
// and the documentation are served. A new setting is a member of Settings or FileSettings and a row here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/settings.hpp"

namespace sv {

struct Key {
  std::string name;       // in arguments: "route", or with its group "async.mode"; in YAML, groups are maps
  bool stands_for_group;  // a scalar in place of the group sets this key: "async: threads"
  std::string type;       // as the documentation calls it
  std::string allowed;    // completes "give ..."
  std::string meaning;    // one line
  bool per_file;          // lives in FileSettings, and may stand under a pattern of files:
  std::function<void(Settings &, FileSettings &, const std::string &)> set;  // throws BadValue
  std::function<std::string(const Settings &, const FileSettings &)> text;   // which set accepts
  std::function<std::string(const Settings &, const FileSettings &)> json;

  std::string group() const;               // "async"; of a key without one, its name
  std::vector<std::string> names() const;  // by which it may be set: "async.mode" and "async"
};

/// The environment variable of a name: "SV_ASYNC_MODE".
std::string variable_of(const std::string &key);

/// In the order of the documentation.
const std::vector<Key> &keys();
const Key *find_key(const std::string &name);  // by any of its names; nullptr if there is none
/// The valid name that may have been meant; the part behind the group counts as a name, too.
std::string nearest_key(const std::string &name, const std::vector<std::string> &valid);

}  // namespace sv
