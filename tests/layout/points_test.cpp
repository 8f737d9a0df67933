#include "layout/points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "base/error.hpp"

namespace sv {
namespace {

std::vector<int64_t> random_places(std::mt19937 &engine, int64_t cells, int percent, bool shuffled) {
  std::vector<int64_t> places;
  for (int64_t cell = 0; cell < cells; ++cell)
    if (static_cast<int>(engine() % 100) < percent) places.push_back(cell);
  if (shuffled) std::shuffle(places.begin(), places.end(), engine);
  return places;
}

std::string error_of(const std::vector<int64_t> &places, int64_t cells) {
  try {
    own_points(places, cells);
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::layout);
    return error.what();
  }
  return "";
}

TEST(OwnPoints, AreRunsInTheOrderOfTheFile) {
  std::mt19937 engine(1);
  for (int i = 0; i < 500; ++i) {
    const int64_t cells = 1 + static_cast<int64_t>(engine() % 5000);
    const std::vector<int64_t> places =
        random_places(engine, cells, static_cast<int>(engine() % 101), engine() % 2 == 0);
    const OwnPoints own = own_points(places, cells);
    const PointRuns runs = own.runs.view();
    ASSERT_EQ(runs.points(), std::ssize(places));
    int64_t end = -1, local_end = -1;
    for (int64_t run = 0; run < runs.runs(); ++run) {
      const auto r = static_cast<size_t>(run);
      ASSERT_GE(runs.place[r], end);
      ASSERT_FALSE(runs.place[r] == end && own.local[r] == local_end) << "runs that could be one";
      for (int64_t p = 0; p < runs.length(run); ++p)
        ASSERT_EQ(places[static_cast<size_t>(own.local[r] + p)], runs.place[r] + p);
      end = runs.place[r] + runs.length(run);
      local_end = own.local[r] + runs.length(run);
    }
  }
}

TEST(OwnPoints, OfLargeGridsAreSorted) {
  std::mt19937_64 engine(2);
  constexpr int64_t cells = int64_t{1} << 45;
  std::vector<int64_t> places;
  for (int i = 0; i < 1000; ++i) places.push_back(static_cast<int64_t>(engine() % cells));
  const OwnPoints own = own_points(places, cells);
  EXPECT_TRUE(std::is_sorted(own.runs.place.begin(), own.runs.place.end()));
  EXPECT_EQ(own.runs.view().points(), 1000);
}

TEST(OwnPoints, NameWhatIsWrong) {
  EXPECT_NE(error_of({3, 7, 3}, 10).find("points 0 and 2 of the rank are both the cell 3"), std::string::npos);
  EXPECT_NE(error_of({3, 10}, 10).find("the index of point 1 is 10, and the grid has 10 cells"), std::string::npos);
  EXPECT_NE(error_of({-1}, 10).find("is -1"), std::string::npos);
  EXPECT_EQ(error_of({}, 10), "");
}

TEST(PointRuns, AreCountedAndFound) {
  std::mt19937 engine(3);
  for (int i = 0; i < 200; ++i) {
    const int64_t cells = 1 + static_cast<int64_t>(engine() % 200);
    const std::vector<int64_t> places = random_places(engine, cells, static_cast<int>(engine() % 101), false);
    const OwnPoints own = own_points(places, cells);
    const PointRuns runs = own.runs.view();
    for (int64_t at = 0; at <= cells; ++at) {
      const auto before = std::lower_bound(places.begin(), places.end(), at) - places.begin();
      ASSERT_EQ(runs.points_before(at), before);
      const int64_t run = runs.run_at(at);
      if (run < runs.runs()) {
        ASSERT_GT(runs.place[static_cast<size_t>(run)] + runs.length(run), at);
      }
      if (run > 0) {
        ASSERT_LE(runs.place[static_cast<size_t>(run) - 1] + runs.length(run - 1), at);
      }
    }
  }
}

TEST(PointRuns, TravelInFewBytes) {
  std::mt19937 engine(4);
  for (int i = 0; i < 300; ++i) {
    const int64_t cells = 1 + static_cast<int64_t>(engine() % 2000);
    const std::vector<int64_t> places =
        random_places(engine, cells, static_cast<int>(engine() % 101), engine() % 2 == 0);
    const OwnPoints own = own_points(places, cells);
    const auto a = static_cast<int64_t>(engine() % (cells + 1)), b = static_cast<int64_t>(engine() % (cells + 1));
    const int64_t first = std::min(a, b), last = std::max(a, b);
    std::vector<int64_t> right, found;
    for (const int64_t place : places)
      if (place >= first && place < last) right.push_back(place);
    std::sort(right.begin(), right.end());
    const std::vector<std::byte> code = encoded_runs(own.runs.view(), first, last);
    for_encoded_runs(code, first, [&](int64_t place, int64_t length) {
      for (int64_t p = 0; p < length; ++p) found.push_back(place + p);
    });
    ASSERT_EQ(found, right);
    if (cells < 100) {
      ASSERT_LE(code.size(), 2 * right.size());
    }
  }
}

}  // namespace
}  // namespace sv
