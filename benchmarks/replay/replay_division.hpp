// Which rank writes what of a file whose header is replayed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// What the user wishes; px x py ranks, or 0 x 0: as square as possible.
struct ReplayWish {
  int64_t records = -1;  // -1: those of the file, or 1 where it has none
  int64_t scale = 1;     // divides the divided dimensions
  std::string over;      // "lat,lon", "cell", "largest", or nothing: the last two
  int px = 0, py = 0;
};

/// The schema with that many records and smaller dimensions. Throws std::invalid_argument for headers that no
/// workload can have: no variables, a record dimension that is not a variable's first, unknown names in `over`.
Schema replayed_schema(Schema schema, const ReplayWish &wish);

/// Bytes of memory that a workload of that schema takes on each of so many ranks, about: its values and its tables.
int64_t workload_bytes(const Schema &schema, int ranks);

/// Every variable divided among the ranks of `comm`, x-fastest: over the two dimensions of the wish in px and py parts;
/// over the only one in px * py parts, if it has 1024 values or more for each rank, and otherwise the first rank puts
/// it. A step is a record of all variables, in memory that all steps use; the first also has the variables without
/// records. Collective. `wish.px` and `wish.py` are given.
std::unique_ptr<Workload> divided_workload(MPI_Comm comm, const Schema &schema, const ReplayWish &wish);

}  // namespace sv_bench
