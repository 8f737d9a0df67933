// The names of the files of a set: PATH.0000, PATH.0001 ... as the routes per_pe and per_domain write them. Sets of FMS
// may have six digits, begin at another number, or leave out numbers that NumFilesInSet does not count. The home of a
// set, its store and the rank that opens one use it. Values, except find_pieces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sv {

struct PieceNames {
  int digits = 4;
  int64_t first = 0;
  int64_t found = 0;               // how many files there are
  std::vector<int32_t> numbers{};  // of every file, where they do not follow each other

  /// "ocean.nc.0003"
  std::string path_of(const std::string &set, int64_t piece) const;
  /// The set has so many pieces. Files that follow them without a gap are of an older, larger one; if there are too
  /// few, a missing number gets a piece. Throws Error(format) if the files of the set are ambiguous.
  void settle(const std::string &set, int64_t pieces);
};

/// The names of the files with numbers in the directory of `set`; of several lengths, the shortest.
std::optional<PieceNames> find_pieces(const std::string &set);

}  // namespace sv
