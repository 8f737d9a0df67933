#include "packing/host_copy.hpp"

#include <numeric>
#include <utility>

#include "packing/memory_view.hpp"

namespace sv {

namespace {

int64_t elements_of(const std::vector<MemoryBlock> &blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), int64_t{0},
                         [](int64_t sum, const MemoryBlock &each) { return sum + each.shape.product(); });
}

/// Calls move(piece, share, bytes of the blocks before).
template <class Move>
void for_blocks(const std::vector<MemoryBlock> &blocks, int64_t element_bytes, const Move &move) {
  int64_t before = 0;
  for (const MemoryBlock &each : blocks) {
    const Box box = Box::whole(each.shape);
    if (!box.empty()) move(Piece{box, each.view}, Share{box, 0, box.elements()}, before);
    before += box.elements() * element_bytes;
  }
}

}  // namespace

HostCopy::HostCopy(std::vector<MemoryBlock> blocks, Type type)
    : blocks_(std::move(blocks)),
      type_(type),
      values_(new std::byte[static_cast<size_t>(elements_of(blocks_) * size_of(type))]) {
  const PackRow row = pack_row(type, type, ByteOrder::native);
  for_blocks(blocks_, size_of(type), [&](const Piece &piece, const Share &share, int64_t before) {
    pack(piece, share, row, Form::compact, values_.get() + before);
  });
}

void HostCopy::return_to_device() const {
  const UnpackRow row = unpack_row(type_, type_, ByteOrder::native);
  for_blocks(blocks_, size_of(type_), [&](const Piece &piece, const Share &share, int64_t before) {
    unpack(piece, share, row, Form::compact, values_.get() + before);
  });
}

std::unique_ptr<HostCopy> host_copy(const Index &shape, const Values &values) {
  if (values.device == nullptr) return nullptr;
  return std::make_unique<HostCopy>(std::vector{MemoryBlock{shape, array_view(shape, values)}}, values.type);
}

}  // namespace sv
