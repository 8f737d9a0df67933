// Whether a name without a file is that of a set of pieces, and how these are called. Rank 0 asks when it opens a file.
#pragma once

#include <optional>
#include <string>

#include "file/stores.hpp"
#include "store/piece_names.hpp"

namespace sv {

/// Local. `place`: the name without a number.
std::optional<PieceNames> find_set(const std::string &place, const FileSettings &settings);

}  // namespace sv
