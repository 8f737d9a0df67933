// How a set of files divides what one file would hold: each piece has a box of the divided dimensions, and all of the
// others. Pieces follow the convention of FMS (Yang et al. 2020, Sect. 2; mppnccombine): names with numbers
// (store/piece_names.hpp), the global attribute NumFilesInSet, and on the axis (the variable with the name) of each
// divided dimension domain_decomposition = first and last index of all, first and last of the piece, counted from 1. A
// divided dimension without an axis gets one of indices, marked by `sverdrup_axis`; it is not part of the whole.
#pragma once

#include <string>
#include <vector>

#include "store/cdf_places.hpp"

namespace sv {

struct Division {
  struct Piece {
    int rank;  // that writes it
    Box box;   // of the divided dimensions
  };
  std::vector<int> dims;  // the divided dimensions of the schema
  std::vector<Piece> pieces;

  /// The part of piece `piece` of a variable (of one record of it).
  Box box_of(const Schema &whole, const Variable &variable, int piece) const;
};

/// The schema of a piece, placed. `run`: store/set_run.hpp.
PlacedSchema piece_schema(const Schema &whole, const Division &division, int piece, const Placement &placement,
                          int64_t run = 0);
/// The variables of a piece's schema that only mark a divided dimension; the others have the ids they have in the
/// whole.
std::vector<int> added_axes(const Schema &piece);

/// The whole according to the schema of a piece (not placed), and the position of the piece. Throws Error(format) for a
/// file that is no piece of a set.
struct PieceView {
  Schema whole;
  std::vector<int> dims;
  Box box;
  int64_t pieces;  // in the set
  int64_t run = 0;
};
PieceView view_of_piece(const Schema &piece);

}  // namespace sv
