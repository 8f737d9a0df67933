// Reads a YAML configuration file, as text: a list of assignments, in its order. It knows YAML and nothing of the keys;
// in a build without yaml-cpp, yaml_absent.cpp stands in for it and refuses.
#pragma once

#include <string>
#include <vector>

#include "config/assignment.hpp"

namespace sv {

/// Throws Error(config) if the text is no YAML or no map, or for a repeated key; Error(not_compiled) in a build without
/// yaml-cpp. `path` is for messages. A list of single values is their text with commas between ("[4, 2]": "4,2"). A map
/// of keys is a group, whose name their names get in front ("async.mode").
std::vector<Assignment> parse_yaml(const std::string &text, const std::string &path);

}  // namespace sv
