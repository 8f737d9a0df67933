// How a file ends, complete or given up: its last steps, that all ways of closing have in common.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Local. Closes this rank's handle, when nothing is written through it any more.
void detach(File &file);
/// Collective. Reports a complete file. `misfits`: some rank has range errors.
void end_complete(File &file, bool range_errors);
/// Not collective: drops this rank's handle; rank 0 removes incomplete files. Nothing for a closed file.
void abandon(File &file) noexcept;

}  // namespace sv
