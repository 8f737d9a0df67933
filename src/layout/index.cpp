#include "layout/index.hpp"

#include <algorithm>

namespace sv {

Index::Index(std::initializer_list<int64_t> values) {
  for (const int64_t value : values) push(value);
}

Index &Index::operator=(Index &&other) noexcept {
  if (other.values_ == other.near_.data()) return *this = std::as_const(other);  // which needs no memory
  if (this == &other) return *this;
  if (values_ != near_.data()) delete[] values_;
  values_ = std::exchange(other.values_, other.near_.data());
  capacity_ = std::exchange(other.capacity_, near);
  n = std::exchange(other.n, 0);
  return *this;
}

void Index::reserve(int size) {
  const int capacity = std::max(size, 2 * capacity_);
  auto *const values = new int64_t[static_cast<size_t>(capacity)]{};
  std::copy(begin(), end(), values);
  if (values_ != near_.data()) delete[] values_;
  values_ = values;
  capacity_ = capacity;
}

bool Index::operator==(const Index &other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

}  // namespace sv
