// The machine and the libraries of the figures.
#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>

namespace sv_bench {

/// The MPI-IO component in force, after a file was opened in `directory`: "ompio", "romio321" and the like, "romio" for
/// an MPI that has no other, "unknown". Collective.
std::string mpi_io_component(MPI_Comm comm, const std::string &directory);

/// Machine, MPI, libraries, variables that matter. Local.
nlohmann::json environment(const std::string &mpi_io, const std::string &directory);

}  // namespace sv_bench
