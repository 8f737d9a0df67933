// Long stretches of one file, which the ranks that have them can write by themselves: nothing goes through a window,
// and while one rank holds the lock of the file, others pack. The blocks of fields (own_blocks.hpp) and combined
// requests (transfer/own_writing.cpp) are written so.
#pragma once

#include <cstdint>
#include <span>

#include "file/file.hpp"

namespace sv {

/// Writes the stretches of this rank. Local. The price of system calls decides the amount of one write, and is not
/// known before the first ones: one rank measures it, and the others make as few as they can.
class StretchWriter {
 public:
  /// `first_rank`: the first that has anything to write.
  StretchWriter(File &file, int first_rank);
  /// Most bytes of the next write. `as_in_file`: nothing has to be packed. Other data are packed in parts that stay in
  /// the cache or, if each call takes a while, in larger ones; never in more memory than the window has.
  int64_t part_bytes(bool as_in_file) const;
  void write(const Slab &slab, std::span<const std::byte> values);
  /// By the quickest of the short calls that this rank has made.
  CallPrice price() const;

 private:
  File &file_;
  const CallPrice known_;
  const bool finds_out_;
  // Of the quickest short call: beyond the time for its bytes at a slow rate, at a quick one.
  int64_t beyond_slow_us_ = INT64_MAX, beyond_quick_us_ = INT64_MAX;
  int parts_ = 0;  // such calls so far
};

/// `agreed`: the least price that any rank has measured. If each call has a price, system calls are not quick from now
/// on (Facts::quick_calls).
void learn_calls(File &file, CallPrice agreed);

}  // namespace sv
