#include "plan/sinks.hpp"

#include <algorithm>
#include <utility>

#include "base/arithmetic.hpp"

namespace sv {

Sinks::Sinks(std::vector<Sink> listed, const Topology &topology) : listed_(std::move(listed)) { divide(topology); }

void Sinks::divide(const Topology &topology) {
  of_node_.resize(topology.ranks_of.size());
  for (size_t s = 0; s < size(); ++s)
    of_node_[static_cast<size_t>(topology.node_of[static_cast<size_t>(rank(s))])].push_back(static_cast<int>(s));
}

Sinks Sinks::of_blocks(std::shared_ptr<const Layout> layout, const Field &field, const Topology &topology) {
  Sinks sinks;
  const int64_t elements = field.shape.product();
  sinks.shape_ = field.shape;
  sinks.first_axis_ = field.first_axis;
  if (elements > 0) {
    sinks.of_cell_ = elements / layout->cells();
    sinks.size_of_blocks_ = layout->patches().size() + layout->holes().size();
  }
  sinks.topology_ = topology;
  sinks.blocks_ = std::move(layout);
  constexpr int64_t ranks_of_few = 8;  // of I/O domains: fewer than ranks to ask one by one
  if (static_cast<int64_t>(sinks.size()) * ranks_of_few < topology.ranks()) sinks.divide(topology);
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
  if (!are_blocks()) return listed_[sink].territory.elements();
  const auto [list, at] = box_of_block(sink);
  return list.elements(at) * of_cell_;
}

int64_t Sinks::most_elements() const {
  if (are_blocks()) return blocks_->table().most_cells() * of_cell_;
  int64_t most = 0;
  for (const Sink &sink : listed_) most = std::max(most, sink.territory.elements());
  return most;
}

/// As rank_of_block has it: block b, and behind the blocks as many holes at a time.
std::vector<int> Sinks::of_rank(int rank) const {
  std::vector<int> sinks;
  const size_t blocks = std::max<size_t>(1, blocks_->table().boxes().size());
  const PatchList mine = blocks_->patches_of_rank(rank);
  const size_t owned = blocks_->table().boxes().empty() && rank == 0 ? 1 : mine.size();
  for (size_t turn = 0; turn < size(); turn += blocks)
    for (size_t s = turn + mine.first_number(); s < std::min(size(), turn + mine.first_number() + owned); ++s)
      sinks.push_back(static_cast<int>(s));
  return sinks;
}

std::vector<int> Sinks::of_node(int node) const {
  const auto n = static_cast<size_t>(node);
  if (!of_node_.empty()) return of_node_[n];
  if (empty()) return {};
  std::vector<int> sinks;
  sinks.reserve(topology_.ranks_of[n].size());
  for (const int rank : topology_.ranks_of[n]) {
    const std::vector<int> more = of_rank(rank);
    sinks.insert(sinks.end(), more.begin(), more.end());
  }
  std::sort(sinks.begin(), sinks.end());
  return sinks;
}

int64_t Sinks::most_of_node(int node) const {
  const auto n = static_cast<size_t>(node);
  if (!of_node_.empty()) return std::ssize(of_node_[n]);
  if (empty()) return 0;
  const LayoutTable &table = blocks_->table();
  const auto blocks = std::max<int64_t>(1, std::ssize(table.boxes())), all = static_cast<int64_t>(size());
  return std::ssize(topology_.ranks_of[n]) * std::max<int64_t>(1, table.most_patches()) * ((all + blocks - 1) / blocks);
}

int64_t Sinks::window(size_t sink) const {
  if (!are_blocks()) return listed_[sink].window_elements;
  int64_t begin = 0;
  for (const int before : of_node(topology_.node_of[static_cast<size_t>(rank_of_block(sink))])) {
    if (static_cast<size_t>(before) == sink) break;
    begin += align_up(std::min(elements(static_cast<size_t>(before)), most_in_place_), alignment_);
  }
  return begin;
}

void Sinks::set_places(int64_t most_elements, int64_t alignment) {
  most_in_place_ = most_elements;
  alignment_ = alignment;
}

bool Sinks::meets(size_t sink, const Box &part) const {
  if (!are_blocks()) return meet(part, listed_[sink].territory.box);
  const auto [list, at] = box_of_block(sink);
  return list.meets(at, part, first_axis_) && !part.empty();
}

Sink Sinks::operator[](size_t sink) const {
  if (!are_blocks()) return listed_[sink];
  const auto [list, at] = box_of_block(sink);
  const Box box = extended(list[at], shape_, first_axis_);
  return {rank_of_block(sink), {box, 0, box.elements()}, 0};
}

std::vector<Sink> Sinks::all() const {
  if (!are_blocks()) return listed_;
  std::vector<Sink> sinks;
  for (const Sink &sink : *this) sinks.push_back(sink);
  return sinks;
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
