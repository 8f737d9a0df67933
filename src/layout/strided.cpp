#include "layout/strided.hpp"

#include <algorithm>
#include <numeric>

namespace sv {

namespace {

/// The lowest cell of both arithmetic progressions, looked for in the sparser one: at most as many steps as the other's
/// stride.
std::optional<int64_t> common_cell(const Strided &a, const Strided &b, int d) {
  if (a.stride[d] < b.stride[d]) return common_cell(b, a, d);
  const int64_t period = b.stride[d] / std::gcd(a.stride[d], b.stride[d]);
  const int64_t ahead = std::max<int64_t>(0, b.start[d] - a.start[d]);
  const int64_t first = (ahead + a.stride[d] - 1) / a.stride[d];
  for (int64_t i = first; i < a.count[d] && i - first < period; ++i)
    if (b.find(d, a.start[d] + i * a.stride[d]) >= 0) return a.start[d] + i * a.stride[d];
  return std::nullopt;
}

/// What a request has of a record; nullopt for nothing.
std::optional<Strided> in_record(const Strided &request, int64_t record) {
  if (request.empty() || (record >= 0 && request.find(0, record) < 0)) return std::nullopt;
  return record >= 0 ? request.without_record() : request;
}

}  // namespace

bool Strided::empty() const { return Box{start, count}.empty(); }

Strided Strided::without_record() const {
  Strided rest;
  for (int d = 1; d < dims(); ++d) {
    rest.start.push(start[d]);
    rest.count.push(count[d]);
    rest.stride.push(stride[d]);
  }
  return rest;
}

int64_t Strided::find(int d, int64_t cell) const {
  const int64_t ahead = cell - start[d];
  return ahead >= 0 && ahead % stride[d] == 0 && ahead / stride[d] < count[d] ? ahead / stride[d] : -1;
}

Index divisions_of(const Strided &request) {
  Index divisions(request.dims(), 1);
  for (int d = 0; d < request.dims(); ++d)
    if (request.stride[d] > 1 || request.count[d] < 1) divisions[d] = request.count[d];
  return divisions;
}

Patch part_of(const Strided &request, const Index &divisions, int64_t number, int rank) {
  const int n = request.dims();
  Patch part{rank, {Index(n, 0), Index(n, 1)}, cell_at(Box::whole(divisions), number)};
  for (int d = 0; d < n; ++d) {
    part.box.start[d] = request.start[d] + part.local[d] * request.stride[d];
    if (divisions[d] == 1) part.box.count[d] = request.count[d];
  }
  return part;
}

std::optional<std::string> find_common_cell(const std::vector<Strided> &requests, int rank) {
  const Strided &mine = requests[static_cast<size_t>(rank)];
  if (mine.empty()) return std::nullopt;
  for (int other = 0; other < static_cast<int>(requests.size()); ++other) {
    const Strided &theirs = requests[static_cast<size_t>(other)];
    if (other == rank || theirs.empty()) continue;
    Box cell{Index(mine.dims(), 0), Index(mine.dims(), 1)};
    int d = 0;
    for (; d < mine.dims(); ++d) {
      const auto common = common_cell(mine, theirs, d);
      if (!common) break;
      cell.start[d] = *common;
    }
    if (d == mine.dims())
      return "ranks " + std::to_string(std::min(rank, other)) + " and " + std::to_string(std::max(rank, other)) +
             " both put the cell " + text_of(cell);
  }
  return std::nullopt;
}

int64_t next_record(const std::vector<Strided> &requests, int64_t from) {
  int64_t next = -1;
  for (const Strided &each : requests) {
    if (each.empty()) continue;
    const int64_t index = (std::max<int64_t>(0, from - each.start[0]) + each.stride[0] - 1) / each.stride[0];
    if (index >= each.count[0]) continue;
    const int64_t record = each.start[0] + index * each.stride[0];
    if (next < 0 || record < next) next = record;
  }
  return next;
}

int64_t most_parts(const std::vector<Strided> &requests, int64_t record) {
  int64_t most = 0;
  for (const Strided &each : requests)
    if (const auto request = in_record(each, record)) most = std::max(most, divisions_of(*request).product());
  return most;
}

std::shared_ptr<const Layout> layout_of(const std::vector<Strided> &requests, const Index &shape, int64_t record) {
  std::vector<Patch> patches;
  for (int rank = 0; rank < static_cast<int>(requests.size()); ++rank) {
    const auto request = in_record(requests[static_cast<size_t>(rank)], record);
    if (!request) continue;
    const Index divisions = divisions_of(*request);
    for (int64_t number = 0; number < divisions.product(); ++number)
      patches.push_back(part_of(*request, divisions, number, rank));
  }
  return std::make_shared<const Layout>(shape, static_cast<int>(requests.size()), patches, true);
}

}  // namespace sv
