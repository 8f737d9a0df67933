// The configuration file as a list of assignments, in its order.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sv {

/// `pattern` empty: outside files:. `key` empty: the pattern was named, and nothing set for it.
struct Assignment {
  std::string pattern, key;
  std::optional<std::string> value;  // none: a map, or a list of more than single values
  std::string origin;                // "sverdrup.yaml:7"
};

/// Throws Error(config) for what is no YAML, no map, or given twice; Error(not_compiled) in a build
/// without yaml-cpp. `path` is for messages. A list of single values is their text with commas between ("[4, 2]":
/// "4,2").
std::vector<Assignment> parse_yaml(const std::string &text, const std::string &path);

}  // namespace sv
