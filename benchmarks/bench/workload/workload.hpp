// The data that every method of a run writes or reads: the file, and this rank's accesses to it. Every value shows its
// position, so that the output can be checked.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "team.hpp"
#include "workload/model.hpp"
#include "workload/points.hpp"
#include "workload/schema.hpp"

namespace sv_bench {

/// In elements, in the variable's dimensions, the record dimension included.
struct Region {
  std::vector<int64_t> start, count;
  std::vector<int64_t> apart = {};  // from one to the next in each dimension; empty: neighbours
  int64_t elements() const;
};

/// An array in memory of which an access takes the part that begins at `start` and is as large as its region: the rest
/// are guard cells.
struct Frame {
  std::vector<int64_t> shape, start;
};

/// One put or get. All ranks have the same number of them, of the same variables.
struct Access {
  int variable;
  std::vector<Region> regions;  // at least one, perhaps of no cells; their values follow one another in memory
  std::optional<Frame> frame;   // with one region only
  int64_t place = 0;            // of the first value that is taken, bytes from the start of the memory
  int grid = -1;                // of the workload's grids, in which the region is this rank's block; none: -1

  int64_t elements() const;
  /// Distances in memory, bytes, of the region's dimensions. For one region.
  std::vector<int64_t> memory_steps(int64_t width) const;
  /// Where the array begins, guard cells included: bytes from the start of the memory. For one region.
  int64_t array_place(int64_t width) const;
};

/// The same block of every variable that has it: its place among the last dimensions.
struct Grid {
  std::vector<int64_t> shape, start, count;
  std::vector<int64_t> halo = {};  // low and high of each dimension, or none
};

/// The value of an element (row-major, from 0) of a record of a variable is value_of(first_number(...) + element);
/// exact in every type, different in all neighbouring cells.
int64_t first_number(const Schema &schema, int variable, int64_t record);
constexpr int64_t value_of(int64_t number) { return number % 16777213; }  // 2^24 - 3, prime to every usual length

/// Rows of one record, or of a variable without records, as far as they follow a regular pattern.
struct Box {
  int64_t file_offset, place;  // of the first row, in the file and in memory, bytes
  int64_t elements, width;     // of a row; of a value, bytes
  int64_t line = 1;            // elements of the last dimension, of which a row may have several
  int type;
  size_t step;
  std::array<int64_t, 3> count{1, 1, 1};              // of rows, slowest first
  std::array<int64_t, 3> file_step{}, memory_step{};  // bytes
  int64_t slab_offset, first_value;  // where this record begins: bytes in the file, elements in the variable

  int64_t bytes() const { return elements * width * count[0] * count[1] * count[2]; }
  /// Calls visit(offset in the file, place in memory) for each row, in bytes.
  template <typename Visit>
  void for_each_row(Visit visit) const {
    for (int64_t i = 0; i < count[0]; ++i)
      for (int64_t j = 0; j < count[1]; ++j)
        for (int64_t k = 0; k < count[2]; ++k)
          visit(file_offset + i * file_step[0] + j * file_step[1] + k * file_step[2],
                place + i * memory_step[0] + j * memory_step[1] + k * memory_step[2]);
  }
};

class Workload {
 public:
  /// Local, as are all functions.
  Workload(MPI_Comm comm, Schema schema);

  /// All steps use the same memory, as a model's do, of which a step changes some values: advance. Before the rest.
  void reuse_memory() { reuses_memory_ = true; }
  /// Each step is a file of its own with the same variables, which have no records, but other values. Before the rest.
  void file_per_step() { file_per_step_ = true; }
  /// Building, in the order in which a model would make the calls. `place` is set here. A variable without dimensions
  /// is an access of all ranks, who hold its value, and a box of the first one only.
  void add(Access access);
  /// The accesses since the last end belong to one step (a record, or as many variables as a record has).
  void end_step();
  /// What fill() will take, bytes.
  int64_t needed_bytes() const { return std::max(most_used_bytes_, used_bytes_); }
  /// Gives every value; guard cells get values that belong nowhere.
  void fill();
  /// Gives it other values, as many bytes as memory_bytes returns.
  void take(const void *values) { std::memcpy(memory_.data(), values, memory_.size()); }

  const Team team;
  const Schema schema;
  const CdfFile file;
  std::optional<Grid> grid;                // where every access is this block: sv_put can be called
  std::vector<Grid> grids;                 // otherwise: those that accesses name
  std::shared_ptr<PointValues> points;     // if set, Sverdrup puts these instead: the same file from other ranks
  std::shared_ptr<Model> model;            // computes before each step; none: nothing does
  int64_t piece_bytes = int64_t{1} << 25;  // of the file, that a hand-written method moves at once; at least one slab

  const std::vector<Access> &accesses() const { return accesses_; }
  size_t steps() const { return step_ends_.size(); }
  bool has_file_per_step() const { return file_per_step_; }
  /// Of all values of all steps.
  int64_t bytes() const { return schema.bytes() * (file_per_step_ ? static_cast<int64_t>(steps()) : 1); }
  /// From where to where the accesses of a step go.
  std::array<size_t, 2> step(size_t number) const {
    return {number == 0 ? 0 : step_ends_[number - 1], step_ends_[number]};
  }
  const std::vector<Box> &boxes() const { return boxes_; }  // in the order of the file
  const Variable &variable(const Access &access) const {
    return schema.variables[static_cast<size_t>(access.variable)];
  }

  /// Gives the memory the values of a step, where steps share it: the first value of every row is another one, so that
  /// values that were put too late, too early or into another step are found.
  void advance(size_t step) const;

  const std::byte *memory() const { return memory_.data(); }
  int64_t memory_bytes() const { return static_cast<int64_t>(memory_.size()); }
  /// Whether `values`, laid out like memory(), are this rank's; guard cells do not count.
  bool matches(const std::vector<std::byte> &values) const;
  /// The same of one access, whose values follow one another without guard cells.
  bool holds(const Access &access, const std::vector<std::byte> &values) const;

 private:
  std::vector<Access> accesses_;
  std::vector<size_t> step_ends_;
  std::vector<Box> boxes_, copies_;        // copies_: values that another rank counts
  mutable std::vector<std::byte> memory_;  // where steps share it, of the one to which it was advanced
  int64_t used_bytes_ = 0, most_used_bytes_ = 0;
  bool reuses_memory_ = false, file_per_step_ = false;
};

/// The files of a model.
using Workloads = std::vector<std::unique_ptr<Workload>>;
void fill(const Workloads &workloads);
int64_t needed_bytes(const Workloads &workloads);

/// A stretch of the file that is moved at once, and the boxes of this rank in it.
struct Piece {
  int64_t begin, end;  // bytes; the first begins with the header
  size_t first_box, end_box;
};
/// Whole records or variables, as many as fit in the workload's piece_bytes, but at least one. The same on all ranks
/// except for the boxes.
std::vector<Piece> pieces_of(const Workload &workload);

/// What netCDF-C finds in the file, compared with these steps of the workload, from `first` to before `end`; no value
/// where it was not compiled. Collective.
std::optional<bool> check_with_netcdf(const Workload &workload, const std::string &path, size_t first, size_t end);
inline std::optional<bool> check_with_netcdf(const Workload &workload, const std::string &path) {
  return check_with_netcdf(workload, path, 0, workload.steps());
}

}  // namespace sv_bench
