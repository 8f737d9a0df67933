// Hints of MPI_Info that PnetCDF knows: where values stand in a file; those that only PnetCDF can follow; and what it
// echoes.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace sv::pnetcdf {

/// Where values stand: PnetCDF's own choice, or what hints say. They win over the numbers of ncmpi__enddef, of which 0
/// leaves what is in force. nc_var_align_size is for variables without records, behind the first one, and for record 0;
/// from PnetCDF 1.13 on it is for the first one alone, unless nc_header_align_size is given. data_align of 0: PnetCDF's
/// own choice.
struct Alignments {
  int64_t header_free = 0, data_align = 0, variable_align = 4, fixed_free = 0, record_align = 4;
  bool data_is_hinted = false, record_is_hinted = false;
  int64_t of_record_0() const { return variable_align % record_align == 0 ? variable_align : record_align; }
  Alignments with(int64_t header, int64_t data, int64_t fixed, int64_t record) const {
    Alignments all = *this;
    all.header_free = header;
    all.fixed_free = fixed;
    if (data > 0 && !data_is_hinted) all.data_align = data;
    if (record > 0 && !record_is_hinted) all.record_align = record;
    return all;
  }
};

/// In words: a hint that only PnetCDF can follow. Empty: there is none.
std::string reason_in_hints(MPI_Info info);
/// Takes alignments over. Returns what PnetCDF would echo, which the caller frees.
MPI_Info hints_in_force(MPI_Info info, Alignments &places);

}  // namespace sv::pnetcdf
