// Which cells of an unstructured grid a rank owns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "team.hpp"

namespace sv_bench {

struct Ownership {
  std::string kind = "random";  // "random", "runs", "metis", "blocks"
  std::string grid;             // a file of sv-grid that has the owners; empty: none
};

/// This rank's cells, in the order in which it has them in memory. Collective. Throws std::invalid_argument, on all
/// ranks alike.
///   random: a random permutation, divided among the ranks: no two neighbours are the same rank's, and no order;
///   runs: stretches of 64 cells, dealt at random, ascending;
///   metis: the parts of METIS (Karypis, Kumar 1998) of a longitude-latitude grid, twice as wide as high and periodic,
///   numbered along its rows; or those of the file; ascending;
///   blocks: one stretch each.
std::vector<int64_t> owned_cells(const Team &team, int64_t cells, const Ownership &ownership);

/// The number of cells in a file of sv-grid. Collective.
int64_t cells_of_grid(const Team &team, const std::string &path);

/// Owners by METIS, of that grid. Local. Throws std::invalid_argument where METIS was not compiled.
std::vector<int> metis_owners(int64_t cells, int parts);

}  // namespace sv_bench
