// How a file ends: sv_close, or giving it up.
#pragma once

#include <optional>

#include "file/file.hpp"

namespace sv {

/// Collective. Completes the file or, where that fails, abandons it. The object stays, closed. Returns what single
/// requests that waited have failed with: the file is complete.
std::optional<Error> complete(File &file);
/// Not collective: drops this rank's handle; rank 0 removes what is incomplete.
void abandon(File &file) noexcept;

}  // namespace sv
