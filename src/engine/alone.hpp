// A time in which ranks put and get by themselves (sv_begin_indep, sv_end_indep, sv_wait_indep), as PnetCDF's
// independent data mode: what all have put before is in the file, and how many records there are, they agree upon when
// the time ends (transfer/alone.hpp).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/error.hpp"

namespace sv {

class File;

/// Collective. Throws Error(order) for files that others than our own ranks write, and within such a time.
void begin_indep(File &file);
/// Local. Carries out pending requests of this rank, in their order. `outcomes`: for each what it failed with. Throws
/// Error(order) for a file that is open for writing outside such a time.
void wait_indep(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes);

}  // namespace sv
