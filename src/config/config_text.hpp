// The sources of a configuration before parsing: texts of files, and variables of the environment.
#pragma once

#include <map>
#include <string>

namespace sv {

/// The variables of a process by name; those that do not begin with SV_ are of no interest.
using Environment = std::map<std::string, std::string>;

/// A configuration file: `path` is empty where there is none.
struct ConfigText {
  std::string path, text;
};

/// Local. The text of a file of at most 1 MiB; `what` names it in errors: "the configuration". Throws Error(not_found),
/// Error(access), Error(config).
std::string read_config_text(const std::string &path, const std::string &what);

}  // namespace sv
