// A set of files as one store: every piece is a store of its own. Each rank creates and writes the pieces that are
// its own, and reads from any.
#pragma once

#include <memory>
#include <string>

#include "file/stores.hpp"
#include "store/division.hpp"
#include "store/store.hpp"

namespace sv {

/// How the pieces are made, and which are this rank's.
struct PieceMaker {
  StoreMaker stores;
  int rank;
  Placement placement;
  int64_t run;  // store/set_run.hpp
};

/// The slabs it takes are those of the whole. Every rank is the owner of its own pieces: all ranks call create, commit,
/// finish and abandon, which do nothing on a rank without one. A write must be inside one of this rank's pieces; cells
/// outside any piece read as the fill value. `path`: the name without the number.
std::unique_ptr<Store> make_set_store(const std::string &path, Kind kind, std::shared_ptr<const Division> division,
                                      const PieceMaker &pieces);

}  // namespace sv
