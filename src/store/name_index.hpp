// Finds what has a name in a list of definitions, which may have very many.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace sv {

/// The list is the caller's, always the same. It may grow at its end; after any other change, forget(), or rename().
class NameIndex {
 public:
  /// Whether it takes less than to compare all names.
  template <class Item>
  static bool has_use(const std::vector<Item> &items) {
    return items.size() > few;
  }
  /// The place of the first item of that name; -1 if there is none.
  template <class Item>
  int find(const std::vector<Item> &items, const std::string &name) {
    if (!has_use(items)) return in_order(items, name);
    for (; known_ < items.size(); ++known_) places_.try_emplace(items[known_].name, static_cast<int>(known_));
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }
  /// The item of a place has another name now, which no other has.
  void rename(int place, const std::string &from, const std::string &to) {
    if (static_cast<size_t>(place) >= known_) return;
    places_.erase(from);
    places_.insert_or_assign(to, place);
  }
  void forget() {
    places_.clear();
    known_ = 0;
  }

 private:
  static constexpr size_t few = 16;  // as most variables have attributes: comparing takes less than an index

  template <class Item>
  static int in_order(const std::vector<Item> &items, const std::string &name) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item &each) { return each.name == name; });
    return found == items.end() ? -1 : static_cast<int>(found - items.begin());
  }

  std::unordered_map<std::string, int> places_;
  size_t known_ = 0;
};

}  // namespace sv
