// Waiting a little for what is about to happen in a file system: a lock that a process has until it has noticed that
// its run was ended, a name that a host keeps. Local.
#pragma once

#include <functional>

namespace sv {

/// Asks again and again, for 2 s, until `happens` says so. Whether it did.
bool gets(const std::function<bool()> &happens);

}  // namespace sv
