// Definitions that change after sv_enddef (ADR 27). Collective.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Back to define mode, which end_define ends, with everything committed that was put.
void redefine(File &file);
/// What end_define does after that: the file's header is rewritten in place, or its values are moved into a new file.
void end_redefine(File &file);

}  // namespace sv
