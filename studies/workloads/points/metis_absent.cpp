#include <stdexcept>

#include "ownership.hpp"

namespace sv_bench {

std::vector<int> metis_owners(int64_t, int) {
  throw std::invalid_argument("--ownership metis: not compiled; name a file of sv-grid that has the owners: --grid");
}

}  // namespace sv_bench
