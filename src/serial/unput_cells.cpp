#include "serial/unput_cells.hpp"

namespace sv {

/// Whether it is for the first time.
bool UnputCells::touch(const Slab &slab) {
  ByteRanges &records = touched_[slab.variable];
  if (records.contains(slab.record, slab.record + 1)) return false;
  records.add(slab.record, slab.record + 1);
  return true;
}

bool UnputCells::must_fill_before(const Slab &slab, const Box &cells, const Index &shape) {
  const Box whole = Box::whole(shape);
  const bool is_first = touch(slab);
  if (cells.elements() == whole.elements()) {
    cells_.erase(slab);
    return false;
  }
  if (is_first) cells_[slab].add(0, whole.elements());
  const auto found = cells_.find(slab);
  if (found == cells_.end()) return false;
  Index last = cells.start;
  for (int d = 0; d < last.n; ++d) last[d] += cells.count[d] - 1;
  const int64_t begin = position(whole, cells.start), end = position(whole, last) + 1;
  if (end - begin != cells.elements()) return true;
  found->second.remove(begin, end);
  if (found->second.ends().empty()) cells_.erase(found);
  return false;
}

void UnputCells::set_put(int variable, int64_t records) {
  if (records > 0) touched_[variable].add(0, records);
}

void UnputCells::add_untouched(const Slab &slab, int64_t elements) {
  if (touch(slab) && elements > 0) cells_[slab].add(0, elements);
}

ByteRanges UnputCells::take(const Slab &slab) {
  const auto found = cells_.find(slab);
  if (found == cells_.end()) return {};
  ByteRanges taken = std::move(found->second);
  cells_.erase(found);
  return taken;
}

std::vector<UnputCells::Slab> UnputCells::slabs() const {
  std::vector<Slab> all;
  for (const auto &[slab, cells] : cells_) all.push_back(slab);
  return all;
}

}  // namespace sv
