// A line of a configuration file, whatever language it is written in: a key that is given a value. The readers of YAML
// and of namelists make these; the configuration looks the keys up and sets the values.
#pragma once

#include <optional>
#include <string>

namespace sv {

/// The section of patterns of files.
constexpr const char *files_section = "files";

/// `pattern` empty: outside files:. `key` empty: the pattern was named, and nothing set for it.
struct Assignment {
  std::string pattern, key;
  std::optional<std::string> value;  // none: a map, or a list of more than single values
  std::string origin;                // "sverdrup.yaml:7"
};

}  // namespace sv
