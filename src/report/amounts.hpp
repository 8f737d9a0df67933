// Amounts as people read them, for the texts of a run's end.
#pragma once

#include <cstdint>
#include <string>

namespace sv {

/// Bytes with a decimal unit: "12 B", "4.3 GB".
std::string amount_of(int64_t bytes);
/// A number with its noun: "1 file", "2 files".
std::string counted(int64_t n, const std::string &noun);

}  // namespace sv
