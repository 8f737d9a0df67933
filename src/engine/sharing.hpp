// sv_share_definitions: gives all ranks the definitions of rank 0.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Collective, in define mode. The dimensions, variables and attributes of rank 0 take the place of this rank's.
void share_definitions(File &file);

}  // namespace sv
