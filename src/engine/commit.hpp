// Commit: data first, then the record count (DESIGN: published and growing files, durability). Collective.
#pragma once

#include <string>
#include <vector>

#include "engine/file.hpp"

namespace sv {

/// Commits what was put into these files so far: fills what committed records were not given, syncs where that is asked
/// for, and makes the records count. An error fails its file and is thrown on every rank.
void commit(Context &context, const std::vector<File *> &files, const std::string &call);

/// The last commit of a file: fixed variables nobody wrote are filled too.
void commit_all(File &file);

}  // namespace sv
