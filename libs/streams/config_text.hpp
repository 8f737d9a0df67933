// Texts that one rank reads or writes for all: the configuration, and the list of fields.
#pragma once

#include <functional>
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

/// Collective. Writes the file that an environment variable of the first rank names, if it does. Throws
/// Failure(SV_EACCESS) on every rank.
void write_for_all(sv_context *io, const char *variable, const std::function<std::string()> &text);

}  // namespace sv::streams
