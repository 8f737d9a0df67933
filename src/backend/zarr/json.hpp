// JSON as the metadata of Zarr have it: members keep their order. Unlike those of nlohmann's ordered_json, objects with
// very many members are read in a time that grows with their number, not with its square.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sv::zarr {

/// What nlohmann::basic_json asks of the type of its objects: nlohmann's own, with an index of the keys once there are
/// many. Members may be added, changed and erased.
template <class Key, class T, class IgnoredLess = std::less<Key>,
          class Allocator = std::allocator<std::pair<const Key, T>>>
class IndexedMap : public nlohmann::ordered_map<Key, T, IgnoredLess, Allocator> {
  using Base = nlohmann::ordered_map<Key, T, IgnoredLess, Allocator>;

 public:
  using Base::Base;
  using Base::begin;
  using Base::end;
  using Base::size;
  using typename Base::const_iterator;
  using typename Base::iterator;
  using typename Base::size_type;

  iterator find(const Key &key) { return begin() + static_cast<std::ptrdiff_t>(place_of(key)); }
  const_iterator find(const Key &key) const { return begin() + static_cast<std::ptrdiff_t>(place_of(key)); }
  size_type count(const Key &key) const { return find(key) == end() ? 0 : 1; }

  std::pair<iterator, bool> emplace(const Key &key, T &&value) {
    if (const iterator known = find(key); known != end()) return {known, false};
    Base::Container::emplace_back(key, std::move(value));
    if (indexed_ + 1 == size()) index(indexed_);
    return {std::prev(end()), true};
  }
  T &operator[](const Key &key) { return emplace(key, T{}).first->second; }
  const T &operator[](const Key &key) const { return find(key)->second; }
  T &at(const Key &key) { return find(key) == end() ? Base::at(key) : find(key)->second; }
  const T &at(const Key &key) const { return find(key) == end() ? Base::at(key) : find(key)->second; }

 private:
  static constexpr size_t few = 16;

  size_t place_of(const Key &key) const {
    const size_t all = size();
    if (all <= few) {
      size_t at = 0;
      while (at < all && (*this).data()[at].first != key) ++at;
      return at;
    }
    if (indexed_ != all) index_all();
    for (size_t at = first_slot(key);; at = (at + 1) % slots_.size()) {
      if (slots_[at] == 0) return all;
      if ((*this).data()[slots_[at] - 1].first == key) return slots_[at] - 1;
    }
  }
  size_t first_slot(const Key &key) const { return std::hash<Key>()(key) % slots_.size(); }
  void index_all() const {
    slots_.assign(4 * size(), 0);
    for (indexed_ = 0; indexed_ < size();) index(indexed_);
  }
  /// The next one.
  void index(size_t number) const {
    if (slots_.size() < 2 * (number + 1)) {
      indexed_ = SIZE_MAX;  // the next search makes a larger one
      return;
    }
    size_t at = first_slot((*this).data()[number].first);
    while (slots_[at] != 0) at = (at + 1) % slots_.size();
    slots_[at] = static_cast<uint32_t>(number + 1);
    indexed_ = number + 1;
  }

  mutable std::vector<uint32_t> slots_;  // 1 + the place of a member, by its hash; 0: free
  mutable size_t indexed_ = SIZE_MAX;    // so many members are in it
};

using Json = nlohmann::basic_json<IndexedMap>;

}  // namespace sv::zarr
