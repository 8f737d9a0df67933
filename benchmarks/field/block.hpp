// The field and this rank's block of it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// A field of levels x rows x columns, divided in rows and columns among px x py ranks, ranks x-fastest.
struct Field {
  std::array<int64_t, 3> shape;
  int px, py;
  ElementType type;
};

class Block {
 public:
  /// This rank's block, with its values. Not collective.
  Block(const Field &field, MPI_Comm comm);

  const Field field;
  const Team team;
  std::array<int64_t, 3> start{}, count{};

  int64_t elements() const { return count[0] * count[1] * count[2]; }
  int64_t bytes() const { return elements() * field.type.bytes; }
  const std::byte *data() const { return workload().memory(); }
  /// The block of another rank.
  void bounds_of(int other, std::array<int64_t, 3> &start, std::array<int64_t, 3> &count) const;

  /// Other values, in float, laid out like data().
  void take(const std::vector<float> &values) { workload_.take(values.data()); }
  /// Whether `values` (laid out like data()) are this block's.
  bool matches(const std::vector<std::byte> &values) const { return workload().matches(values); }
  /// The field as the only variable of a file, "field", with the dimensions lev, lat and lon.
  const Workload &workload() const { return workload_; }

 private:
  Workload workload_;
};

}  // namespace sv_bench
