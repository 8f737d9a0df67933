// The offsets of the variables of a CDF file: a value in addition to its definitions, computed once from these or read
// from the file's header. Files of other formats have none: their libraries place the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace sv {

struct CdfPlaces {
  struct Place {
    int64_t begin = 0;       // file offset of the first element (of record 0), bytes
    int64_t slab_bytes = 0;  // of the variable or of one record of it, padded as the format wants
    int64_t step_bytes = 0;  // from one record to the next; 0 where it has none

    int64_t of_record(int64_t record) const { return begin + record * step_bytes; }
  };
  std::vector<Place> variables;
  int64_t header_bytes = 0;  // used by the header
  int64_t data_begin = 0;    // first byte after the header's reserve
  int64_t record_bytes = 0;  // distance between records
  int64_t record_begin = 0;  // offset of record 0 (end of the fixed variables when there are none)

  /// Where the data of a file with `records` records end: its final length. Without records that is the end of the
  /// fixed variables or of the header, wherever record 0 would begin.
  int64_t end_of_data(int64_t records) const;
};

/// The definitions that a store receives for its file, and that a header contains.
struct PlacedSchema : Schema {
  std::optional<CdfPlaces> places{};

  /// Of a variable of a CDF file.
  const CdfPlaces::Place &place(int variable) const { return places->variables[static_cast<size_t>(variable)]; }
};

/// How variables are placed. Alignments are never less than 4.
struct Placement {
  int64_t header_reserve = 4096;   // free bytes kept after the header so that it can grow
  int64_t data_alignment = 4096;   // of the first variable: data starts on a new page
  int64_t variable_alignment = 8;  // of the other fixed variables
  int64_t fixed_reserve = 0;       // free bytes kept between the fixed variables and record 0
  int64_t record_alignment = 8;    // of record 0
  /// Where each variable begins, if that is known: the numbers above then mean nothing. Empty: they decide.
  std::vector<int64_t> begins{};
};
/// In words: equal for equal placements.
std::string in_words(const Placement &placement);

/// Chooses the format (when automatic: CDF-2 while types and sizes fit, otherwise CDF-5), checks definitions and the
/// limits of the format (Error(define), Error(limit), naming the variable), and places the variables of a CDF file.
void place_variables(PlacedSchema &schema, const Placement &placement);

/// The same for a schema made from `before`, a file's, by adding and changing: its format stays, and so do the places
/// of its variables where the header still fits before them and no variable is added whose place is taken. False where
/// they do not: then everything is placed anew, from where the data begin if the header fits there. False, too, where
/// there are no places.
bool place_again(PlacedSchema &schema, const PlacedSchema &before, const Placement &placement);

/// Bytes of the variable, or of one of its records, without padding. Any number of dimensions. Error(limit) when that
/// is no int64.
int64_t slab_size(const Schema &schema, const Variable &variable);
/// The sizes of slabs and records; nothing is placed. Slabs are padded to 4 bytes, except for the one special case of
/// the format: the records of a file's only record variable follow each other without padding.
CdfPlaces slab_sizes(const Schema &schema);
/// Bytes that one step writes: of a record, or of the variables without records if these are more.
int64_t step_size(const Schema &schema);

/// Places variables that begin at `begins`, behind a header of that length. Throws Error(format) where one begins
/// within the header, or two overlap.
void place_at(PlacedSchema &schema, const std::vector<int64_t> &begins, int64_t header_bytes);

/// The header as bytes, in the schema's format, and back. The schema of a format without places is encoded as CDF-5,
/// with 0 for places, and behind it the unlimited dimensions that are no record dimension, and how variables are
/// stored. decode throws Error(format)
/// for anything malformed, and allocates no more than the size of `bytes` justifies. NeedMore is thrown when bytes end
/// too early.
std::vector<std::byte> encode_header(const PlacedSchema &schema);
int64_t header_length(const PlacedSchema &schema);
struct NeedMore {
  int64_t at_least;  // bytes of the file
  int64_t likely;    // of the header, estimated from the part that header_end has read; 0: not known
};
/// `file_bytes`: the file's size, to judge counts and offsets; -1 where it does not matter.
PlacedSchema decode_header(const std::byte *bytes, int64_t size, int64_t file_bytes);
/// The length of the header. The same errors, for fields that lengths depend on; nothing is allocated.
int64_t header_end(const std::byte *bytes, int64_t size, int64_t file_bytes);
/// Decodes the result of encode_header for a file of this format.
PlacedSchema decode_broadcast(std::span<const std::byte> header, Format format);

}  // namespace sv
