// Finds what has a name in a list of definitions, which may have very many.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

namespace sv {

/// The list is the caller's, always the same. It may grow at its end; after any other change, forget().
class NameIndex {
 public:
  /// The place of the first item of that name; -1 if there is none.
  template <class Item>
  int find(const std::vector<Item> &items, const std::string &name) {
    for (; known_ < items.size(); ++known_) places_.try_emplace(items[known_].name, static_cast<int>(known_));
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }
  void forget() {
    places_.clear();
    known_ = 0;
  }

 private:
  std::unordered_map<std::string, int> places_;
  size_t known_ = 0;
};

}  // namespace sv
