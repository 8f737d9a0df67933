#include <stdexcept>

#include "sample.hpp"

namespace sv_probe {

Sample read_sample(const std::string &name) {
  throw std::invalid_argument("--sample: " + name + " cannot be read: sv-probe was built without netCDF-C");
}

}  // namespace sv_probe
