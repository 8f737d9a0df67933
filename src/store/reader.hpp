// The part of a store (store/store.hpp) that reads: local on a rank that has attached, created or reopened the file,
// except where the file's ranks read together, which then all make the same number of calls (Access::collective). It
// changes nothing in the file. Buffers are contiguous, in the byte order that the StoreKind states. Every function
// throws Error with the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/slab.hpp"

namespace sv {

/// How a variable is stored.
struct Storing {
  /// Unwritten cells read as fill values, also next to written ones: no rank needs to write those. The same on all
  /// ranks of a team.
  bool fills = false;
  Index chunk{};         // lengths, with all its dimensions; none without chunks, or where a library does not report it
  Index sink{};          // of a unit that one rank writes as a whole: of a chunk, or of a shard of many
  bool foreign = false;  // only the owner of the file can move its values
};

class Reader {
 public:
  /// Records that do not exist yet are Error(not_found); a file that ends too early is Error(format).
  virtual void read(const Slab &slab, std::span<std::byte> values) = 0;
  virtual void read_many(std::span<const SlabPart> parts) {
    for (const SlabPart &part : parts) read(part.slab, part.values);
  }
  /// Strings of a variable, of all its dimensions, in the order of the cells.
  virtual std::vector<std::string> read_strings(int variable, const Box &cells);
  virtual Storing storing(int variable) {
    static_cast<void>(variable);
    return {};
  }
  /// At least `records` records may be read: of a file whose record count lags; and, by ranks that attach it
  /// afterwards, of a file that this rank alone writes.
  virtual void admit(int64_t records) { static_cast<void>(records); }

 protected:
  ~Reader() = default;
};

}  // namespace sv
