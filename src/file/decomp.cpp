#include "file/decomp.hpp"

#include <algorithm>

namespace sv {

Decomp *Decomps::adopt(Decomp decomp) {
  decomp.id = next_++;
  layouts_[decomp.id] = decomp.layout;
  auto &own = all_[decomp.id];
  own = std::make_unique<Decomp>(std::move(decomp));
  return own.get();
}

/// A program may define and free a decomposition for each put, and files keep layouts for a while.
void Decomps::forget(const Decomp *decomp) {
  all_.erase(decomp->id);
  if (layouts_.size() < most_layouts_) return;
  std::erase_if(layouts_, [](const auto &each) { return each.second.expired(); });
  most_layouts_ = std::max<size_t>(64, 2 * layouts_.size());
}

std::shared_ptr<const Layout> Decomps::layout(int id) const {
  const auto found = layouts_.find(id);
  return found == layouts_.end() ? nullptr : found->second.lock();
}

}  // namespace sv
