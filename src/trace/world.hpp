// The rank of a process according to its launcher's environment. A Recorder uses it when it is made, since that may be
// before MPI_Init, or in a process that never calls it.
#pragma once

namespace sv::trace {

/// In MPI_COMM_WORLD. rank -1: no launcher said it; ranks 0: it did not say how many there are.
struct World {
  int rank = -1, ranks = 0;
};

/// From the environment that Open MPI, MPICH, PMIx and Slurm make. A process that a rank started has inherited it.
World world_of_environment();

}  // namespace sv::trace
