// The table of keys: one row for each, from which the YAML file, the environment, the arguments, the summary and the
// documentation are served. A new setting is a member of Settings or FileSettings and a row here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/settings.hpp"

namespace sv {

struct Key {
  std::string name;     // in YAML and in arguments
  std::string type;     // as the documentation calls it
  std::string allowed;  // completes "give ..."
  std::string meaning;  // one line
  bool per_file;        // lives in FileSettings, and may stand under a pattern of files:
  std::function<void(Settings &, FileSettings &, const std::string &)> set;  // throws BadValue
  std::function<std::string(const Settings &, const FileSettings &)> text;   // which set accepts
  std::function<std::string(const Settings &, const FileSettings &)> json;

  std::string variable() const;  // "SV_IO_LAYOUT"
};

/// In the order of the documentation.
const std::vector<Key> &keys();
const Key *find_key(const std::string &name);  // nullptr if there is none

}  // namespace sv
