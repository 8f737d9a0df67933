// Hints of MPI_Info that PnetCDF knows: where values stand in a file; those that only PnetCDF can follow; and what it
// echoes.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace sv::pnetcdf {

/// Where values stand: PnetCDF's own choice. Of ncmpi__enddef, 0 leaves it.
struct Alignments {
  int64_t header_free = 0, data_align = 512, variable_align = 4, fixed_free = 0, record_align = 4;
  Alignments with(int64_t header, int64_t data, int64_t fixed, int64_t record) const {
    return {header, data > 0 ? data : data_align, variable_align, fixed, record > 0 ? record : record_align};
  }
};

/// In words: a hint that only PnetCDF can follow. Empty: there is none.
std::string reason_in_hints(MPI_Info info);
/// Takes alignments over. Returns what PnetCDF would echo, which the caller frees.
MPI_Info hints_in_force(MPI_Info info, Alignments &places);

}  // namespace sv::pnetcdf
