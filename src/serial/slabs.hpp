// The bytes of each variable and record in a CDF file. The writing thread uses it while the program may change the
// definitions: it is a value of its own, and never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/kernels.hpp"
#include "store/cdf_places.hpp"

namespace sv {

class Slabs {
 public:
  /// Bytes of one slab, padding included.
  struct Stretch {
    int variable;
    int64_t record;
    int64_t at;  // from the beginning of the slab
    int64_t offset_bytes, length;
  };

  /// Of a schema that is placed.
  explicit Slabs(const PlacedSchema &schema);

  /// The stretches of [begin, end) of the file, in ascending order; bytes outside any variable are omitted.
  void each(int64_t begin, int64_t end, const std::function<void(const Stretch &)> &visit) const;
  /// Where a slab begins.
  int64_t place(int variable, int64_t record) const;
  /// How many bytes of padding follow at `end`, where the last value of a slab ends there; otherwise 0.
  int64_t padding_at(int64_t end) const;
  int64_t length(int variable) const { return entries_[static_cast<size_t>(variable)].length; }
  int variables() const { return static_cast<int>(entries_.size()); }
  bool has_records(int variable) const { return entries_[static_cast<size_t>(variable)].has_records; }
  int64_t record_begin() const { return record_begin_; }
  int64_t record_bytes() const { return record_bytes_; }
  /// Whether each variable has the same fill value in `after`, which may have more of them.
  bool fills_like(const Slabs &after) const;
  /// Makes fill values for the bytes of the file from `begin` on.
  void fill(int64_t begin, std::span<std::byte> to) const;

 private:
  struct Entry {
    int64_t begin, length, data_length;  // with padding, and without
    bool has_records;
    Element fill;  // in file order, and zeros behind it
    int64_t width;
  };
  void each_of(const std::vector<int> &ordered, int64_t record, int64_t begin, int64_t end,
               const std::function<void(const Stretch &)> &visit) const;

  std::vector<Entry> entries_;
  std::vector<int> fixed_, recorded_;  // variables, by place
  int64_t record_begin_ = 0, record_bytes_ = 0;
};

}  // namespace sv
