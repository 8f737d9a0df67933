// Requests that follow no declared layout: a sub-array per rank. They are exchanged into a layout that lives for the
// call.
#pragma once

#include <memory>
#include <vector>

#include "assemble/memory_view.hpp"
#include "engine/file.hpp"

namespace sv {

/// Throws Error(invalid) when the box (of all the variable's dimensions) does not lie in the variable; beyond the last
/// record only where `may_grow`.
void check_subarray(const File &file, int variable, const Box &request, bool may_grow);

/// Records that some box touches: ascending ranges that do not touch.
std::vector<Segment> records_of(const std::vector<Box> &boxes);

/// Collective. Everybody's box, by rank.
std::vector<Box> gather_boxes(const Context &context, const Box &mine);

/// A box without its first (the record) dimension.
Box without_record(const Box &box);

/// This rank's part of one record (−1: of a variable without records) in the caller's array.
MemoryView record_view(const Box &request, const Values &values, int64_t record);

/// Who owns what of one record (of all of a variable without records: `record` −1).
std::shared_ptr<const Layout> layout_of(const std::vector<Box> &boxes, const Index &shape, int64_t record);

}  // namespace sv
