// Slabs that a rank reads by itself, in the order of the file, in batches of bounded memory. The readings of a rank's
// own claims (own_reading) and of its own runs (run_reading) list what they need, and unpack what comes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "file/file.hpp"
#include "store/slab.hpp"

namespace sv {

class SlabBatches {
 public:
  static constexpr int64_t most_bytes = 4 << 20;  // of a batch of several slabs

  /// `file` outlives it.
  explicit SlabBatches(File &file) : file_(file) {}

  /// The next slab, of so many bytes. `is_apart`: it shares no cell with the slabs before it in the batch. Otherwise it
  /// begins a batch: PnetCDF mistakes the values of requests that overlap.
  void add(const Slab &slab, int64_t bytes, bool is_apart);
  /// Takes the values of a slab, by the number in which it was added.
  using Take = std::function<void(size_t slab, const std::byte *values)>;
  /// Collective if the file's ranks read together. `list` adds the slabs. Throws this rank's error.
  void read(const std::function<void()> &list, const Take &take);

 private:
  struct Wanted {
    Slab slab;
    int64_t bytes;
  };
  void read_batch(size_t first, size_t last, const Take &take);

  File &file_;
  std::vector<Wanted> wanted_;
  std::vector<size_t> begins_;  // of the batches, in wanted_
  int64_t bytes_ = 0;           // of the last batch
  std::vector<std::byte> staging_;
};

}  // namespace sv
