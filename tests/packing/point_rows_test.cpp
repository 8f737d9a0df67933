// Points between a rank's arrays and the order of the file, against a walk over the cells.
#include "packing/written_parts.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "random_boxes.hpp"

namespace sv {
namespace {

struct PointCase {
  Field field;
  int64_t cells = 0;
  Share share;
  std::vector<int64_t> places;  // of this rank
  std::vector<double> memory;
  Type type = Type::float64;

  PointView view() {
    PointView made = point_view(field, 1, std::ssize(places), 8, nullptr);
    made.first = reinterpret_cast<std::byte *>(memory.data());
    return made;
  }
  int64_t outer() const { return field.first_axis == 0 ? 1 : field.shape[0]; }
  int64_t inner() const { return field.shape.n > field.first_axis + 1 ? field.shape[field.shape.n - 1] : 1; }
};

PointCase random_point_case(Random &random) {
  PointCase made;
  made.cells = random.roll(1, 60);
  if (random.roll(0, 1) == 0) made.field.shape.push(random.roll(1, 5));
  made.field.first_axis = made.field.shape.n;
  made.field.shape.push(made.cells);
  if (random.roll(0, 2) == 0) made.field.shape.push(random.roll(1, 4));
  made.type = random.roll(0, 1) == 0 ? Type::float64 : Type::int16;
  made.field.element_bytes = size_of(made.type);
  made.share = random.share_of(random.roll(0, 1) == 0 ? Box::whole(made.field.shape)
                                                      : random.part_of(Box::whole(made.field.shape)));
  for (int64_t cell = 0; cell < made.cells; ++cell)
    if (random.roll(0, 2) > 0) made.places.push_back(cell);
  for (size_t i = 1; i < made.places.size(); ++i)
    if (random.roll(0, 3) == 0)
      std::swap(made.places[i], made.places[static_cast<size_t>(random.roll(0, static_cast<int64_t>(i)))]);
  made.memory.resize(static_cast<size_t>(made.outer() * std::ssize(made.places) * made.inner()));
  std::iota(made.memory.begin(), made.memory.end(), 1.0);
  return made;
}

/// The value at each position of the share: an index into memory, or −1.
std::vector<int64_t> sources_of(const PointCase &c) {
  std::vector<int64_t> of_cell(static_cast<size_t>(c.cells), -1), sources;
  for (size_t i = 0; i < c.places.size(); ++i) of_cell[static_cast<size_t>(c.places[i])] = static_cast<int64_t>(i);
  for_cells(c.share, [&](const Index &at, int64_t) {
    const int64_t point = of_cell[static_cast<size_t>(at[c.field.first_axis])];
    const int64_t o = c.field.first_axis == 0 ? 0 : at[0], i = c.inner() == 1 ? 0 : at[at.n - 1];
    sources.push_back(point < 0 ? -1 : (o * std::ssize(c.places) + point) * c.inner() + i);
  });
  return sources;
}

double value_at(const PointCase &c, const std::vector<std::byte> &file, int64_t element) {
  double value = 0;
  unpack_row(c.type, Type::float64, ByteOrder::big)(file.data() + element * c.field.element_bytes,
                                                    reinterpret_cast<std::byte *>(&value), 8, 1);
  return value;
}

TEST(PointRows, ArePackedInPlaceAndCompactAndBack) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    PointCase c = random_point_case(random);
    const OwnPoints own = own_points(c.places, c.cells);
    const PointRuns runs = own.runs.view();
    const PointView view = c.view();
    const PointsInMemory points{runs, own.local, view};
    const CellRanges ranges(c.field, 1, c.share);
    const std::vector<int64_t> sources = sources_of(c);
    const auto mine = std::count_if(sources.begin(), sources.end(), [](int64_t from) { return from >= 0; });
    ASSERT_EQ(ranges.elements(runs), mine);
    const int64_t bytes = c.field.element_bytes;
    const PackRow pack = pack_row(Type::float64, c.type, ByteOrder::big);
    std::vector<std::byte> slice(sources.size() * static_cast<size_t>(bytes), std::byte{0x55}), spread = slice;
    std::vector<std::byte> body(static_cast<size_t>(mine * bytes)), gathered(body.size());
    ASSERT_EQ(pack_points(points, ranges, pack, Form::in_place, slice.data()), 0);
    ASSERT_EQ(pack_points(points, ranges, pack, Form::compact, body.data()), 0);
    spread_points(runs, ranges, bytes, body.data(), spread.data());
    gather_points(runs, ranges, bytes, slice.data(), gathered.data());
    ASSERT_EQ(slice, spread);
    ASSERT_EQ(body, gathered);
    for (size_t at = 0; at < sources.size(); ++at) {
      if (sources[at] >= 0) {
        ASSERT_EQ(value_at(c, slice, static_cast<int64_t>(at)), c.memory[static_cast<size_t>(sources[at])]);
      } else {
        ASSERT_EQ(slice[at * static_cast<size_t>(bytes)], std::byte{0x55});
      }
    }
    const UnpackRow unpack = unpack_row(c.type, Type::float64, ByteOrder::big);
    std::vector<double> before = c.memory;
    for (const bool compact : {false, true}) {
      std::fill(c.memory.begin(), c.memory.end(), -1.0);
      const OutOfRange bad = compact ? unpack_points(points, ranges, unpack, Form::compact, body.data())
                                     : unpack_points(points, ranges, unpack, Form::in_place, slice.data());
      ASSERT_EQ(bad, 0);
      std::vector<double> right(before.size(), -1.0);
      for (const int64_t from : sources)
        if (from >= 0) right[static_cast<size_t>(from)] = before[static_cast<size_t>(from)];
      ASSERT_EQ(c.memory, right);
    }
    const PointRuns lists[] = {runs};
    std::vector<bool> covered(sources.size(), false);
    int64_t end = -1;
    for (const Segment &segment : covered_by_points(lists, ranges, c.share.first)) {
      ASSERT_GT(segment.first, end);
      end = segment.last;
      for (int64_t at = segment.first; at < segment.last; ++at) covered[static_cast<size_t>(at - c.share.first)] = true;
    }
    for (size_t at = 0; at < sources.size(); ++at) ASSERT_EQ(covered[at], sources[at] >= 0);
  }
}

}  // namespace
}  // namespace sv
