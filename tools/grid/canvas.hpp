// Pixels that are owned by ranks, and how they become an SVG drawing.
#pragma once

#include <string>
#include <vector>

namespace sv_tools {

/// Row-major, the first row at the top.
struct Canvas {
  static constexpr int land = -1, outside = -2;
  int width, height;
  std::vector<int> owners;

  Canvas(int columns, int lines)
      : width(columns), height(lines), owners(static_cast<size_t>(columns) * static_cast<size_t>(lines), outside) {}
  int &at(int x, int y) { return owners[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)]; }
  int at(int x, int y) const {
    return owners[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
};

/// An index into the palette for each rank: ranks that touch on the canvas get different ones, as far as they last.
std::vector<int> choose_colours(const Canvas &canvas, int ranks);

/// Runs of pixels as lines, one path for each colour.
std::string svg_of(const Canvas &canvas, const std::vector<int> &colours, const std::string &title);

}  // namespace sv_tools
