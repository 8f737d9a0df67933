#include "packing/written_parts.hpp"

#include <gtest/gtest.h>

#include "random_boxes.hpp"

namespace sv {
namespace {

std::vector<bool> bitmap(const std::vector<Segment> &segments, const Share &share) {
  std::vector<bool> map(static_cast<size_t>(share.elements()), false);
  for (const Segment &segment : segments)
    for (int64_t at = segment.first; at < segment.last; ++at) map.at(static_cast<size_t>(at - share.first)) = true;
  return map;
}

void expect_maximal(const std::vector<Segment> &segments, const Share &share) {
  for (size_t i = 0; i < segments.size(); ++i) {
    EXPECT_LT(segments[i].first, segments[i].last);
    EXPECT_GE(segments[i].first, share.first);
    EXPECT_LE(segments[i].last, share.last);
    if (i > 0) {
      EXPECT_GT(segments[i].first, segments[i - 1].last);
    }
  }
}

TEST(Segments, CoverWhatTheBoxesCover) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    const Box whole = random.box(static_cast<int>(random.roll(0, 4)));
    const Share share = random.share_of(whole);
    std::vector<Box> boxes;
    for (int64_t n = random.roll(0, 4); n > 0; --n) boxes.push_back(random.part_of(whole));
    std::vector<bool> expected(static_cast<size_t>(share.elements()), false);
    for_cells(share, [&](const Index &cell, int64_t at) {
      for (const Box &box : boxes)
        if (contains(box, cell)) expected[static_cast<size_t>(at)] = true;
    });
    const std::vector<Segment> covered = covered_segments(boxes, share);
    expect_maximal(covered, share);
    ASSERT_EQ(bitmap(covered, share), expected);
  }
}

TEST(Segments, AreNoneWithoutBoxes) {
  const Share share{{{0, 0}, {3, 4}}, 2, 9};
  EXPECT_TRUE(covered_segments({}, share).empty());
}

}  // namespace
}  // namespace sv
