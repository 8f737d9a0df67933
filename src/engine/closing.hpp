// sv_close.
#pragma once

#include <optional>

#include "file/file.hpp"

namespace sv {

/// Collective. Completes the file or, where that fails, abandons it; where it is written behind the calls, threads do
/// so some time later. The object stays, closed. Returns what single requests that waited have failed with: the file is
/// complete.
std::optional<Error> complete(File &file);

}  // namespace sv
