// sv_share_definitions: what rank 0 has defined, on every rank.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Collective, in define mode. The dimensions, variables and attributes of rank 0 take the place of this rank's.
void share_definitions(File &file);

}  // namespace sv
