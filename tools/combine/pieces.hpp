// Pieces that are joined under another name than their own. The library itself reads classic files, so pieces in
// netCDF-4, as FMS can write them, compressed or not, are made classic before. And it finds a file NAME before the
// pieces NAME.0000 ...
#pragma once

#include <mpi.h>

#include <string>

namespace sv_combine {

/// Whether the first piece of the set is an HDF5 file.
bool is_netcdf4(const std::string &set);

/// Copies the pieces of `set` to classic ones of `copy`, in bounded memory, each rank some of them. Collective; throws
/// std::runtime_error on every rank, which on the rank that failed names piece and cause, as do what follows.
void make_classic(MPI_Comm comm, const std::string &set, const std::string &copy);
/// Makes symbolic links to the pieces of `set`, in its directory, as pieces of `copy`, a name in the same directory.
/// Collective; throws like make_classic.
void link_pieces(MPI_Comm comm, const std::string &set, const std::string &copy);
/// Removes what make_classic or link_pieces has made, as far as it is there. Collective.
void remove_pieces(MPI_Comm comm, const std::string &copy);

}  // namespace sv_combine
