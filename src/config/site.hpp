// The configuration of a site, beneath that of a run: a centre sets there what holds for all of its users. The settings
// are loaded over it (config/configuration.hpp).
#pragma once

#include <string>

#include "config/config_text.hpp"

namespace sv {

/// Local. The first of these that exists: the file that SV_SITE_CONFIG names (which must exist; empty: no site
/// configuration); etc/sverdrup.yaml of the prefix that the library is installed in; /etc/sverdrup/sverdrup.yaml.
/// Empty: none.
std::string site_config_path(const Environment &variables);

/// Local. Its text. Throws Error(not_found), Error(access).
ConfigText read_site_config(const Environment &variables);

}  // namespace sv
