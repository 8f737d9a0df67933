#include "canvas.hpp"

#include <algorithm>
#include <set>

#include "drawing/palette.hpp"
#include "drawing/svg.hpp"

namespace sv_tools {

namespace {

constexpr int heading = 26;  // px above the map

/// Path data of the runs that `wanted` takes: moves and lines relative to the end of the run before.
template <class Wanted>
std::string runs(const Canvas &canvas, const Wanted &wanted) {
  std::string path;
  int pen_x = 0, pen_y = 0;
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      if (!wanted(canvas.at(x, y))) continue;
      const int begin = x;
      while (x < canvas.width && wanted(canvas.at(x, y))) ++x;
      const int down = y - pen_y;
      path += "m" + std::to_string(begin - pen_x) + (down < 0 ? "" : " ") + std::to_string(down) + "h" +
              std::to_string(x - begin);
      pen_x = x, pen_y = y;
    }
  }
  return path;
}

}  // namespace

/// Greedy: of the colours that no neighbour has, the one that is used least.
std::vector<int> choose_colours(const Canvas &canvas, int ranks) {
  std::vector<std::set<int>> touching(static_cast<size_t>(ranks));
  const auto meet = [&](int a, int b) {
    if (a < 0 || b < 0 || a == b) return;
    touching[static_cast<size_t>(a)].insert(b);
    touching[static_cast<size_t>(b)].insert(a);
  };
  for (int y = 0; y < canvas.height; ++y) {
    for (int x = 0; x < canvas.width; ++x) {
      if (x + 1 < canvas.width) meet(canvas.at(x, y), canvas.at(x + 1, y));
      if (y + 1 < canvas.height) meet(canvas.at(x, y), canvas.at(x, y + 1));
    }
  }
  std::vector<int> chosen(static_cast<size_t>(ranks), -1), used(palette.size(), 0);
  for (size_t rank = 0; rank < chosen.size(); ++rank) {
    std::vector<bool> taken(palette.size(), false);
    for (const int other : touching[rank])
      if (chosen[static_cast<size_t>(other)] >= 0)
        taken[static_cast<size_t>(chosen[static_cast<size_t>(other)])] = true;
    int best = -1;
    for (size_t colour = 0; colour < used.size(); ++colour)
      if (!taken[colour] && (best < 0 || used[colour] < used[static_cast<size_t>(best)]))
        best = static_cast<int>(colour);
    chosen[rank] = std::max(best, 0);
    ++used[static_cast<size_t>(chosen[rank])];
  }
  return chosen;
}

std::string svg_of(const Canvas &canvas, const std::vector<int> &colours, const std::string &title) {
  Svg svg;
  svg.text(4, 17, title, "font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\"");
  svg.raw("<g fill=\"none\" shape-rendering=\"crispEdges\" transform=\"translate(0 " + px(heading) + ")\">\n");
  const auto draw = [&](const auto &wanted, const std::string &colour) {
    const std::string data = runs(canvas, wanted);
    if (!data.empty()) svg.path("M0 .5" + data, "stroke=\"" + colour + "\"");
  };
  draw([](int owner) { return owner == Canvas::land; }, "#e4e2dc");
  for (size_t colour = 0; colour < palette.size(); ++colour)
    draw([&](int owner) { return owner >= 0 && colours[static_cast<size_t>(owner)] == static_cast<int>(colour); },
         hex(palette[colour], 0));
  svg.raw("</g>\n");
  return svg.document(canvas.width, canvas.height + heading, title);
}

}  // namespace sv_tools
