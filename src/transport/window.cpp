#include "transport/window.hpp"

#include <algorithm>

#include "base/arithmetic.hpp"

namespace sv {

namespace {
constexpr int64_t largest_message = 1 << 30;  // MPI counts to 2^31
}  // namespace

Areas divide(std::span<const StageNeed> needs) {
  Areas areas;
  const auto take = [&](int64_t bytes) {
    const int64_t begin = areas.bytes;
    areas.bytes = align_up(begin + bytes, window_page_bytes);
    return begin;
  };
  for (const StageNeed &need : needs) {
    StagePlace &place = areas.stages.emplace_back();
    place.number = static_cast<int>(std::ssize(areas.stages)) - 1;
    place.slices = take(need.slices);
    place.outgoing = take(need.outgoing);
    place.incoming = take(need.incoming);
  }
  return areas;
}

int64_t Window::part_bytes(int stages) const {
  if (node_.topology().nodes() == 1) return node_.half_bytes() / stages / window_page_bytes * window_page_bytes;
  return std::min(node_.half_bytes() / stages / window_areas / window_page_bytes * window_page_bytes, largest_message);
}

Budget Window::budget(int stages) const {
  return {part_bytes(stages), node_.topology().nodes() > 1 ? part_bytes(stages) : 0};
}

StageNeed Window::most(int stages) const {
  const auto [slices, outgoing] = budget(stages);
  return {slices, outgoing, outgoing};
}

int64_t Window::make(int64_t bytes) const {
  constexpr int64_t least = 1 << 20;
  int64_t wanted = std::max(least, made_bytes_);
  while (wanted < bytes) wanted *= 2;
  wanted = std::min(wanted, node_.half_bytes());
  for (int h = 0; h < window_halves && node_.local_rank() == 0; ++h) {
    const int64_t begin = node_.half(h) - node_.memory().data();
    std::string why;
    if (!node_.memory().make(begin, begin + wanted, why))
      throw Error(Status::no_memory, why, "Make 'transport.window' smaller");
  }
  return wanted;
}

void Window::take_into_use(int64_t bytes) {
  for (int h = 0; h < window_halves && node_.shares_memory(); ++h) {
    const int64_t begin = node_.half(h) - node_.memory().data();
    node_.memory().map_pages(begin + made_bytes_, begin + bytes);
  }
  made_bytes_ = bytes;
}

}  // namespace sv
