#include "layout/regions.hpp"

#include <algorithm>
#include <array>

namespace sv {

namespace {

/// What must be equal for two boxes to be neighbours along `d`, then their order along it.
bool before_along(int d, const Box &a, const Box &b) {
  for (int e = 0; e < a.dims(); ++e) {
    if (e == d) continue;
    if (a.start[e] != b.start[e]) return a.start[e] < b.start[e];
    if (a.count[e] != b.count[e]) return a.count[e] < b.count[e];
  }
  return a.start[d] < b.start[d];
}

bool continues_along(int d, const Box &a, const Box &b) {
  for (int e = 0; e < a.dims(); ++e) {
    if (e != d && (a.start[e] != b.start[e] || a.count[e] != b.count[e])) return false;
  }
  return a.start[d] + a.count[d] == b.start[d];
}

/// The parts of `box` before and from cell `at` of dimension `d` on.
std::array<Box, 2> split(const Box &box, int d, int64_t at) {
  std::array<Box, 2> parts{box, box};
  parts[0].count[d] = at - box.start[d];
  parts[1].start[d] = at;
  parts[1].count[d] = box.start[d] + box.count[d] - at;
  return parts;
}

/// Cuts `box` in two at an edge of a patch that is neither outside it nor covers it.
std::array<Box, 2> split_at_edge(const Box &box, const Box &patch) {
  for (int d = 0; d < box.dims(); ++d) {
    if (patch.start[d] > box.start[d]) return split(box, d, patch.start[d]);
    const int64_t end = patch.start[d] + patch.count[d];
    if (end < box.start[d] + box.count[d]) return split(box, d, end);
  }
  return {box, box};
}

bool covers(const Box &patch, const Box &box) { return intersect(patch, box) == box; }

/// Appends the rest of `box`. `touching`: all patches that meet it, in the order of their starts. Cutting at the
/// middle one of them then halves the list.
void collect_uncovered(const Box &box, const std::vector<const Box *> &touching, std::vector<Box> &left) {
  if (touching.empty()) {
    left.push_back(box);
    return;
  }
  const Box &middle = *touching[touching.size() / 2];
  if (covers(middle, box)) return;
  for (const Box &part : split_at_edge(box, middle)) {
    std::vector<const Box *> inside;
    for (const Box *patch : touching) {
      if (meet(*patch, part)) inside.push_back(patch);
    }
    collect_uncovered(part, inside, left);
  }
}

}  // namespace

void append_joined(std::vector<Box> &boxes, const Box &box) {
  const int last = box.dims() - 1;
  if (!boxes.empty() && last >= 0 && continues_along(last, boxes.back(), box))
    boxes.back().count[last] += box.count[last];
  else
    boxes.push_back(box);
}

std::vector<Box> merged(std::vector<Box> boxes) {
  const int dims = boxes.empty() ? 0 : boxes.front().dims();
  for (int d = dims - 1; d >= 0; --d) {
    std::sort(boxes.begin(), boxes.end(), [d](const Box &a, const Box &b) { return before_along(d, a, b); });
    size_t kept = 0;
    for (size_t i = 1; i < boxes.size(); ++i) {
      if (continues_along(d, boxes[kept], boxes[i])) {
        boxes[kept].count[d] += boxes[i].count[d];
      } else {
        boxes[++kept] = boxes[i];
      }
    }
    if (!boxes.empty()) boxes.resize(kept + 1);
  }
  return boxes;
}

std::vector<Box> uncovered(const Index &shape, std::span<const Box> boxes) {
  std::vector<Box> left;
  const Box whole = Box::whole(shape);
  if (whole.empty()) return left;
  std::vector<const Box *> ordered;
  for (const Box &box : boxes) ordered.push_back(&box);
  std::sort(ordered.begin(), ordered.end(), [](const Box *a, const Box *b) {
    return std::lexicographical_compare(a->start.begin(), a->start.end(), b->start.begin(), b->start.end());
  });
  collect_uncovered(whole, ordered, left);
  return merged(std::move(left));
}

std::string text_of(const Box &box) {
  std::string text = "[";
  for (int d = 0; d < box.dims(); ++d) {
    text += (d > 0 ? ", " : "") + std::to_string(box.start[d]) + ":" + std::to_string(box.start[d] + box.count[d]);
  }
  return text + "]";
}

}  // namespace sv
