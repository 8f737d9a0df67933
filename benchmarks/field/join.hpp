// Joining a set of files, as sv-combine does.
#pragma once

#include <mpi.h>

#include <string>

namespace sv_bench {

/// The set's pieces as one file, by all ranks. Collective. Throws std::runtime_error.
void join(MPI_Comm comm, const std::string &set, const std::string &path);

}  // namespace sv_bench
