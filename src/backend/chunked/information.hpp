// How many bits of a mantissa hold the information of values: the bitwise real information of Klöwer and others 2021,
// "Compressing atmospheric data into its real information content", which is the mutual information of a bit in values
// that follow each other. Stores of chunks call it for variables whose quantization is a share of the information.
// Local; no MPI, no files.
#pragma once

#include <map>
#include <span>

#include "backend/chunked/chunk_boxes.hpp"
#include "backend/chunked/error_bound.hpp"

namespace sv {

/// The bits that hold a share of the information of all bits, from 1 to those of the mantissa. Pairs with NaN,
/// infinities or kept values do not count, nor does information that may be chance. Of many values a sample is
/// measured. All bits, where there are too few pairs for a measure. `share`: of a mode that is_information().
int bits_with_information(const ErrorBound &share, std::span<const std::byte> values);
/// The chunks of a store that keep a share of the information. One that was read, and is completed, keeps as many bits
/// as before: with fewer it would be rounded twice.
class InformedChunks {
 public:
  /// `share`: of the chunk's variable.
  void note_read(const ErrorBound &share, const ChunkKey &chunk, std::span<const std::byte> values);
  /// On any thread. The relative bound within which BitRound keeps the bits that these values need.
  ErrorBound bound_of(const ErrorBound &share, const ChunkKey &chunk, std::span<const std::byte> values) const;
  void note_encoded(const ChunkKey &chunk) { earlier_bits_.erase(chunk); }

 private:
  std::map<ChunkKey, int> earlier_bits_;
};

}  // namespace sv
