// Hints of MPI_Info that PnetCDF knows: positions of values in a file; hints that only PnetCDF can follow; and the
// reported ones.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

#include "alignments.hpp"

namespace sv::pnetcdf {

/// In words: a hint that only PnetCDF can follow. Empty: there is none.
std::string reason_in_hints(MPI_Info info);
/// Takes alignments over. Returns what PnetCDF would report, which the caller frees.
MPI_Info hints_in_force(MPI_Info info, Alignments &places);
/// After a definition, which has chosen alignments that no hint gave.
void report_alignments(const Alignments &places, MPI_Info hints);

}  // namespace sv::pnetcdf
