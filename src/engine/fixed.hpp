// Fill values of variables without records that nobody has put yet.
#pragma once

#include <vector>

#include "file/file.hpp"

namespace sv {

/// Collective. Before they are read: gives those of these variables that have no records, and that nobody has put yet,
/// their fill values. Does nothing but in a file that is being written.
void define_fixed(File &file, const std::vector<int> &variables);

}  // namespace sv
