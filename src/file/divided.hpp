// Which files a file of a context stands in: one, the pieces of a set, or one for each variable
// (store/variable_files.hpp). Homes make their stores by it, and the engine asks it where files are named. Local.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/access.hpp"
#include "file/stores.hpp"
#include "plan/pieces.hpp"

namespace sv {

class File;

/// The store of a file, not open yet, for those that `access` names: of one file, or of one for each variable.
std::unique_ptr<Store> store_of(const File &file, const StoreMaker &maker, const Access &access);

/// Whether a redefinition may change files themselves where no values move.
bool redefines_in_place(const File &file);
/// Throws Error(define) if files of the earlier definitions would be left behind.
void check_redefined(const File &file);

/// The files that this rank has written, and whether it has given them their names. `pieces`: of the grid
/// (Home::pieces).
std::vector<std::pair<std::string, bool>> written_files(const File &file, const std::vector<Territory> &pieces);

}  // namespace sv
