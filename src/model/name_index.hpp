// Finds an object by its name in a list of definitions, which may have very many.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/normalisation.hpp"

namespace sv {

/// The list is the caller's, always the same. It may grow at its end; after any other change, forget(), or rename().
class NameIndex {
 public:
  /// Whether it takes less than to compare all names.
  template <class Item>
  static bool has_use(const std::vector<Item> &items) {
    return items.size() > few;
  }
  /// The place of the first item of that name; -1 if there is none. Names are the same where their normal forms are:
  /// definitions have that form, but those of a file may have another one.
  template <class Item>
  int find(const std::vector<Item> &items, const std::string &name) {
    const int found = find_exact(items, name);
    const auto is_ascii = [](char each) { return static_cast<unsigned char>(each) < 0x80; };
    if (found >= 0 || std::ranges::all_of(name, is_ascii)) return found;
    return find_form(items, name, normalised(name));
  }
  /// The item of a place has another name now, which no other has.
  void rename(int place, const std::string &from, const std::string &to) {
    if (static_cast<size_t>(place) >= known_) return;
    places_.erase(from);
    places_.insert_or_assign(to, place);
    forget_forms();
  }
  void forget() {
    places_.clear();
    known_ = 0;
    forget_forms();
  }

 private:
  static constexpr size_t few = 16;  // as most variables have attributes: comparing takes less than an index

  template <class Item>
  int find_exact(const std::vector<Item> &items, const std::string &name) {
    if (!has_use(items)) return in_order(items, name);
    for (; known_ < items.size(); ++known_) places_.try_emplace(items[known_].name, static_cast<int>(known_));
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

  /// `form`: the normal form of `name`, which no item has as it is.
  template <class Item>
  int find_form(const std::vector<Item> &items, const std::string &name, const std::string &form) {
    const int exact = form == name ? -1 : find_exact(items, form);
    if (exact >= 0) return exact;
    for (; normalised_ < items.size(); ++normalised_) {
      const std::string &own = items[normalised_].name;
      if (!may_be_denormal(own)) continue;
      std::string own_form = normalised(own);
      if (own_form != own) denormal_.try_emplace(std::move(own_form), static_cast<int>(normalised_));
    }
    const auto found = denormal_.find(form);
    return found == denormal_.end() ? -1 : found->second;
  }
  void forget_forms() {
    denormal_.clear();
    normalised_ = 0;
  }

  template <class Item>
  static int in_order(const std::vector<Item> &items, const std::string &name) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const Item &each) { return each.name == name; });
    return found == items.end() ? -1 : static_cast<int>(found - items.begin());
  }

  std::unordered_map<std::string, int> places_;
  std::unordered_map<std::string, int> denormal_;  // by their normal form, the items whose names do not have it
  size_t known_ = 0, normalised_ = 0;              // how many items were looked at
};

}  // namespace sv
