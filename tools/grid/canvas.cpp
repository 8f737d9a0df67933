#include "canvas.hpp"

#include <algorithm>
#include <set>

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

std::string line_path(const std::string &data, const std::string &colour) {
  return data.empty() ? "" : "<path stroke=\"" + colour + "\" d=\"M0 .5" + data + "\"/>\n";
}

}  // namespace

/// Ten that people who see colours differently can tell apart as far as that goes, as in sv-plan.
const std::vector<std::string> &palette() {
  static const std::vector<std::string> colours{"#1f609c", "#c95c10", "#2a804c", "#bc3442", "#7052a8",
                                                "#8c601c", "#16828c", "#be468c", "#5c6874", "#767e0e"};
  return colours;
}

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
  std::vector<int> chosen(static_cast<size_t>(ranks), -1), used(palette().size(), 0);
  for (size_t rank = 0; rank < chosen.size(); ++rank) {
    std::vector<bool> taken(palette().size(), false);
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
  const std::string width = std::to_string(canvas.width), height = std::to_string(canvas.height + heading);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + width + " " + height + "\" width=\"" +
                    width + "\" height=\"" + height +
                    "\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">" + title +
                    "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n<text x=\"4\" y=\"17\" " +
                    "font-family=\"sans-serif\" font-size=\"13\" fill=\"#333\">" + title +
                    "</text>\n<g fill=\"none\" shape-rendering=\"crispEdges\" transform=\"translate(0 " +
                    std::to_string(heading) + ")\">\n";
  svg += line_path(runs(canvas, [](int owner) { return owner == Canvas::land; }), "#e4e2dc");
  for (size_t colour = 0; colour < palette().size(); ++colour)
    svg += line_path(
        runs(canvas,
             [&](int owner) { return owner >= 0 && colours[static_cast<size_t>(owner)] == static_cast<int>(colour); }),
        palette()[colour]);
  return svg + "</g>\n</svg>\n";
}

}  // namespace sv_tools
