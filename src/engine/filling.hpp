// Fill values on request (sv_fill_var), for files that are not filled by themselves (fill: false).
#pragma once

#include <cstdint>

namespace sv {

class File;

/// Collective. Writes the fill value into a whole variable (`record` −1), or a whole record of it.
void fill_whole(File &file, int variable, int64_t record);

}  // namespace sv
