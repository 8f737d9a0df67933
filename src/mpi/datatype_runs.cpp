#include "mpi/datatype_runs.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mpi/datatype_contents.hpp"

namespace sv {

namespace {

void append(std::vector<TypeRun> &runs, const TypeRun &run) {
  if (run.length_bytes == 0) return;
  if (!runs.empty() && runs.back().offset_bytes + runs.back().length_bytes == run.offset_bytes)
    runs.back().length_bytes += run.length_bytes;
  else
    runs.push_back(run);
}

/// One of the datatypes that a datatype is made of.
struct Part {
  std::vector<TypeRun> runs;
  int64_t extent_bytes;

  void append_to(std::vector<TypeRun> &all, int64_t offset_bytes, int64_t count) const {
    const bool is_row = runs.size() == 1 && runs[0].length_bytes == extent_bytes;
    if (is_row) return append(all, {offset_bytes + runs[0].offset_bytes, count * extent_bytes});
    for (int64_t i = 0; i < count; ++i)
      for (const TypeRun &run : runs)
        append(all, {offset_bytes + i * extent_bytes + run.offset_bytes, run.length_bytes});
  }
};

/// A grid of parts, of which each dimension has some indices: sub-arrays and distributed arrays are such grids.
/// Dimensions are given slowest first.
struct PartsOfGrid {
  std::vector<int64_t> sizes;
  std::vector<std::vector<int64_t>> indices;

  void append_to(std::vector<TypeRun> &all, const Part &part, size_t d = 0, int64_t before = 0) const {
    for (const int64_t index : indices[d]) {
      const int64_t place = before * sizes[d] + index;
      if (d + 1 == sizes.size())
        part.append_to(all, place * part.extent_bytes, 1);
      else
        append_to(all, part, d + 1, place);
    }
  }
  void order(int mpi_order) {
    if (mpi_order == MPI_ORDER_C) return;
    std::reverse(sizes.begin(), sizes.end());
    std::reverse(indices.begin(), indices.end());
  }
};

PartsOfGrid subarray(const std::vector<int> &numbers) {
  const auto n = static_cast<size_t>(numbers[0]);
  PartsOfGrid grid;
  for (size_t d = 0; d < n; ++d) {
    grid.sizes.push_back(numbers[1 + d]);
    auto &indices = grid.indices.emplace_back();
    for (int i = 0; i < numbers[1 + n + d]; ++i) indices.push_back(numbers[1 + 2 * n + d] + i);
  }
  grid.order(numbers[1 + 3 * n]);
  return grid;
}

/// The indices of one dimension that process `coordinate` of `processes` has.
std::vector<int64_t> dealt(int64_t size, int distribution, int64_t argument, int64_t processes, int64_t coordinate) {
  std::vector<int64_t> indices;
  if (distribution == MPI_DISTRIBUTE_NONE) processes = 1, coordinate = 0;
  int64_t block = argument;
  if (distribution == MPI_DISTRIBUTE_NONE) block = size;
  if (distribution != MPI_DISTRIBUTE_NONE && argument == MPI_DISTRIBUTE_DFLT_DARG)
    block = distribution == MPI_DISTRIBUTE_BLOCK ? (size + processes - 1) / processes : 1;
  for (int64_t begin = coordinate * block; begin < size; begin += processes * block)
    for (int64_t i = begin; i < std::min(begin + block, size); ++i) indices.push_back(i);
  return indices;
}

PartsOfGrid distributed(const std::vector<int> &numbers) {
  const auto n = static_cast<size_t>(numbers[2]);
  const auto number = [&](size_t list, size_t d) { return numbers[3 + list * n + d]; };
  PartsOfGrid grid;
  int64_t rest = numbers[1];  // processes are numbered along the last dimension first, in any order of the array
  std::vector<int64_t> coordinates(n);
  for (size_t d = n; d-- > 0; rest /= number(3, d)) coordinates[d] = rest % number(3, d);
  for (size_t d = 0; d < n; ++d) {
    grid.sizes.push_back(number(0, d));
    grid.indices.push_back(dealt(number(0, d), number(1, d), number(2, d), number(3, d), coordinates[d]));
  }
  grid.order(numbers[3 + 4 * n]);
  return grid;
}

std::vector<TypeRun> strided(const Contents &made, const Part &part) {
  const int64_t step =
      made.combiner == MPI_COMBINER_VECTOR ? made.numbers[2] * part.extent_bytes : int64_t{made.addresses[0]};
  std::vector<TypeRun> runs;
  for (int64_t i = 0; i < made.numbers[0]; ++i) part.append_to(runs, i * step, made.numbers[1]);
  return runs;
}

std::vector<TypeRun> listed(const Contents &made, const std::vector<Part> &parts) {
  std::vector<TypeRun> runs;
  if (parts.empty()) return runs;
  for (const Block &each : listed_blocks(made, parts[0].extent_bytes))
    parts[each.part].append_to(runs, each.offset_bytes, each.count);
  return runs;
}

}  // namespace

std::vector<TypeRun> runs_of(MPI_Datatype datatype) {
  const Contents made(datatype);
  if (is_predefined(made.combiner)) return {{0, extents_of(datatype).size_bytes}};
  std::vector<Part> parts;
  for (const MPI_Datatype type : made.types) parts.push_back({runs_of(type), extents_of(type).extent_bytes});
  std::vector<TypeRun> runs;
  switch (made.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return parts.at(0).runs;
    case MPI_COMBINER_CONTIGUOUS:
      parts.at(0).append_to(runs, 0, made.numbers[0]);
      return runs;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
      return strided(made, parts.at(0));
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
    case MPI_COMBINER_STRUCT:
      return listed(made, parts);
    case MPI_COMBINER_SUBARRAY:
    case MPI_COMBINER_DARRAY: {
      const bool is_part = made.combiner == MPI_COMBINER_SUBARRAY;
      const PartsOfGrid grid = is_part ? subarray(made.numbers) : distributed(made.numbers);
      if (!grid.sizes.empty()) grid.append_to(runs, parts.at(0));
      return runs;
    }
    default:
      throw Error(Status::type, "the MPI datatype is made in a way that is not known",
                  "Make it with the constructors of MPI 3.1");
  }
}

}  // namespace sv
