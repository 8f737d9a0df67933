// A line of a configuration file in any language: a key with a value. The readers of YAML and of namelists make these;
// the configuration looks the keys up and sets the values.
#pragma once

#include <optional>
#include <string>

namespace sv {

/// The section of patterns of files.
constexpr const char *files_section = "files";
/// The section that libs/streams reads; the library ignores it.
constexpr const char *streams_section = "streams";

/// `pattern` empty: outside files:. `variable` empty: outside variables:. `key` empty: the last pattern of the two was
/// named, and nothing set for it.
struct Assignment {
  std::string pattern, key;
  std::optional<std::string> value;  // none: a map, or a list of more than single values
  std::string origin;                // "sverdrup.yaml:7"
  std::string variable{};            // a pattern of variables: the key is one of theirs (config/variable_keys.hpp)
};

}  // namespace sv
