// How many bits of a mantissa hold the information of values: the bitwise real information of Klöwer and others 2021,
// "Compressing atmospheric data into its real information content", which is the mutual information of a bit in values
// that follow each other. Stores of chunks call it for variables whose quantization is a share of the information.
// Local; no MPI, no files.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"
#include "backend/chunked/error_bound.hpp"
#include "base/mutex.hpp"

namespace sv {

/// The bits that hold `share` of the information of all bits, from 1 to those of the mantissa. `type`: float32 or
/// float64. Pairs with NaN, infinities or a value of `kept` do not count, nor does information that may be chance. Of
/// many values a sample is measured. All bits, where there are too few pairs for a measure.
int bits_with_information(Type type, std::span<const std::byte> values, const std::vector<double> &kept, double share);

/// Of a store's variables. The first chunk at each place decides, so that all records, and a chunk that is completed
/// later, keep as many bits.
class InformationBits {
 public:
  /// A chunk's key without its records.
  static ChunkKey place_of(const Schema &schema, const ChunkKey &chunk);
  bool knows(const ChunkKey &place) const;
  /// On any thread. The relative bound within which BitRound keeps these bits. `share`: of the information, in `values`
  /// of a chunk at this place.
  ErrorBound bound_of(const ErrorBound &share, const ChunkKey &place, std::span<const std::byte> values);

 private:
  mutable Mutex mutex_;
  std::map<ChunkKey, int> bits_ SV_GUARDED_BY(mutex_);  // by place
};

}  // namespace sv
