#include "delivery/lent_hdf5.hpp"

namespace sv {

/// Never destroyed: a process that is forked, in which nobody waits for it any more, could not end then.
Loan &hdf5() {
  static auto *const one = new Loan;
  return *one;
}

}  // namespace sv
