#include "file/decomp.hpp"

namespace sv {

Decomp *Decomps::adopt(Decomp decomp) {
  decomp.id = next_++;
  layouts_[decomp.id] = decomp.layout;
  all_.push_back(std::make_unique<Decomp>(std::move(decomp)));
  return all_.back().get();
}

void Decomps::forget(const Decomp *decomp) {
  std::erase_if(all_, [decomp](const auto &own) { return own.get() == decomp; });
  std::erase_if(layouts_, [](const auto &each) { return each.second.expired(); });
}

std::shared_ptr<const Layout> Decomps::layout(int id) const {
  const auto found = layouts_.find(id);
  return found == layouts_.end() ? nullptr : found->second.lock();
}

}  // namespace sv
