// Copies on the host of values that are on a GPU: for requests that wait, points, and picked cells, which are not moved
// as blocks. The calls that check arguments make one.
#pragma once

#include <memory>
#include <vector>

#include "packing/piece.hpp"

namespace sv {

/// A contiguous copy of blocks on a device, one after the other. Its functions throw Error(device).
class HostCopy {
 public:
  /// Copies the values of the blocks.
  HostCopy(std::vector<MemoryBlock> blocks, Type type);
  std::byte *data() const { return values_.get(); }
  /// Copies the values back to the blocks.
  void return_to_device() const;

 private:
  const std::vector<MemoryBlock> blocks_;
  const Type type_;
  std::unique_ptr<std::byte[]> values_;
};

/// nullptr: the values are on the host.
std::unique_ptr<HostCopy> host_copy(const Index &shape, const Values &values);

}  // namespace sv
