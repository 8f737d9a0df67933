// Names that hosts keep (SharedStorage::caches_names in store/shared_storage.hpp): for about a second, a host may find
// under a name the file that had it before, although another host has renamed that one and made a new one. Ranks that
// open what another rank has made or found wait here until their host finds the same. Local.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "store/positional_file.hpp"

namespace sv {

/// Whether hosts keep the names of the directory of `path`.
bool names_are_kept(const std::string &path);
/// The number of a file or directory in its file system, for await_number on other hosts; 0 where hosts keep no names,
/// or where nothing has this one.
int64_t number_where_names_are_kept(const std::string &path);
/// Waits until this host finds the file of this number, unless it is 0; no longer than hosts keep names. Nothing where
/// they keep none.
void await_number(const std::string &path, int64_t number);

/// The file that `open` opens below the directory of `place`, once it is the file that its owner holds by a lock.
/// Error(access) if that is not found.
PositionalFile opened_held(const std::string &place, const std::function<PositionalFile()> &open);

}  // namespace sv
