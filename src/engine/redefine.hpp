// Definitions that change after sv_enddef (ADR 27). Collective.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Back to define mode, which end_define ends, with everything committed that was put.
void redefine(File &file);
/// The last part of end_define after a redefinition: rewrites the file's header in place, or moves its values into a
/// new file.
void end_redefine(File &file);
/// In define mode. After redefine(), drops the new definitions, and the file is unchanged; a file that was never
/// defined is removed.
void drop_definitions(File &file);

}  // namespace sv
