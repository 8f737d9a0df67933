// Combining: requests of many variables and records become one ordered set of large writes or reads (Gao et al. 2009).
// Collective, all of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "transfer/requests.hpp"

namespace sv {

class File;

/// Carries out pending requests of this rank, as many as it wants. `outcomes`: for each what it failed with. Throws, on
/// every rank, the first of the lowest rank (when the others have been carried out), and what fails the file.
void wait_for(File &file, std::span<const int64_t> numbers, std::vector<std::optional<Error>> &outcomes);
/// Carries all of them out, or (where one is refused, which is named by its place in the list) none. `call` names the
/// function, for messages.
void carry_out(File &file, const char *call, std::span<const RequestArgs> asked);

/// Carries out what was recorded (engine/recorded.hpp), and what still waits. Returns what these fail with, the same on
/// every rank; throws what fails the file. `any_waits`: whether some rank has something that does, as all have agreed.
std::optional<Error> complete_all(File &file, bool any_waits);

}  // namespace sv
