// The configuration of a run: the YAML file of the site (config/site.hpp), one YAML or namelist file over it,
// environment variables over both, arguments over all. It becomes the settings when a context is made, and the summary
// shows it. Nothing here is collective: the engine reads the files on one rank, which broadcasts their text.
#pragma once

#include <string>
#include <vector>

#include "config/config_text.hpp"
#include "config/settings.hpp"

namespace sv {

/// This process's variables that begin with SV_.
Environment environment();

/// Local. Reads the site's file and the file `path` (empty: the one that SV_CONFIG names; neither: no file). Later
/// sources win: the file `path`, `variables`, and `options` ("key=value"; of equal keys the last), in the patterns of
/// the files: sections before it, too. Options "key?=value" are defaults of the program, which all of these override.
/// Patterns of `path` come before those of the site. Unknown keys and bad values are Error(config), which names the
/// key, the place ("sverdrup.yaml:7", "SV_ROUTE", "argument 'route=x'") and the nearest valid key or value. An
/// unknown variable that begins with SV_ may belong to another program: it is a warning, except SV_CONFIG,
/// SV_SITE_CONFIG and those of the tracer and of the test and benchmark shims (SV_TRACE_*, SV_DEVICE*, SV_INJECT*,
/// SV_SHIM*, SV_TEST*). A missing file is Error(not_found); a YAML file in a build without yaml-cpp is
/// Error(not_compiled). A file whose first character is '&' is a Fortran namelist file (mpp_io.hpp).
Settings load_settings(const std::string &path, const Environment &variables, const std::vector<std::string> &options);

/// Local. The file that is to be read; empty: none.
std::string config_path(const std::string &path, const Environment &variables);

/// The same in two steps, so that one rank can read the files for all.
ConfigText read_config(const std::string &path, const Environment &variables);
Settings load_settings(const ConfigText &config, const Environment &variables, const std::vector<std::string> &options,
                       const ConfigText &site = {});

/// Local. The text of the profile that the key `machine` names. Throws Error(not_found), Error(access).
std::string read_machine_profile(const std::string &path);

/// Every key with its value in force and where it came from, for the summary, as the text of a JSON object:
/// {"window": {"value": 67108864, "from": "default"}, ..., "files": {PATTERN: {what differs from the above}}, "notes":
/// [...]}. Sizes are in bytes, durations in seconds.
std::string settings_json(const Settings &settings);

}  // namespace sv
