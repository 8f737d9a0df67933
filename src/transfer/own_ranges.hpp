// The writes of a rank as the owner of ranges of the file, without data from other ranks: values of which every rank
// has the same copy, fill values, and copies from another file. The functions of src/engine use it where no plan is
// needed. It sends nothing to other ranks; but if the functions of the store are collective (a file of a team), all
// ranks of the team must call these functions together.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "transfer/field_job.hpp"

namespace sv {

/// Visits this rank's part of a slab, in shares of at most `most_bytes`; and empty shares, if others have more: a visit
/// makes one call of the store.
void for_own_ranges(File &file, int variable, int64_t record, int64_t most_bytes,
                    const std::function<void(const Share &)> &visit);
/// The same for several slabs of one variable, of which a visit gets the place in the list. Ranks that call the store
/// together meet once for all of them.
void for_own_ranges(File &file, std::span<const WrittenSlab> slabs, int64_t most_bytes,
                    const std::function<void(size_t place, const Share &)> &visit);

/// The source of copied values: it reads shares of the slab at a place of the list, in this byte order.
struct ShareSource {
  ByteOrder order;
  std::function<void(size_t place, const Share &, std::span<std::byte>)> read;
};
/// This rank's ranges of slabs of one variable, from elsewhere, in bounded memory. Returns their bytes.
int64_t copy_slabs(File &file, std::span<const WrittenSlab> slabs, const ShareSource &from);

/// One element of the variable's fill value as it stands in the file.
std::vector<std::byte> fill_in_file_order(const File &file, int variable);

/// Fills a whole slab that was not written: this rank's ranges of it.
void fill_slab(File &file, int variable, int64_t record);

/// The same for all variables of the records from `first` to before `last`, of which nothing was put.
void fill_records(File &file, int64_t first, int64_t last);

/// If other hosts see this rank's writes late, they see them afterwards, and their later writes come after these.
void synchronise_late(File &file);

/// Collective. Points that every rank writes independently (the route `shared`; transfer/own_points.cpp): its runs, in
/// bounded memory. `fills`: cells without an owner get the fill value before. Returns this rank's error.
std::optional<Error> write_own_points(const FieldJob &job, const FieldPieces<PackRow> &pieces, bool fills);

}  // namespace sv
