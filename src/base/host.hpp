// Which host this process is on, without asking anybody: contexts begin by comparing it.
#pragma once

#include <cstdint>

namespace sv {

/// Local. Equal in two processes: they run on one host, under one name, and know each other's process numbers. 0: that
/// is not known here.
uint64_t host_signature();

}  // namespace sv
