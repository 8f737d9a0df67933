// A file of many kinds of variables on several decompositions, for 1, 2, 3, 5 or 8 ranks: which every route must write
// alike.
#pragma once

#include <algorithm>

#include "files.hpp"

namespace svtest {

constexpr int64_t records = 3;
inline const Numbers shape{61, 71};  // y, x: odd, so that records of small types are padded

struct Process {
  int px, py;
  std::vector<int> idle;  // ranks that own nothing
};

inline Process process_of(int ranks) {
  if (ranks == 1) return {1, 1, {}};
  if (ranks == 2) return {2, 1, {}};
  if (ranks == 3) return {2, 1, {1}};
  if (ranks == 5) return {2, 2, {2}};
  require(ranks == 8, "this test runs on 1, 2, 3, 5 or 8 ranks");
  return {3, 2, {0, 5}};
}

/// The decompositions of one run.
struct Grids {
  Grid plain, wrapping, ocean, line;

  explicit Grids(int ranks) {
    const Process process = process_of(ranks);
    const auto blocks = [&](int64_t shift) {
      return blocks_2d(shape, process.px, process.py, ranks, process.idle, shift);
    };
    plain = {shape, {}, blocks(0), {1, 2, 3, 0}};
    wrapping = {shape, {0, 1}, blocks(17), {2, 1, 1, 2}};
    // The last block that has cells is all land, and so are the first rows of every rank.
    ocean = {shape, {}, blocks(0), {}, true};
    size_t last = 0;
    for (size_t rank = 0; rank < ocean.blocks.size(); ++rank) {
      Block &block = ocean.blocks[rank];
      if (product(block.count) == 0) continue;
      last = rank;
      block.start[0] += 2;
      block.count[0] -= 2;
    }
    if (ranks > 2) ocean.blocks[last] = {{0, 0}, {0, 0}};
    line = {{shape[1]}, {}, {}, {}};
    for (int rank = 0; rank < ranks; ++rank) {
      const int64_t first = cut(shape[1], ranks, rank);
      line.blocks.push_back({{first}, {cut(shape[1], ranks, rank + 1) - first}});
    }
  }
};

inline std::vector<Spec> specs_of(const Grids &grids, bool cdf5) {
  const Numbers levels_first{4, shape[0], shape[1]}, species_last{shape[0], shape[1], 3};
  const std::vector<std::string> yx{"y", "x"}, zyx{"z", "y", "x"}, yxs{"y", "x", "species"};
  std::vector<Spec> specs{
      {"depth", SV_FLOAT, SV_DOUBLE, shape, yx, false, How::field, &grids.plain},
      {"temperature", SV_FLOAT, SV_FLOAT, levels_first, zyx, true, How::field, &grids.plain, 1},
      {"tracer", SV_DOUBLE, SV_FLOAT, species_last, yxs, true, How::field, &grids.wrapping, 0, false, true},
      {"speed", SV_DOUBLE, SV_DOUBLE, levels_first, zyx, false, How::field, &grids.wrapping, 1},
      {"mask", SV_BYTE, SV_INT, shape, yx, false, How::field, &grids.ocean},
      {"ice", SV_SHORT, SV_DOUBLE, shape, yx, true, How::field, &grids.ocean},
      {"never", SV_SHORT, SV_SHORT, shape, yx, true, How::never},
      {"never_fixed", SV_INT, SV_INT, {shape[0]}, {"y"}, false, How::never},
      {"section", SV_FLOAT, SV_FLOAT, {shape[1]}, {"x"}, true, How::field, &grids.line},
      {"matrix", SV_INT, SV_SHORT, {shape[1], shape[1]}, {"x", "x2"}, false, How::field, &grids.line, 1, true},
      {"time", SV_DOUBLE, SV_DOUBLE, {}, {}, true, How::replicated},
      {"lat", SV_FLOAT, SV_DOUBLE, {shape[0]}, {"y"}, false, How::replicated, nullptr, 0, false, true},
      {"number", SV_INT, SV_INT, {}, {}, false, How::replicated},
      {"letters", SV_CHAR, SV_CHAR, {9}, {"nine"}, true, How::replicated, nullptr, 0, false, false, 32},
      {"pieces", SV_DOUBLE, SV_FLOAT, shape, yx, true, How::subarrays, nullptr, 0, false, true},
      {"fixed_pieces", SV_INT, SV_INT, levels_first, zyx, false, How::subarrays}};
  if (!cdf5) return specs;
  const int types[] = {SV_UBYTE, SV_USHORT, SV_UINT, SV_INT64, SV_UINT64};
  for (const int type : types)
    specs.push_back({"type" + std::to_string(type), type, type, shape, yx, type != SV_UINT, How::field, &grids.plain});
  for (Spec &spec : specs) spec.fill = 100;
  return specs;
}

/// One rank writes it, by the serial route, from whole arrays.
inline void write_reference(const std::string &path, std::vector<Spec> specs, const std::string &format) {
  std::vector<Spec> whole = specs;
  for (Spec &spec : whole)
    if (spec.how == How::field) spec.how = spec.grid->holes ? How::replicated : How::field;
  for (Spec &spec : whole)
    if (spec.grid != nullptr && spec.grid->holes) spec.memory = spec.type;
  // On one rank every grid is one block.
  const Grids alone(1);
  for (Spec &spec : whole)
    if (spec.how == How::field) spec.grid = spec.grid->shape.size() == 1 ? &alone.line : &alone.plain;
  sv_context *io = start(MPI_COMM_SELF, {"route=serial", "format=" + format, "testing.ranks_per_node=0"});
  write_file(io, MPI_COMM_SELF, path, whole, records);
  SV_MUST(sv_finalize(io));
}

inline void compare(const std::string &path, const std::string &reference) {
  const std::vector<char> found = bytes_of_file(path), right = bytes_of_file(reference);
  require(found.size() == right.size(),
          path + " has " + std::to_string(found.size()) + " bytes, the serial file " + std::to_string(right.size()));
  if (found == right) return;
  const auto where = std::mismatch(found.begin(), found.end(), right.begin()).first - found.begin();
  give_up(path + " differs from " + reference + " at byte " + std::to_string(where));
}

}  // namespace svtest
