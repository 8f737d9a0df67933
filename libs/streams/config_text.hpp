// The text of the configuration, which one rank reads for all.
#pragma once

#include <string>

#include "sverdrup/sverdrup.h"

namespace sv::streams {

/// `path` empty: there is none.
struct ConfigText {
  std::string path, text;
};

/// Collective. `path`: nullptr for the file that SV_CONFIG names on the first
/// rank. Throws Failure(SV_ENOTFOUND, SV_EACCESS) on every rank.
ConfigText read_config_text(sv_context *io, const char *path);

}  // namespace sv::streams
