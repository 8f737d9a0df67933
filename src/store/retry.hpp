// Short waits for imminent changes in a file system: a lock of a process whose run was ended, a name that a host
// caches. Local.
#pragma once

#include <functional>

namespace sv {

/// Asks again and again, for 2 s, until `happens` says so. Whether it did.
bool retry_until(const std::function<bool()> &happens);

}  // namespace sv
