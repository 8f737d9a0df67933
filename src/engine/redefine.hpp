// Definitions that change after sv_enddef (ADR 27). Collective.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Back to define mode, which end_define ends, with everything committed that was put.
void redefine(File &file);
/// What end_define does after that: the file's header is rewritten in place, or its values are moved into a new file.
void end_redefine(File &file);
/// In define mode. After redefine(), what was defined since then is forgotten, and the file is what it was; a file that
/// was never defined is given up, and nothing is left of it.
void drop_definitions(File &file);

}  // namespace sv
