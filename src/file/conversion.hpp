// How the values of a variable pass between memory and file: its type, its packing, its fill value, and the policy for
// values that do not fit. Local, all of it.
#pragma once

#include "file/file.hpp"
#include "packing/memory_view.hpp"

namespace sv {

/// Throw Error(type) where the types do not convert. The first value that does not fit is kept with the file's misfits.
PackRow pack_row(const File &file, int variable, Type memory);
UnpackRow unpack_row(const File &file, int variable, Type memory);

/// With out_of_range: error, checks values before a put; Error(range) if a value does not fit. Costs a pass over the
/// values; otherwise nothing.
void check_fits(const File &file, int variable, const Piece &piece, const PackRow &row);

/// With out_of_range: error, the Error of a reading in which `count` values did not fit; none for 0.
std::optional<Error> range_error_of(const File &file, int variable, OutOfRange count, const FirstRangeError &first);

}  // namespace sv
