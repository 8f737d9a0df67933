// How a file ends, complete or given up: its last steps, that all ways of closing have in common.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Local. Closes this rank's handle, when nothing is written through it any more.
void detach(File &file);
/// Collective. It is complete: what is left to be told of it. `misfits`: some rank has any.
void end_complete(File &file, bool range_errors);
/// Not collective: drops this rank's handle; rank 0 removes what is incomplete. Nothing, of a file that was closed.
void abandon(File &file) noexcept;

}  // namespace sv
