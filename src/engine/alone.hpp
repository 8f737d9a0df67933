// Independent access: ranks put and get on their own (sv_begin_indep, sv_end_indep, sv_wait_indep), as in PnetCDF's
// independent data mode. All earlier puts are in the file when it begins, and the ranks agree on the record count when
// it ends (transfer/alone.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace sv {

class File;

/// Collective. Throws Error(order) for files that others than our own ranks write, and within such a time.
void begin_indep(File &file);
/// Local. Carries out pending requests of this rank, in their order. `outcomes`: the error of each. Throws Error(order)
/// for a file that is open for writing outside independent access.
void wait_indep(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes);

}  // namespace sv
