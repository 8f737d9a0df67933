// Sub-arrays of one variable, in flat arrays: requests may list millions of single cells. It stores the caller's
// numbers only: 8 bytes for each dimension of a single cell. Values.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "layout/strided.hpp"

namespace sv {

class RegionList {
 public:
  RegionList() = default;
  explicit RegionList(const Strided &region) { push(region); }

  /// All of a list have the same number of dimensions.
  void push(const Strided &region);
  /// Cells that follow one another: `n` regions of `dims` dimensions, by lists of pointers, none of them null.
  static RegionList of(int dims, int64_t n, const int64_t *const *starts, const int64_t *const *counts);

  int dims() const { return dims_; }
  int64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Strided at(int64_t region) const;
  /// Number of cells of all sub-arrays of a variable. O(regions), except for single cells.
  int64_t elements() const;
  /// Whether each is one cell.
  bool are_cells() const { return counts_.empty(); }
  /// Of all, one after the other; of counts and strides nothing where all are 1.
  std::span<const int64_t> starts() const { return starts_; }
  std::span<const int64_t> counts() const { return counts_; }
  std::span<const int64_t> strides() const { return strides_; }

  /// To walk over them in a loop.
  class Iterator {
   public:
    Iterator(const RegionList &list, int64_t at) : list_(&list), at_(at) {}
    Strided operator*() const { return list_->at(at_); }
    Iterator &operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator &other) const { return at_ != other.at_; }

   private:
    const RegionList *list_;
    int64_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  int dims_ = 0;
  int64_t size_ = 0;
  std::vector<int64_t> starts_, counts_, strides_;
};

}  // namespace sv
