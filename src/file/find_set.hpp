// Whether what has no file of its name is a set of pieces, and how these are called. Rank 0 asks, when a file is opened.
#pragma once

#include <optional>
#include <string>

#include "file/stores.hpp"
#include "store/piece_names.hpp"

namespace sv {

/// Local. `place`: the name without a number.
std::optional<PieceNames> find_set(const std::string &place, const FileSettings &settings);

}  // namespace sv
