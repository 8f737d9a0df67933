// The part of a store (store/store.hpp) that writes: local on a rank that has created or reopened the file, or attached
// it for writing. In a team, records grow before they are first written, and the ranks make as many calls as
// Team::most_calls says (store/team.hpp). Written values count from the owner's next commit on. Buffers are contiguous,
// in the byte order that the StoreKind states. Every function throws Error with the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/slab.hpp"

namespace sv {

class PositionalFile;
class WrittenRanges;

class Writer {
 public:
  /// One positional write per contiguous run of the file.
  virtual void write(const Slab &slab, std::span<const std::byte> values) = 0;
  /// Joins what touches. In stores whose calls are collective, a team's ranks call it equally often, with no parts
  /// where they have none.
  virtual void write_many(std::span<const SlabPart> parts) {
    for (const SlabPart &part : parts) write(part.slab, part.values);
  }
  /// Writes the same slabs, whole ones of all variables with records, into each record from `first` to before `last`,
  /// of which nothing was put. Returns false, and writes nothing, where the store writes slabs only one by one.
  virtual bool write_records(std::span<const SlabPart> of_one, int64_t first, int64_t last) {
    static_cast<void>(of_one), static_cast<void>(first), static_cast<void>(last);
    return false;
  }
  /// From now on the store may keep small writes until there are many, or until another call needs the file; their
  /// errors come then. For a rank that has the file alone.
  virtual void collect() {}

  /// This rank's data are on the disk when it returns.
  virtual void sync() = 0;
  /// Adds descriptors with which another thread synchronises this rank's data.
  virtual void duplicate(std::vector<PositionalFile> &descriptors) { static_cast<void>(descriptors); }
  /// From now on, the store keeps the ranges that it writes in `ranges`, which must outlive it, where it knows their
  /// offsets.
  virtual void keep_ranges(WrittenRanges &ranges) { static_cast<void>(ranges); }

 protected:
  ~Writer() = default;
};

}  // namespace sv
