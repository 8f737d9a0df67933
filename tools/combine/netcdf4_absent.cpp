#include <stdexcept>

#include "pieces.hpp"

namespace sv_combine {

void make_classic(MPI_Comm, const std::string &set, const std::string &) {
  throw std::runtime_error(
      "the pieces of '" + set +
      "' are netCDF-4, and netCDF-C was not compiled in. Make them classic first, with nccopy -k cdf5");
}

}  // namespace sv_combine
