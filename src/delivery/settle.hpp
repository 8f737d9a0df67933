// Before the values of a file are read while it is written: nothing of it is under way any more, in threads or with
// servers. The reading calls of the engine and of requests begin so.
#pragma once

#include "file/file.hpp"

namespace sv {

/// Collective.
void settle(File &file);

}  // namespace sv
