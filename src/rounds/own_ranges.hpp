// What a rank writes from its own memory alone, as the owner of ranges of the file: values that all ranks have, fill
// values, and copies. The calls use it for what needs no plan: nothing travels between ranks. But where a store's calls
// are made together, so are these.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rounds/field_job.hpp"

namespace sv {

/// What this rank owns of a slab, in shares of at most `most_bytes`; and empty shares, where others have more: a visit
/// makes one call of the store.
void for_own_ranges(File &file, int variable, int64_t record, int64_t most_bytes,
                    const std::function<void(const Share &)> &visit);

/// Where values come from that are copied: whoever can read shares of a slab, in this byte order.
struct ShareSource {
  ByteOrder order;
  std::function<void(const Share &, std::span<std::byte>)> read;
};
/// This rank's ranges of a slab, from elsewhere, in bounded memory. Returns their bytes.
int64_t copy_slab(File &file, int variable, int64_t record, const ShareSource &from);

/// One element of the variable's fill value as it stands in the file.
std::vector<std::byte> fill_in_file_order(const File &file, int variable);

/// Fills a whole slab that nobody wrote: this rank's ranges of it.
void fill_slab(File &file, int variable, int64_t record);

/// Collective. Points that every rank writes by itself (the route `shared`; rounds/own_points.cpp): its runs, in
/// bounded memory. `fills`: what nobody owns gets the fill value before. Returns what this rank fails with.
std::optional<Error> write_own_points(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills);

}  // namespace sv
