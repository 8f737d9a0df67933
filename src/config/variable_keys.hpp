// The table of keys of single variables: those that stand under a pattern of the section variables:. One row for each,
// from which the YAML file, the summary and the documentation are served. Values; local.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/variable_storage.hpp"

namespace sv {

/// The section of patterns of variables, at the top of the file or under a pattern of files:.
constexpr const char *variables_section = "variables";

struct VariableKey {
  std::string name;                                                 // "compression.codec"
  std::string group;                                                // whose scalar sets this key, or ""
  std::string type;                                                 // as the documentation calls it
  std::string allowed;                                              // completes "give ..."
  std::string meaning;                                              // one line
  std::function<void(VariableStorage &, const std::string &)> set;  // throws BadValue
  std::function<bool(const VariableStorage &)> is_given;
  std::function<std::string(const VariableStorage &)> json;  // where it is given
};

/// In the order of the documentation.
const std::vector<VariableKey> &variable_keys();
const VariableKey *find_variable_key(const std::string &name);  // nullptr if there is none

}  // namespace sv
