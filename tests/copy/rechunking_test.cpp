// Blocks in which variables are copied whose chunks span records: drawn at random, every cell is copied once.
#include "support/rechunking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace {

using namespace sv_tools;

class Random {
 public:
  int64_t below(int64_t end) { return static_cast<int64_t>(generator_() % static_cast<unsigned>(end)); }
  Lengths lengths(size_t dims, int64_t most) {
    Lengths made;
    for (size_t d = 0; d < dims; ++d) made.push_back(1 + below(most));
    return made;
  }

 private:
  std::mt19937 generator_{11};
};

/// How often each cell of a variable was visited.
class Visits {
 public:
  explicit Visits(Lengths length) : length_(std::move(length)), times_(static_cast<size_t>(cells_of(length_))) {}
  void add(const CellBox &box) {
    if (cells_of(box.count) == 0) return;
    Lengths at = box.start;
    for (;;) {
      int64_t number = 0;
      for (size_t d = 0; d < at.size(); ++d) number = number * length_[d] + at[d];
      ++times_.at(static_cast<size_t>(number));
      size_t d = at.size();
      while (d-- > 0) {
        if (++at[d] < box.start[d] + box.count[d]) break;
        at[d] = box.start[d];
        if (d == 0) return;
      }
    }
  }
  bool are_one_each() const {
    return std::all_of(times_.begin(), times_.end(), [](int times) { return times == 1; });
  }

 private:
  Lengths length_;
  std::vector<int> times_;
};

TEST(Rechunking, CopiesEveryCellOnce) {
  Random random;
  for (int turn = 0; turn < 400; ++turn) {
    const auto dims = static_cast<size_t>(1 + random.below(4));
    const Rechunking work{random.lengths(dims, 9), random.lengths(dims, 11), random.lengths(dims, 11), 4};
    const int ranks = static_cast<int>(1 + random.below(7));
    const Lengths block = block_lengths(work, 4 * (1 + random.below(400)));
    Visits by_ranks(work.length), by_chunks(work.length);
    for_blocks(work.length, block, [&](const CellBox &each) {
      for (int rank = 0; rank < ranks; ++rank) {
        const CellBox part = part_of(each, work.from, rank, ranks);
        by_ranks.add(part);
        for_chunks(part, work.from, [&](const CellBox &piece) {
          by_chunks.add(piece);
          for (size_t d = 0; d < dims; ++d)
            EXPECT_EQ(piece.start[d] / work.from[d], (piece.start[d] + piece.count[d] - 1) / work.from[d]);
        });
      }
    });
    EXPECT_TRUE(by_ranks.are_one_each());
    EXPECT_TRUE(by_chunks.are_one_each());
  }
}

TEST(Rechunking, HoldsNoMoreThanItMay) {
  Random random;
  for (int turn = 0; turn < 400; ++turn) {
    const auto dims = static_cast<size_t>(1 + random.below(4));
    const Rechunking work{random.lengths(dims, 50), random.lengths(dims, 60), random.lengths(dims, 60), 8};
    const int64_t most = 8 * (1 + random.below(100000));
    EXPECT_LE(8 * cells_of(block_lengths(work, most)), most);
  }
}

TEST(Rechunking, TakesWholeChunksOfBothWhereTheyHaveRoom) {
  // 150 maps into series of 72 x 72 points: all records, whole rows of chunks.
  const Rechunking into_series{{150, 720, 1440}, {1, 720, 1440}, {150, 72, 72}, 4};
  EXPECT_EQ(block_lengths(into_series, int64_t{1} << 30), (Lengths{150, 720, 1440}));
  EXPECT_EQ(block_lengths(into_series, int64_t{128} << 20), (Lengths{150, 144, 1440}));
  // And back: as many whole maps as have room.
  const Rechunking into_maps{{150, 720, 1440}, {150, 72, 72}, {1, 720, 1440}, 4};
  EXPECT_EQ(block_lengths(into_maps, int64_t{128} << 20), (Lengths{32, 720, 1440}));
  // A chunk of OUT that has no room is made of parts.
  EXPECT_EQ(block_lengths(into_maps, 720 * 1440), (Lengths{1, 180, 1440}));
}

TEST(Rechunking, GivesEachRankWholeChunksToRead) {
  const CellBox block{{0, 0, 0}, {32, 720, 1440}};
  const Lengths chunk{150, 72, 72};
  for (int rank = 0; rank < 4; ++rank) {
    const CellBox part = part_of(block, chunk, rank, 4);
    EXPECT_EQ(part.count, (Lengths{32, 720, 360}));
    EXPECT_EQ(part.start, (Lengths{0, 0, 360 * rank}));
  }
}

}  // namespace
