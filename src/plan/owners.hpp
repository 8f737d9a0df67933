// The owners of the bytes of a file: a field is divided among its writers on whole stripes, so that no two of them
// share one. Plans of ranges are made by it; an ExtentMap gives it the positions of the other fields of the file.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/box.hpp"

namespace sv {

/// The array that is written: shape slowest first, without the record dimension.
struct Field {
  Index shape;
  int first_axis = 0;         // where the layout's dimensions stand in shape
  int64_t element_bytes = 0;  // in the file
  int64_t offset_bytes = 0;   // of its first element in the file
  /// Where its store wants whole chunks, each from one owner: their shape (plan/chunk_grid.hpp); n = 0: it does not.
  Index chunk{};
  int first_owner = 0;  // chunk 0 belongs to this one of the owners, the next ones to those after it in turn
};

/// A field, its neighbours, and who owns stripes: an absolute stripe belongs to the field in which its first byte lies.
struct Extent {
  int64_t begin, end;  // bytes of the file, [begin, end)
};
/// Returns, for an absolute file offset, the extent (a fixed variable, one record of a record variable, or the header)
/// that covers it or, in a gap, the last one before it; see owner_ranges.
class ExtentMap {
 public:
  virtual ~ExtentMap() = default;
  virtual Extent covering(int64_t offset_bytes) const = 0;
};

/// Writer `writer` (an index into Route::writers) owns elements [first, last) of the field.
struct OwnedRange {
  int writer;
  int64_t first, last;
};
/// Divides a field among `writers` owners: whole absolute stripes, contiguous per owner, as even as part_of. A stripe
/// that begins in an earlier extent stays with the owner it has there, so no two owners share a stripe and records keep
/// the owners of their stripes. An extent with fewer stripes than there are writers gives stripe s of the file to
/// writer s modulo `writers`. Stripes that begin in a gap belong to the last owner of the extent before. An element
/// that straddles a boundary belongs to the owner of its first byte. The header's extent (the one that begins at 0)
/// belongs to writer 0. Empty ranges are left out; ascending; a writer may own two. O(writers).
std::vector<OwnedRange> owner_ranges(const Field &field, const ExtentMap &extents, int writers, int64_t stripe_bytes);

}  // namespace sv
