// Indices: a number for each dimension of a variable or a grid, such as its lengths, or the place of a cell. Boxes,
// layouts and schemas are made of them. Values; nothing here is collective.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace sv {

/// The most dimensions of a variable, as in netCDF; and of the grid of a decomposition.
constexpr int max_dims = 1024, max_grid_dims = 16;

/// A tuple of int64, slowest dimension first. Up to eight stand in the object itself, which suffice for nearly all
/// variables; more take memory of their own.
class Index {
 public:
  Index() = default;
  Index(std::initializer_list<int64_t> values);
  Index(int size, int64_t value) {
    resize(size);
    for (int d = 0; d < n; ++d) values_[d] = value;
  }
  Index(const Index &other) { *this = other; }
  Index(Index &&other) noexcept { *this = std::move(other); }
  Index &operator=(const Index &other) {
    resize(other.n);
    for (int d = 0; d < n; ++d) values_[d] = other.values_[d];
    return *this;
  }
  Index &operator=(Index &&other) noexcept;
  ~Index() {
    if (values_ != near_.data()) delete[] values_;
  }

  int64_t &operator[](int d) { return values_[d]; }
  int64_t operator[](int d) const { return values_[d]; }
  void push(int64_t value) {
    resize(n + 1);
    values_[n - 1] = value;
  }
  /// The first `size` values; further ones have no particular value.
  void resize(int size) {
    if (size > capacity_) reserve(size);
    n = size;
  }
  const int64_t *data() const { return values_; }
  int64_t *data() { return values_; }
  const int64_t *begin() const { return values_; }
  int64_t *begin() { return values_; }
  const int64_t *end() const { return values_ + n; }
  int64_t *end() { return values_ + n; }
  bool operator==(const Index &other) const;
  /// Of its values: of a shape, how many cells it has. 1 without any.
  int64_t product() const {
    int64_t product = 1;
    for (int d = 0; d < n; ++d) product *= values_[d];
    return product;
  }

  int n = 0;  // how many they are; only resize makes it larger

 private:
  static constexpr int near = 8;
  void reserve(int size);

  int capacity_ = near;
  std::array<int64_t, near> near_{};
  int64_t *values_ = near_.data();  // or memory of its own
};

}  // namespace sv
