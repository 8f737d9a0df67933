// The field and this rank's block of it. Every value tells where it belongs, so that what was written can be checked.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sv_bench {

/// `number` is that of nc_type and sv_type.
struct ElementType {
  std::string name;
  int number;
  int64_t bytes;
  MPI_Datatype mpi;
};
/// double, float, int. Throws std::runtime_error for others.
ElementType element_type(const std::string &name);

/// A field of levels x rows x columns, divided in rows and columns among px x py ranks, ranks x-fastest.
struct Field {
  std::array<int64_t, 3> shape;
  int px, py;
  ElementType type;

  int64_t elements() const { return shape[0] * shape[1] * shape[2]; }
  int64_t bytes() const { return elements() * type.bytes; }
};

class Block {
 public:
  /// This rank's block, with its values. Not collective.
  Block(const Field &field, MPI_Comm comm);

  const Field field;
  const MPI_Comm comm;  // borrowed
  int rank = 0, ranks = 1;
  std::array<int64_t, 3> start{}, count{};

  int64_t elements() const { return count[0] * count[1] * count[2]; }
  int64_t bytes() const { return elements() * field.type.bytes; }
  const std::byte *data() const { return data_.data(); }
  /// The block of another rank.
  void bounds_of(int other, std::array<int64_t, 3> &start, std::array<int64_t, 3> &count) const;

  /// Whether `values` (laid out like data()) are this block's.
  bool matches(const std::vector<std::byte> &values) const { return values == data_; }

  /// Calls visit(place in the field, place in the block, elements) for each row of the block; places in elements.
  template <typename Visit>
  void for_each_row(Visit visit) const {
    int64_t local = 0;
    for (int64_t z = start[0]; z < start[0] + count[0]; ++z) {
      for (int64_t y = start[1]; y < start[1] + count[1]; ++y) {
        visit((z * field.shape[1] + y) * field.shape[2] + start[2], local, count[2]);
        local += count[2];
      }
    }
  }

 private:
  std::vector<std::byte> data_;
};

}  // namespace sv_bench
