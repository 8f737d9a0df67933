#include "layout/points.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"

namespace sv {

int64_t PointRuns::run_at(int64_t at) const {
  const auto after = std::upper_bound(place.begin(), place.end(), at);
  const int64_t run = after - place.begin() - 1;
  return run >= 0 && place[static_cast<size_t>(run)] + length(run) > at ? run : run + 1;
}

int64_t PointRuns::points_before(int64_t limit) const {
  if (before.empty()) return 0;
  const int64_t run = std::lower_bound(place.begin(), place.end(), limit) - place.begin();
  if (run == 0) return 0;
  const auto last = static_cast<size_t>(run - 1);
  return std::min(before[last] + limit - place[last], before[last + 1]);
}

namespace {

struct Point {
  int64_t place, local;
};

/// Least digit first; as many digits as the largest place has.
void radix_sort(std::vector<Point> &points, int64_t cells) {
  constexpr int digit_bits = 11;
  constexpr size_t digits = size_t{1} << digit_bits;
  std::vector<Point> other(points.size());
  for (int shift = 0; cells - 1 > 0 && shift < 63 && ((cells - 1) >> shift) > 0; shift += digit_bits) {
    std::array<size_t, digits> at{};
    const auto digit = [shift](const Point &point) { return static_cast<size_t>(point.place >> shift) & (digits - 1); };
    for (const Point &point : points) ++at[digit(point)];
    size_t sum = 0;
    for (size_t &each : at) sum += std::exchange(each, sum);
    for (const Point &point : points) other[at[digit(point)]++] = point;
    points.swap(other);
  }
}

void check_places(std::span<const int64_t> places, int64_t cells) {
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0 || places[i] >= cells)
      throw Error(Status::layout,
                  "the index of point " + std::to_string(i) + " is " + std::to_string(places[i]) +
                      ", and the grid has " + std::to_string(cells) + " cells",
                  "Give the row-major numbers, from 0, of the cells that the rank owns");
}

}  // namespace

OwnPoints own_points(std::span<const int64_t> places, int64_t cells) {
  check_places(places, cells);
  std::vector<Point> points(places.size());
  for (size_t i = 0; i < places.size(); ++i) points[i] = {places[i], static_cast<int64_t>(i)};
  if (!std::is_sorted(places.begin(), places.end())) radix_sort(points, cells);
  OwnPoints own;
  for (size_t i = 0; i < points.size();) {
    size_t end = i + 1;
    while (end < points.size() && points[end].place == points[end - 1].place + 1 &&
           points[end].local == points[end - 1].local + 1)
      ++end;
    if (end < points.size() && points[end].place == points[end - 1].place)
      throw Error(Status::layout,
                  "points " + std::to_string(points[end - 1].local) + " and " + std::to_string(points[end].local) +
                      " of the rank are both the cell " + std::to_string(points[end].place),
                  "Give every cell once");
    own.runs.push(points[i].place, static_cast<int64_t>(end - i));
    own.local.push_back(points[i].local);
    i = end;
  }
  own.runs.place.shrink_to_fit();
  own.runs.before.shrink_to_fit();
  own.local.shrink_to_fit();
  return own;
}

std::vector<std::byte> encoded_runs(const PointRuns &runs, int64_t first, int64_t last) {
  std::vector<std::byte> code;
  const auto push = [&code](int64_t number) {
    auto rest = static_cast<uint64_t>(number);
    for (; rest >= 128; rest >>= 7) code.push_back(static_cast<std::byte>(rest | 128));
    code.push_back(static_cast<std::byte>(rest));
  };
  int64_t at = first;
  for (int64_t run = runs.run_at(first); run < runs.runs(); ++run) {
    const int64_t place = runs.place[static_cast<size_t>(run)];
    const int64_t begin = std::max(place, first), end = std::min(place + runs.length(run), last);
    if (begin >= last) break;
    push(begin - at);
    push(end - begin - 1);
    at = end;
  }
  return code;
}

}  // namespace sv
