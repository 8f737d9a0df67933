// The map of the grid: blocks, nodes, I/O domains, land, I/O PEs and writers. The first row of cells is at the bottom.
#include <algorithm>
#include <array>
#include <set>

#include "panels.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

class Map {
 public:
  Map(const Canvas &canvas, const Area &area)
      : canvas_(canvas),
        scene_(canvas.scene),
        svg_(canvas.svg),
        area_(area),
        columns_(scene_.mask.px),
        rows_(scene_.mask.py),
        block_w_(area.w / columns_),
        block_h_(area.h / rows_) {}
  void draw() {
    fill();
    lines();
    land();
    // If ranks are too close, colours distinguish nodes.
    if (scene_.topology.nodes() > 1 && block_h_ >= 3) svg_.path(boundaries(canvas_.colours.nodes()), "class=\"node\"");
    if (scene_.collects()) svg_.path(boundaries(canvas_.colours.domains()), "class=\"domain\"");
    labels();
    markers();
    svg_.rect(area_, "class=\"frame\"");
    axes();
    hints();
  }

 private:
  void fill();
  void lines();
  void land();
  void labels();
  void label_blocks();
  void label_groups(const std::vector<int> &group, const std::string &noun);
  void markers();
  void axes();
  void hints();
  std::string boundaries(const std::vector<int> &group) const;
  std::string edges(const std::vector<int> &group, bool upright) const;

  sv::Part column(int x) const { return sv::part_of(scene_.options.shape[2], columns_, x); }
  sv::Part row(int y) const { return sv::part_of(scene_.options.shape[1], rows_, y); }
  double x_of(int64_t cell) const {
    return area_.x + area_.w * static_cast<double>(cell) / static_cast<double>(scene_.options.shape[2]);
  }
  double y_of(int64_t cell) const {
    return area_.y + area_.h * (1 - static_cast<double>(cell) / static_cast<double>(scene_.options.shape[1]));
  }
  /// Of a box of cells, as in a layout.
  Area place(const sv::Box &box) const {
    const double x = x_of(box.start[1]), y = y_of(box.start[0] + box.count[0]);
    return {x, y, x_of(box.start[1] + box.count[1]) - x, y_of(box.start[0]) - y};
  }
  sv::Box box_of(int rank) const { return scene_.layout->patches_of_rank(rank).front().box; }
  bool roomy() const { return block_w_ >= 34 && block_h_ >= 24; }

  const Canvas &canvas_;
  const Scene &scene_;
  Svg &svg_;
  const Area area_;
  const int columns_, rows_;
  const double block_w_, block_h_;
};

void Map::fill() {
  std::array<std::vector<sv::Box>, Colours::count> boxes;
  for (const sv::Patch &patch : scene_.layout->patches())
    boxes[static_cast<size_t>(canvas_.colours.of_rank(patch.rank))].push_back(patch.box);
  for (size_t colour = 0; colour < boxes.size(); ++colour) {
    std::string d;
    for (const sv::Box &box : sv::merged(std::move(boxes[colour]))) d += box_path(place(box));
    const int shade = static_cast<int>(colour);
    svg_.path(d, "fill=\"" + (canvas_.colours.meaning().empty() ? "#dbe4ee" : Colours::light(shade)) + "\"");
  }
}

void Map::lines() {
  const double least = std::min(block_w_, block_h_);
  if (least < 3) return;
  std::string d;
  for (int x = 1; x < columns_; ++x) d += step_to('M', x_of(column(x).start), area_.y) + "v" + px(area_.h);
  for (int y = 1; y < rows_; ++y) d += step_to('M', area_.x, y_of(row(y).start)) + "h" + px(area_.w);
  svg_.path(d, least < 12 ? "class=\"block thin\"" : "class=\"block\"");
}

void Map::land() {
  std::string d;
  for (const sv::Box &box : scene_.layout->holes()) d += box_path(place(box));
  svg_.path(d, "fill=\"url(#land)\"");
}

/// Where neighbouring blocks belong to different groups, upright or level, as few long lines.
std::string Map::edges(const std::vector<int> &group, bool upright) const {
  const int lines = upright ? columns_ : rows_, steps = upright ? rows_ : columns_;
  const auto at = [&](int line, int step) {
    return group[upright ? static_cast<size_t>(step) * columns_ + line : static_cast<size_t>(line) * columns_ + step];
  };
  const auto point = [&](char direction, int line, int step) {
    const int64_t ends[] = {scene_.options.shape[2], scene_.options.shape[1]};
    const auto cell = [&](bool of_columns, int n) {
      if (n == (of_columns ? columns_ : rows_)) return ends[of_columns ? 0 : 1];
      return of_columns ? column(n).start : row(n).start;
    };
    return step_to(direction, x_of(cell(true, upright ? line : step)), y_of(cell(false, upright ? step : line)));
  };
  std::string d;
  for (int line = 1; line < lines; ++line) {
    for (int step = 0; step < steps; ++step) {
      const int first = step;
      while (step < steps && at(line - 1, step) != at(line, step)) ++step;
      if (step > first) d += point('M', line, first) + point('L', line, step);
    }
  }
  return d;
}

std::string Map::boundaries(const std::vector<int> &group) const { return edges(group, true) + edges(group, false); }

void Map::label_blocks() {
  for (const sv::Patch &patch : scene_.layout->patches()) {
    const Area at = place(patch.box);
    svg_.text(at.x + at.w / 2, at.y + at.h / 2 + 4, std::to_string(patch.rank), "class=\"k m\"");
  }
}

/// Names groups whose largest rectangle has room for that.
void Map::label_groups(const std::vector<int> &group, const std::string &noun) {
  std::vector<std::vector<sv::Box>> boxes(static_cast<size_t>(*std::max_element(group.begin(), group.end()) + 1));
  for (size_t block = 0; block < group.size(); ++block) {
    if (canvas_.colours.ranks()[block] >= 0)
      boxes[static_cast<size_t>(group[block])].push_back(box_of(canvas_.colours.ranks()[block]));
  }
  for (size_t g = 0; g < boxes.size(); ++g) {
    Area best{0, 0, 0, 0};
    for (const sv::Box &box : sv::merged(std::move(boxes[g]))) {
      const Area at = place(box);
      if (at.w * at.h > best.w * best.h) best = at;
    }
    const std::string name = noun + " " + std::to_string(g);
    const double needed = 6.2 * static_cast<double>(name.size());
    const bool full = best.w >= needed;
    if (best.h < 12 || best.w < 8.0 * static_cast<double>(std::to_string(g).size())) continue;
    svg_.text(best.x + best.w / 2, best.y + best.h / 2 + 4, full ? name : std::to_string(g), "class=\"k m\"");
  }
}

void Map::labels() {
  if (roomy()) return label_blocks();
  if (scene_.collects()) return label_groups(canvas_.colours.domains(), "domain");
  if (scene_.topology.nodes() > 1) label_groups(canvas_.colours.nodes(), "node");
}

/// I/O PEs as rings, owners of ranges as squares, in the upper left of their blocks.
void Map::markers() {
  const double size = std::clamp(std::min(block_w_, block_h_) * 0.45, 3.0, 13.0);
  const auto corner = [&](int rank) {
    const Area at = place(box_of(rank));
    return roomy() ? std::pair(at.x + 5 + size / 2, at.y + 5 + size / 2) : std::pair(at.x + at.w / 2, at.y + at.h / 2);
  };
  std::set<int> roots;
  if (scene_.domains.size() <= 3000) {
    for (const sv::IoDomain &domain : scene_.domains) {
      roots.insert(domain.root);
      const auto [x, y] = corner(domain.root);
      svg_.raw("<circle cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" + px(size / 2) + "\" class=\"pe\"/>\n");
    }
  }
  if (scene_.plan.route.writers.size() > 3000) return;
  for (const int rank : scene_.plan.route.writers) {
    const auto [x, y] = corner(rank);
    const double side = roots.contains(rank) ? size * 0.6 : size;  // inside the ring of an I/O PE
    svg_.rect({x - side / 2, y - side / 2, side, side},
              (side < size ? "fill=\"" : "class=\"writer\" fill=\"") + canvas_.colours.of_writer(rank) + "\"");
  }
}

void Map::axes() {
  const int64_t nx = scene_.options.shape[2], ny = scene_.options.shape[1];
  const double below = area_.y + area_.h;
  for (int64_t cell = 0, step = step_for(nx, area_.w / 70); cell <= nx; cell += step) {
    svg_.line(x_of(cell), below, x_of(cell), below + 4, "class=\"tick\"");
    svg_.text(x_of(cell), below + 16, std::to_string(cell), "class=\"s m\"");
  }
  for (int64_t cell = 0, step = step_for(ny, area_.h / 50); cell <= ny; cell += step) {
    svg_.line(area_.x - 4, y_of(cell), area_.x, y_of(cell), "class=\"tick\"");
    svg_.text(area_.x - 7, y_of(cell) + 4, std::to_string(cell), "class=\"s e\"");
  }
}

void Map::hints() {
  if (scene_.layout->ranks() > 400) return;
  for (const sv::Patch &patch : scene_.layout->patches()) {
    std::string words = "rank " + std::to_string(patch.rank) + ", node " +
                        std::to_string(scene_.topology.node_of[static_cast<size_t>(patch.rank)]) +
                        ": rows and columns " + sv::text_of(patch.box);
    const sv::Traffic &traffic = canvas_.study.by_rank[static_cast<size_t>(patch.rank)];
    if (traffic.writes > 0)
      words += "; writes " + bytes_text(traffic.written_bytes) + " in " + plural(traffic.writes, "write");
    svg_.hint(place(patch.box), words);
  }
}

}  // namespace

int64_t step_for(int64_t length, double most) {
  for (int64_t power = 1;; power *= 10) {
    for (const int64_t step : {power, 2 * power, 5 * power}) {
      if (static_cast<double>(length) / static_cast<double>(step) <= std::max(1.0, most)) return step;
    }
  }
}

Area map_area(const Scene &scene, double x, double y) {
  constexpr double most_w = 720, most_h = 500, least = 140;
  const auto nx = static_cast<double>(scene.options.shape[2]), ny = static_cast<double>(scene.options.shape[1]);
  const double scale = std::min(most_w / nx, most_h / ny);
  return {x, y, std::max(least, nx * scale), std::max(least, ny * scale)};
}

void draw_map(const Canvas &canvas, const Area &area) { Map(canvas, area).draw(); }

}  // namespace sv_plan
