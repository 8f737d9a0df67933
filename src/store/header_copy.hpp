// While a header is overwritten in place, PLACE.header contains its old and new contents
// (docs/adr/0027-header-copy.md). After any failure, the file has the old header, the new one, or a
// mixture that is detected. Internal to the stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/positional_file.hpp"

namespace sv {

/// The name of the copy of the file at `place`.
std::string header_copy_of(const std::string &place);

struct HeaderChange {
  std::span<const std::byte> header;  // the new one, in which the record count is the file's
  int64_t old_bytes;                  // length of the one that the file has
  int64_t count_bytes;                // of the record count, which is not overwritten
  bool on_disk;                       // each step is put on the disk before the next
  bool needs_copy;                    // an error where there is no room for a copy; otherwise done without
};

/// The owner's. Overwrites the header of `file`, at `place`. After an error the file has the old header; where not even
/// that can be written any more, the copy stays.
void change_header(PositionalFile &file, const std::string &place, const HeaderChange &change, StoreCounters &counters);

/// The bytes that replace the first bytes of the file at `place`: none if these are right. A reader without write
/// access thus reads the earlier header.
std::vector<std::byte> mended_header(PositionalFile &file, const std::string &place, StoreCounters &counters);

/// The owner's, before anything else is written: gives `file` a whole header, and removes the copy.
void mend_header(PositionalFile &file, const std::string &place, StoreCounters &counters);

}  // namespace sv
