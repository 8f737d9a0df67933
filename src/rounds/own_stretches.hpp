// Long stretches of one file, which the ranks that have them can write by themselves: nothing goes through a window,
// and while one rank holds the lock of the file, others pack. The blocks of fields (own_blocks.hpp) and combined
// requests (requests/own_stretches.hpp) are written so.
#pragma once

#include <cstdint>
#include <span>

#include "file/file.hpp"

namespace sv {

/// Shorter ones, one rank writes faster for all: a call of the system and a second meeting cost more than another copy.
constexpr int64_t long_stretch_bytes = 64 << 10;

/// The same on all ranks: whether each of them can reach the places of this file by itself, and sees there what others
/// have written.
bool reaches_stretches(const File &file);
/// The same on all ranks: whether they write long stretches by themselves. Where nobody asks for a route, the file
/// system is one that a single host sees, be its ranks one node or several (containers), and calls of the system are
/// quick, as far as is known. `rounds`: in which writers would get them. Of several ones, ranks of one node pack one
/// while another is written; between nodes they would have to send them.
bool writes_own_stretches(const File &file, int rounds);

/// Writes the stretches of this rank. Local. Where each call of the system takes long, however little it writes, many
/// writers lose: what a call takes is not known before the first ones, so one rank finds out, and the others make as
/// few calls as they can.
class StretchWriter {
 public:
  /// `first_rank`: the first that has anything to write.
  StretchWriter(File &file, int first_rank);
  /// Most bytes to be written at once. What has to be packed is packed in such parts, which stay in the cache;
  /// `as_in_file`: nothing has to be.
  int64_t part_bytes(bool as_in_file) const;
  void write(const Slab &slab, std::span<const std::byte> values);
  /// In µs, of the quickest call of one part, beyond the time for its bytes; INT64_MAX where there was none.
  int64_t extra_us() const { return extra_us_; }

 private:
  File &file_;
  bool is_known_, finds_out_;
  int64_t extra_us_ = INT64_MAX;
};

/// The same on all ranks: the least `extra_us` of all. If it is long, writes_own_stretches is false from now on.
void learn_calls(File &file, int64_t extra_us);

}  // namespace sv
