// METIS 5: Karypis, Kumar 1998, "A fast and high quality multilevel scheme for partitioning irregular graphs".
#include <metis.h>

#include <cmath>
#include <stdexcept>

#include "ownership.hpp"

namespace sv_bench {

std::vector<int> metis_owners(int64_t cells, int parts) {
  if (parts == 1) return std::vector<int>(static_cast<size_t>(cells));
  const auto columns = static_cast<int64_t>(std::ceil(std::sqrt(2.0 * static_cast<double>(cells))));
  std::vector<idx_t> starts{0}, neighbours;
  const auto add = [&](int64_t cell) {
    if (cell >= 0 && cell < cells) neighbours.push_back(static_cast<idx_t>(cell));
  };
  for (int64_t cell = 0; cell < cells; ++cell) {
    const int64_t row = cell - cell % columns, length = std::min(columns, cells - row);
    add(cell - columns);
    add(cell + columns);
    if (length > 1) add(row + (cell - row + 1) % length);
    if (length > 2) add(row + (cell - row + length - 1) % length);
    starts.push_back(static_cast<idx_t>(neighbours.size()));
  }
  auto n = static_cast<idx_t>(cells), constraints = idx_t{1}, n_parts = static_cast<idx_t>(parts), cut = idx_t{0};
  std::vector<idx_t> found(static_cast<size_t>(cells));
  if (METIS_PartGraphKway(&n, &constraints, starts.data(), neighbours.data(), nullptr, nullptr, nullptr, &n_parts,
                          nullptr, nullptr, nullptr, &cut, found.data()) != METIS_OK)
    throw std::runtime_error("METIS cannot divide " + std::to_string(cells) + " cells among " + std::to_string(parts));
  return {found.begin(), found.end()};
}

}  // namespace sv_bench
