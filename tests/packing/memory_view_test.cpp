#include "packing/memory_view.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "base/fill.hpp"
#include "random_boxes.hpp"

namespace sv {
namespace {

constexpr int32_t untouched = -7;

/// A block in somebody's memory, in random strides (dense, with gaps, transposed, or running backwards), with a number
/// of its own in every cell.
struct Memory {
  std::vector<int32_t> cells;
  Piece piece;

  Memory(Random &random, const Box &box) {
    const int n = box.dims();
    std::vector<int> order;
    for (int d = n - 1; d >= 0; --d) order.push_back(d);
    const bool transposed = random.roll(0, 3) == 0, gaps = random.roll(0, 1) == 0;
    if (transposed) std::reverse(order.begin(), order.end());
    Index stride(n, 0);
    int64_t bytes = sizeof(int32_t), first = 0;
    for (const int d : order) {
      const int64_t step = bytes + (gaps ? random.roll(0, 2) * static_cast<int64_t>(sizeof(int32_t)) : 0);
      const bool backwards = random.roll(0, 5) == 0;
      stride[d] = backwards ? -step : step;
      if (backwards) first += step * std::max<int64_t>(0, box.count[d] - 1);
      bytes = step * box.count[d];
    }
    cells.resize(static_cast<size_t>(bytes) / sizeof(int32_t) + 1, untouched);
    piece = {box, {reinterpret_cast<std::byte *>(cells.data()) + first, stride}};
  }
  int32_t *at(const Index &cell) const {
    std::byte *address = piece.memory.first;
    for (int d = 0; d < cell.n; ++d) address += (cell[d] - piece.box.start[d]) * piece.memory.stride_bytes[d];
    return reinterpret_cast<int32_t *>(address);
  }
  void number() {
    int32_t next = 1;
    for_cells({piece.box, 0, piece.box.elements()}, [&](const Index &cell, int64_t) { *at(cell) = next++; });
  }
};

/// What a share of some box of the field gets from a memory: with gaps where the memory has nothing, and without.
struct Expected {
  std::vector<int32_t> in_place, compact;

  Expected(const Memory &memory, const Share &share) {
    in_place.assign(static_cast<size_t>(share.elements()), untouched);
    for_cells(share, [&](const Index &cell, int64_t at) {
      if (!contains(memory.piece.box, cell)) return;
      in_place[static_cast<size_t>(at)] = *memory.at(cell);
      compact.push_back(*memory.at(cell));
    });
  }
};

struct Case {
  Random random;
  Box field, box, whole;
  Share share;

  explicit Case(unsigned seed) : random(seed) {
    field = random.box(static_cast<int>(random.roll(0, 4)));
    box = random.part_of(field);
    whole = random.part_of(field);
    share = random.share_of(whole);
  }
};

std::byte *bytes_of(std::vector<int32_t> &values) { return reinterpret_cast<std::byte *>(values.data()); }

constexpr unsigned cases = 3000;
constexpr int64_t width = sizeof(int32_t);

TEST(MemoryView, PacksWhatTheShareHas) {
  const PackRow row = pack_row(Type::int32, Type::int32, ByteOrder::native);
  for (unsigned seed = 0; seed < cases; ++seed) {
    Case random(seed);
    Memory memory(random.random, random.box);
    memory.number();
    const Expected expected(memory, random.share);
    std::vector<int32_t> in_place(expected.in_place.size(), untouched), compact(expected.compact.size() + 1, untouched);
    EXPECT_EQ(pack(memory.piece, random.share, row, Form::in_place, bytes_of(in_place)), 0);
    EXPECT_EQ(pack(memory.piece, random.share, row, Form::compact, bytes_of(compact)), 0);
    ASSERT_EQ(in_place, expected.in_place) << seed;
    ASSERT_EQ(compact.back(), untouched) << seed;
    compact.pop_back();
    ASSERT_EQ(compact, expected.compact) << seed;
  }
}

TEST(MemoryView, UnpacksIntoItsOwnCellsOnly) {
  const UnpackRow row = unpack_row(Type::int32, Type::int32, ByteOrder::native);
  for (unsigned seed = 0; seed < cases; ++seed) {
    Case random(seed);
    Memory from(random.random, random.box);
    from.number();
    Expected expected(from, random.share);
    for (const bool in_place : {true, false}) {
      Memory to(random.random, random.box);
      if (in_place)
        unpack(to.piece, random.share, row, Form::in_place, bytes_of(expected.in_place));
      else
        unpack(to.piece, random.share, row, Form::compact, bytes_of(expected.compact));
      int64_t found = 0;
      for_cells({random.box, 0, random.box.elements()}, [&](const Index &cell, int64_t) {
        const bool shared = contains(random.whole, cell) && position(random.whole, cell) >= random.share.first &&
                            position(random.whole, cell) < random.share.last;
        ASSERT_EQ(*to.at(cell), shared ? *from.at(cell) : untouched) << seed;
        found += shared ? 1 : 0;
      });
      // Nothing went into the gaps between the cells either.
      ASSERT_EQ(std::count_if(to.cells.begin(), to.cells.end(), [](int32_t each) { return each != untouched; }), found);
    }
  }
}

TEST(MemoryView, SpreadsAndGathersMessages) {
  for (unsigned seed = 0; seed < cases; ++seed) {
    Case random(seed);
    Memory memory(random.random, random.box);
    memory.number();
    Expected expected(memory, random.share);
    std::vector<int32_t> spread(expected.in_place.size(), untouched), gathered(expected.compact.size(), 0);
    spread_rows(random.box, random.share, width, bytes_of(expected.compact), bytes_of(spread));
    gather_rows(random.box, random.share, width, bytes_of(expected.in_place), bytes_of(gathered));
    ASSERT_EQ(spread, expected.in_place) << seed;
    ASSERT_EQ(gathered, expected.compact) << seed;
  }
}

TEST(MemoryView, ConvertsAndCountsWhatDoesNotFit) {
  std::vector<double> values{1, 70000, -3, -70000, 5, 6};
  const Piece piece{{{0, 0}, {2, 3}}, {reinterpret_cast<std::byte *>(values.data()), contiguous_strides({2, 3}, 8)}};
  std::vector<int16_t> packed(6, 0);
  const PackRow row = pack_row(Type::float64, Type::int16, ByteOrder::native);
  EXPECT_EQ(pack(piece, {piece.box, 0, 6}, row, Form::in_place, reinterpret_cast<std::byte *>(packed.data())), 2);
  EXPECT_EQ(packed[0], 1);
  EXPECT_EQ(packed[2], -3);
  EXPECT_EQ(packed[5], 6);
}

TEST(MemoryView, KnowsWhatIsOneRunOfMemory) {
  std::array<std::byte, 2 * 3 * 5 * 4> memory{};
  const Piece piece{{Index{4, 0, 10}, Index{2, 3, 5}}, {memory.data(), Index{60, 20, 4}}};
  EXPECT_EQ(run_of(piece, piece.box, 4), memory.data());
  EXPECT_EQ(run_of(piece, {Index{5, 0, 10}, Index{1, 3, 5}}, 4), memory.data() + 60);
  EXPECT_EQ(run_of(piece, {Index{4, 1, 10}, Index{1, 2, 5}}, 4), memory.data() + 20);
  EXPECT_EQ(run_of(piece, {Index{5, 2, 12}, Index{1, 1, 2}}, 4), memory.data() + 60 + 40 + 8);
  EXPECT_EQ(run_of(piece, {Index{4, 0, 10}, Index{1, 3, 4}}, 4), nullptr);
  EXPECT_EQ(run_of(piece, {Index{4, 0, 10}, Index{2, 2, 5}}, 4), nullptr);
}

TEST(MemoryView, FindsAPatchInItsBlock) {
  std::vector<int32_t> cells(5 * 7);
  const MemoryView block{bytes_of(cells) + (1 * 7 + 2) * width, {7 * width, width}};
  const Piece piece = piece_of(block, {{10, 0}, {2, 3}}, {1, 1});
  EXPECT_EQ(piece.memory.first, bytes_of(cells) + (2 * 7 + 3) * width);
  EXPECT_EQ(contiguous_strides({5, 7}, width), block.stride_bytes);
}

TEST(MemoryView, FillsAnyNumberOfElements) {
  for (int64_t elements = 0; elements < 40; ++elements) {
    const int32_t value = 0x01020304;
    std::vector<int32_t> filled(static_cast<size_t>(elements) + 1, untouched);
    fill_elements(bytes_of(filled), elements, reinterpret_cast<const std::byte *>(&value), width);
    EXPECT_EQ(std::count(filled.begin(), filled.end(), value), elements);
    EXPECT_EQ(filled.back(), untouched);
  }
}

}  // namespace
}  // namespace sv
