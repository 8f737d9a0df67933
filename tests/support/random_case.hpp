// Random files: grids, decompositions, variables and the ways they are written. Equal on all ranks for equal seeds.
#pragma once

#include <random>

#include "variables.hpp"

namespace svtest {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T &one_of(const std::vector<T> &all) {
    return all[static_cast<size_t>(between(0, static_cast<int64_t>(all.size()) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T> &all) {
    std::shuffle(all.begin(), all.end(), engine_);
  }

 private:
  std::mt19937_64 engine_;
};

/// A grid cut again and again where chance has it; the pieces go to ranks at random, some of which get nothing.
inline std::vector<Block> random_blocks(Random &random, const Numbers &shape, int ranks) {
  std::vector<Block> pieces{{Numbers(shape.size(), 0), shape}};
  for (const int64_t wanted = random.between(1, ranks); static_cast<int64_t>(pieces.size()) < wanted;) {
    const auto which = static_cast<size_t>(random.between(0, static_cast<int64_t>(pieces.size()) - 1));
    const auto d = static_cast<size_t>(random.between(0, static_cast<int64_t>(shape.size()) - 1));
    Block &piece = pieces[which];
    if (piece.count[d] < 2) {
      if (random.chance(5)) break;
      continue;
    }
    const int64_t first = random.between(1, piece.count[d] - 1);
    Block rest = piece;
    rest.start[d] += first;
    rest.count[d] -= first;
    piece.count[d] = first;
    pieces.push_back(rest);
  }
  pieces.resize(static_cast<size_t>(ranks), Block{Numbers(shape.size(), 0), Numbers(shape.size(), 0)});
  random.shuffle(pieces);
  return pieces;
}

/// `regular`: columns and rows of blocks, as I/O domains want them.
inline Grid random_grid(Random &random, const Numbers &shape, int ranks, bool regular) {
  Grid grid;
  grid.shape = shape;
  if (regular) {
    const auto px = static_cast<int>(random.between(1, std::min<int64_t>(ranks, shape[1])));
    const auto py = static_cast<int>(random.between(1, std::min<int64_t>(ranks / px, shape[0])));
    grid.blocks = blocks_2d(shape, px, py, ranks, {});
    random.shuffle(grid.blocks);
  } else {
    grid.blocks = random_blocks(random, shape, ranks);
  }
  if (random.chance(50))
    for (size_t i = 0; i < 2 * shape.size(); ++i) grid.halo.push_back(random.between(0, 2));
  if (random.chance(40)) {
    const auto d = static_cast<size_t>(random.between(0, static_cast<int64_t>(shape.size()) - 1));
    grid.periodic.assign(shape.size(), 0);
    grid.periodic[d] = 1;
    const int64_t shift = random.between(-shape[d], shape[d]);
    for (Block &block : grid.blocks) block.start[d] += shift;
  }
  if (random.chance(40)) {
    grid.holes = true;
    Block &land = grid.blocks[static_cast<size_t>(random.between(0, ranks - 1))];
    land.count.assign(shape.size(), 0);
  }
  return grid;
}

inline Spec random_spec(Random &random, const std::string &name, const Grid &grid) {
  static const std::vector<int> types{SV_BYTE, SV_SHORT, SV_INT, SV_FLOAT, SV_DOUBLE};
  Spec spec;
  spec.name = name;
  spec.type = random.one_of(types);
  spec.memory = random.chance(50) ? spec.type : random.one_of(types);
  spec.grid = &grid;
  spec.records = random.chance(60);
  spec.padded = random.chance(30);
  spec.say_axes = true;
  const auto before = static_cast<size_t>(random.between(0, 1)), after = static_cast<size_t>(random.between(0, 1));
  for (size_t d = 0; d < before; ++d) spec.shape.push_back(random.between(1, 4));
  spec.first_axis = before;
  spec.shape.insert(spec.shape.end(), grid.shape.begin(), grid.shape.end());
  for (size_t d = 0; d < after; ++d) spec.shape.push_back(random.between(1, 4));
  for (size_t d = 0; d < spec.shape.size(); ++d) spec.dims.push_back(name + "_d" + std::to_string(d));
  const int64_t how = random.between(1, 10);
  if (how == 1) spec.how = How::never;
  if (how == 2) spec.how = How::replicated;
  if (how == 3) spec.how = How::subarrays;
  if (spec.how != How::field) {
    spec.grid = nullptr;
    spec.say_axes = false;
  }
  return spec;
}

/// Options for sv_init that go with such grids on so many ranks.
inline std::vector<std::string> random_options(Random &random, int ranks, bool regular) {
  const std::string writers = "writers=" + std::to_string(random.between(1, ranks));
  std::vector<std::vector<std::string>> routes{
      {}, {"route=serial"}, {"route=shared"}, {"route=ranges", writers}, {"writers=1 per node"}};
  if (regular)
    routes.insert(routes.end(), {{"route=row"},
                                 {"route=column"},
                                 {"route=row", writers},
                                 {"route=column", writers},
                                 {"route=domains"},
                                 {"io_layout=1,1", writers}});
  std::vector<std::string> options = random.one_of(routes);
  if (random.chance(60)) options.push_back(random.chance(50) ? "transport.window=64KiB" : "transport.window=128KiB");
  if (random.chance(60)) options.push_back("file_system.stripe=4096");
  if (random.chance(20)) options.push_back("transport=send");
  if (random.chance(30)) options.push_back("format=cdf5");
  if (random.chance(30)) options.push_back("kind=growing");
  if (random.chance(40)) options.push_back("combine=step");
  if (random.chance(30)) options.push_back("combine.memory=" + std::to_string(random.between(0, 20000)));
  options.push_back("testing.ranks_per_node=" + std::to_string(random.between(0, ranks)));
  return options;
}

/// The same for a file of the store netcdf4, with chunks and filters of any kind. Zstandard's is read by us alone:
/// other readers need a plug-in.
inline std::vector<std::string> random_chunk_options(Random &random, int ranks, bool regular) {
  std::vector<std::string> options = random_options(random, ranks, regular);
  std::erase(options, "format=cdf5");
  options.push_back("store=netcdf4");
  if (random.chance(70))
    options.push_back("compression=deflate:" + std::to_string(random.between(1, 9)));
  else if (random.chance(50))
    options.insert(options.end(),
                   {"compression=zstd:" + std::to_string(random.between(1, 5)), "compression.zstd_plugin=assumed"});
  if (random.chance(30))
    options.push_back("testing.deflate_library=" + random.one_of<std::string>({"isal", "libdeflate", "zlib"}));
  if (random.chance(30)) options.push_back("compression.shuffle=false");
  if (random.chance(30)) options.push_back("compression.checksum=true");
  if (random.chance(20)) options.push_back("format=netcdf4_classic");
  const int64_t chunks = random.between(1, 10);
  if (chunks == 1) options.push_back("chunks=writers");
  if (chunks == 2) options.push_back("chunks=default");
  if (chunks == 3) options.push_back("chunks.layout=1,1");
  if (chunks >= 8)
    options.push_back("chunks=" + std::to_string(random.between(1, 20)) + "," + std::to_string(random.between(1, 20)));
  return options;
}

}  // namespace svtest
