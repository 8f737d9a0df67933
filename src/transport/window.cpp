#include "transport/window.hpp"

#include <algorithm>

namespace sv {

namespace {
constexpr int64_t largest_message = 1 << 30;  // MPI counts to 2^31
}  // namespace

int64_t Window::part_bytes(int stages) const {
  if (node_.topology().nodes() == 1) return node_.half_bytes() / stages / window_page_bytes * window_page_bytes;
  return std::min(node_.half_bytes() / stages / window_areas / window_page_bytes * window_page_bytes, largest_message);
}

Budget Window::budget(int stages) const {
  return {part_bytes(stages), node_.topology().nodes() > 1 ? part_bytes(stages) : 0};
}

std::byte *Window::slices(const StagePlace &stage, int half) const {
  return node_.half(half) + node_.half_bytes() / stage.stages / window_page_bytes * window_page_bytes * stage.number;
}

std::byte *Window::outgoing(const StagePlace &stage, int half) const {
  return slices(stage, half) + part_bytes(stage.stages);
}

std::byte *Window::incoming(const StagePlace &stage, int half) const {
  return slices(stage, half) + 2 * part_bytes(stage.stages);
}

}  // namespace sv
