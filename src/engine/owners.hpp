// What a rank writes from its own memory alone, as the owner of ranges of the file: replicated values and fill values.
// Local, all of it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/file.hpp"

namespace sv {

/// What this rank owns of a slab, in shares of at most `most_bytes`. Where the store wants collective calls, also empty
/// shares: a visit makes one call of the store.
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

}  // namespace sv
