// HDF5, which is the program's, and is not made for threads: the program's thread lends it while it packs, waits for a
// thread that writes behind the calls, or meets the other ranks. Behind and the service that has it call this.
#pragma once

#include "base/loan.hpp"

namespace sv {

/// One in a process, as HDF5's own state is.
Loan &hdf5();

}  // namespace sv
