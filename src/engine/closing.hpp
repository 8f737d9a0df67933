// sv_close.
#pragma once

#include <optional>

#include "file/file.hpp"

namespace sv {

/// Collective. Completes the file or, if that fails, abandons it; threads do so later for a file that is written behind
/// the calls. The object stays, closed. Returns the error of single waiting requests: the file is complete.
std::optional<Error> complete(File &file);

}  // namespace sv
