#include "layout/layout_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "layout/regions.hpp"

namespace sv {

namespace {

/// The head of the numbers: the counts of the following parts, and the most patches of a rank and cells of a box.
struct Head {
  int64_t dims, ranks, patches, holes, locals, most_patches, most_cells;
};
constexpr size_t head_numbers = sizeof(Head) / sizeof(int64_t);

void append(std::vector<int64_t> &numbers, const Index &index) {
  numbers.insert(numbers.end(), index.begin(), index.end());
}

void append(std::vector<int64_t> &numbers, const std::vector<int64_t> &more) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

/// How many stand before each rank, and of all.
void append_sums(std::vector<int64_t> &numbers, const std::vector<int64_t> &of_ranks) {
  numbers.push_back(0);
  for (const int64_t count : of_ranks) numbers.push_back(numbers.back() + count);
}

}  // namespace

TableNumbers::TableNumbers(const Index &shape, int ranks, size_t patches)
    : shape_(shape), patches_of_(static_cast<size_t>(ranks)), cells_of_(static_cast<size_t>(ranks)) {
  boxes_.reserve(2 * static_cast<size_t>(shape.n) * patches);
  locals_.reserve(static_cast<size_t>(shape.n) * patches);
  owners_.reserve(patches);
}

TableNumbers::TableNumbers(const Index &shape, std::vector<int64_t> cells_of_ranks)
    : shape_(shape), patches_of_(cells_of_ranks.size()), cells_of_(std::move(cells_of_ranks)) {}

void TableNumbers::add(const Patch &patch) {
  append(boxes_, patch.box.start);
  append(boxes_, patch.box.count);
  append(locals_, patch.local);
  owners_.push_back(patch.rank);
  ++patches_of_[static_cast<size_t>(patch.rank)];
  const int64_t cells = patch.box.elements();
  cells_of_[static_cast<size_t>(patch.rank)] += cells;
  most_cells_ = std::max(most_cells_, cells);
}

std::vector<int64_t> TableNumbers::numbers(bool holes) const {
  const int64_t cells = shape_.product();
  std::vector<Box> left;
  if (holes && std::accumulate(cells_of_.begin(), cells_of_.end(), int64_t{0}) < cells) {
    const BoxList boxes(shape_.n, boxes_.data(), owners_.size());
    left = uncovered(shape_, std::vector<Box>(boxes.begin(), boxes.end()));
  }
  const bool wraps = std::any_of(locals_.begin(), locals_.end(), [](int64_t cell) { return cell != 0; });
  Head head{shape_.n,
            std::ssize(cells_of_),
            std::ssize(owners_),
            std::ssize(left),
            wraps ? std::ssize(locals_) : 0,
            patches_of_.empty() ? 0 : *std::max_element(patches_of_.begin(), patches_of_.end()),
            most_cells_};
  for (const Box &hole : left) head.most_cells = std::max(head.most_cells, hole.elements());
  const auto dims = static_cast<size_t>(shape_.n);

  std::vector<int64_t> all{head.dims,   head.ranks,        head.patches,   head.holes,
                           head.locals, head.most_patches, head.most_cells};
  all.reserve(all.size() + boxes_.size() + 2 * dims * left.size() + static_cast<size_t>(head.locals) + owners_.size() +
              2 * (cells_of_.size() + 1));
  append(all, boxes_);
  for (const Box &hole : left) append(all, hole.start), append(all, hole.count);
  if (wraps) append(all, locals_);
  append(all, owners_);
  append_sums(all, patches_of_);
  append_sums(all, cells_of_);
  return all;
}

LayoutTable::LayoutTable(std::span<const int64_t> numbers, std::shared_ptr<const void> owner)
    : owner_(std::move(owner)) {
  const Head head{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6]};
  size_t at = head_numbers;
  const auto next = [&](int64_t size) {
    const std::span<const int64_t> part = numbers.subspan(at, static_cast<size_t>(size));
    at += part.size();
    return part;
  };
  dims_ = static_cast<int>(head.dims);
  most_patches_ = head.most_patches;
  most_cells_ = head.most_cells;
  boxes_ = {dims_, next(2 * head.dims * head.patches).data(), static_cast<size_t>(head.patches)};
  holes_ = {dims_, next(2 * head.dims * head.holes).data(), static_cast<size_t>(head.holes)};
  locals_ = next(head.locals);
  owners_ = next(head.patches);
  patches_before_ = next(head.ranks + 1);
  cells_before_ = next(head.ranks + 1);
}

LayoutTable LayoutTable::of_its_own(std::vector<int64_t> numbers) {
  const auto owner = std::make_shared<const std::vector<int64_t>>(std::move(numbers));
  return {*owner, owner};
}

LayoutTable LayoutTable::renumbered(std::span<const int> ranks, int all) const {
  struct Numbers {
    std::vector<int64_t> owners, patches_before, cells_before;
    std::shared_ptr<const void> boxes;
  };
  const auto numbers = std::make_shared<Numbers>();
  numbers->boxes = owner_;
  numbers->owners.reserve(owners_.size());
  for (const int64_t owner : owners_) numbers->owners.push_back(ranks[static_cast<size_t>(owner)]);
  std::vector<int64_t> patches_of(static_cast<size_t>(all)), cells_of(static_cast<size_t>(all));
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto to = static_cast<size_t>(ranks[rank]);
    patches_of[to] = patches_before_[rank + 1] - patches_before_[rank];
    cells_of[to] = cells_before_[rank + 1] - cells_before_[rank];
  }
  append_sums(numbers->patches_before, patches_of);
  append_sums(numbers->cells_before, cells_of);
  LayoutTable table = *this;
  table.owners_ = numbers->owners;
  table.patches_before_ = numbers->patches_before;
  table.cells_before_ = numbers->cells_before;
  table.owner_ = numbers;
  return table;
}

PatchList LayoutTable::patches_of_rank(int rank) const {
  const auto r = static_cast<size_t>(rank);
  return {*this, static_cast<size_t>(patches_before_[r]), static_cast<size_t>(patches_before_[r + 1])};
}

BoxList LayoutTable::boxes_of_rank(int rank) const {
  const auto r = static_cast<size_t>(rank);
  return boxes_.part(static_cast<size_t>(patches_before_[r]), static_cast<size_t>(patches_before_[r + 1]));
}

Patch LayoutTable::patch(size_t number) const {
  Patch patch{owner(number), boxes_[number], {}, number};
  patch.local = Index(dims_, 0);
  const auto dims = static_cast<size_t>(dims_);
  if (!locals_.empty()) std::copy_n(locals_.begin() + number * dims, dims, patch.local.begin());
  return patch;
}

}  // namespace sv
