#include "plan/sinks.hpp"

#include <algorithm>

namespace sv {

Sinks Sinks::of_blocks(std::shared_ptr<const Layout> layout, const Field &field) {
  Sinks sinks;
  const int64_t elements = Box::whole(field.shape).elements();
  sinks.shape_ = field.shape;
  sinks.first_axis_ = field.first_axis;
  if (elements > 0) {
    sinks.of_cell_ = elements / layout->cells();
    sinks.windows_.resize(layout->patches().size() + layout->holes().size());
  }
  sinks.blocks_ = std::move(layout);
  return sinks;
}

Sinks::OfGrid Sinks::box_of_block(size_t sink) const {
  const BoxList &blocks = blocks_->table().boxes();
  if (sink < blocks.size()) return {blocks, sink};
  return {blocks_->holes(), sink - blocks.size()};
}

int Sinks::rank_of_block(size_t sink) const {
  const LayoutTable &table = blocks_->table();
  return table.boxes().empty() ? 0 : table.owner(sink % table.boxes().size());
}

int64_t Sinks::elements(size_t sink) const {
  return are_blocks() ? box_of_block(sink).elements() * of_cell_ : listed_[sink].territory.elements();
}

bool Sinks::meets(size_t sink, const Box &part) const {
  if (!are_blocks()) return meet(part, listed_[sink].territory.box);
  return box_of_block(sink).meets(part, first_axis_) && !part.empty();
}

Sink Sinks::block(size_t sink) const {
  const Box box = extended(box_of_block(sink).box(), shape_, first_axis_);
  return {rank_of_block(sink), {box, 0, box.elements()}, windows_[sink]};
}

std::vector<Sink> Sinks::all() const {
  if (!are_blocks()) return listed_;
  std::vector<Sink> sinks;
  for (const Sink &sink : *this) sinks.push_back(sink);
  return sinks;
}

void Sinks::set_window(size_t sink, int64_t elements) {
  (are_blocks() ? windows_[sink] : listed_[sink].window_elements) = elements;
}

Box extended(const Box &patch, const Index &shape, int first_axis) {
  Box box = Box::whole(shape);
  for (int d = 0; d < patch.dims(); ++d) {
    box.start[first_axis + d] = patch.start[d];
    box.count[first_axis + d] = patch.count[d];
  }
  return box;
}

}  // namespace sv
