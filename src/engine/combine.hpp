// Combining: requests of many variables and records become one ordered set of large writes or reads (Gao et al. 2009).
// Collective, all of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "transfer/requests.hpp"

namespace sv {

class File;

/// Carries out pending requests of this rank, any number of them. `outcomes`: the error of each. Throws, on every rank,
/// the first of the lowest rank (when the others have been carried out), and an error that fails the file.
void wait_for(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes);
/// Carries all of them out, or (where one is refused, which is named by its place in the list) none. `call` names the
/// function, for messages.
void carry_out(File &file, const char *call, std::span<const RequestArgs> asked);

/// Carries out recorded puts (engine/recorded.hpp) and waiting requests. Returns their error, the same on every rank;
/// throws an error that fails the file. `any_waits`: whether some rank has a waiting request, as all have agreed.
std::optional<Error> complete_all(File &file, bool any_waits);

}  // namespace sv
