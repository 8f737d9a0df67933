#include "rounds/lent_hdf5.hpp"

namespace sv {

Loan &hdf5() {
  static Loan one;
  return one;
}

}  // namespace sv
