// Where PnetCDF puts the variables of a file, so that a file made by the same calls has the same bytes. Values.
#pragma once

#include <cstdint>
#include <vector>

namespace sv::pnetcdf {

/// The numbers of ncmpi__enddef; 0 where ncmpi_enddef was called.
struct Room {
  int64_t header_free = 0, data_align = 0, fixed_free = 0, record_align = 0;
};

/// What hints say of alignments, and since PnetCDF 1.13 nothing else: 0 where they say nothing. Until 1.12, the first
/// ncmpi_enddef of an open file chooses what no hint has given, and the later ones keep it.
struct Alignments {
  int64_t data = 0;      // nc_header_align_size: of the first variable
  int64_t variable = 0;  // nc_var_align_size: until 1.12, of each variable without records
  int64_t record = 0;    // nc_record_align_size: of record 0
  int64_t stripe = 0;    // striping_unit

  /// Until 1.12. `fixed_bytes`: of all variables without records.
  void choose(const Room &room, int64_t fixed_bytes);
};

/// The bytes of a variable in the file, in all or in each record, padded to 4 bytes.
struct Extent {
  bool has_records;
  int64_t bytes;
};

/// Until 1.12: the places in a file as its last ncmpi_enddef has left them, or as its header has them.
struct Layout {
  bool is_placed = false;  // by an ncmpi_enddef before
  int64_t data_begin = 0;  // PnetCDF's header extent
  int64_t record_begin = 0;
  std::vector<int64_t> begins;  // of the variables

  /// Of a file that is opened.
  static Layout of_file(const std::vector<Extent> &variables, std::vector<int64_t> begins, int64_t header_bytes);
  /// Nothing moves towards the beginning. The variables that were there are the first ones. `farthest`: where a
  /// variable can begin in this format. Throws NC_EVARSIZE.
  void place(const std::vector<Extent> &variables, int64_t header_bytes, const Room &room, const Alignments &align,
             int64_t farthest);
};

}  // namespace sv::pnetcdf
