#include "drawing.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "panels.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

constexpr const char *style_sheet =
    "<style>\n"
    "text{font-family:system-ui,\"DejaVu Sans\",Helvetica,Arial,sans-serif;fill:#1c2733}\n"
    ".t{font-size:21px;font-weight:600}.h{font-size:14.5px;font-weight:600}.v{font-size:19px;font-weight:600}\n"
    ".s{font-size:12px;fill:#46566a}.k{font-size:11px;paint-order:stroke;stroke:#fff;stroke-opacity:.6;stroke-width:"
    "3px;stroke-linejoin:round}.w{font-size:11.5px;font-weight:600;fill:#fff}\n"
    ".m{text-anchor:middle}.e{text-anchor:end}\n"
    ".frame{fill:none;stroke:#1c2733;stroke-width:1}.tick{stroke:#46566a;stroke-width:1}\n"
    ".block{fill:none;stroke:#fff;stroke-width:1}.thin{stroke-width:.4}\n"
    ".node{fill:none;stroke:#5d6b7a;stroke-width:1.1}.domain{fill:none;stroke:#10202e;stroke-width:2.6}\n"
    ".pe{fill:#fff;stroke:#10202e;stroke-width:1.6}.writer{stroke:#fff;stroke-width:1}\n"
    ".zoom{fill:#dfe6ee;fill-opacity:.6}.tile{fill:#eef2f6}\n"
    "</style>\n"
    "<defs><pattern id=\"land\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\" fill=\"#e9e4da\"/>"
    "<rect width=\"2\" height=\"7\" fill=\"#b3a78f\"/></pattern></defs>\n";

constexpr double width = 1240, margin = 34;

/// The title, the reason for the route, and the main numbers; returns the height.
double draw_head(const Canvas &canvas) {
  const Scene &scene = canvas.scene;
  const Study &study = canvas.study;
  Svg &svg = canvas.svg;
  const std::string land = scene.layout->has_holes() ? " · " + land_text(scene) : "";
  svg.text(margin, 44, case_text(scene), "class=\"t\"");
  svg.text(margin, 68, "route " + scene.plan.route.name + ": " + scene.plan.route.reason + land, "class=\"s\"");
  const std::string messages =
      study.total.messages_sent == study.messages_before
          ? number_text(study.total.messages_sent)
          : number_text(study.messages_before) + " → " + number_text(study.total.messages_sent);
  const std::string rounds = plural(scene.plan.rounds, "round");
  const std::vector<std::pair<std::string, std::string>> tiles{
      {"writers", number_text(study.writers())},
      {"messages, combined per node", messages},
      {"sent between nodes", bytes_text(study.total.sent_bytes)},
      {"writes", number_text(study.total.writes)},
      {rounds + ", of at most", bytes_text(scene.plan.round_elements * scene.plan.field.element_bytes)},
      {"window in use, of " + bytes_text(study.pool_bytes), bytes_text(study.peak_bytes())}};
  const std::array<double, 6> widths{0.105, 0.27, 0.155, 0.13, 0.155, 0.185};
  double x = margin;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const double w = (width - 2 * margin + 10) * widths[i];
    svg.rect({x, 84, w - 10, 54}, "class=\"tile\" rx=\"5\"");
    svg.text(x + 12, 108, tiles[i].second, "class=\"v\"");
    svg.text(x + 12, 127, tiles[i].first, "class=\"s\"");
    x += w;
  }
  return 158;
}

std::string map_heading(const Scene &scene) {
  if (scene.collects()) return "the grid: blocks, I/O domains (colours), nodes";
  return scene.topology.nodes() > 1 ? "the grid: blocks and their nodes (colours)" : "the grid: blocks of the ranks";
}

}  // namespace

void draw_legend(const Canvas &canvas, double x, double y, double right) {
  const Scene &scene = canvas.scene;
  Svg &svg = canvas.svg;
  const double left = x;
  const auto item = [&](const std::string &sample, const std::string &words) {
    const double w = 34 + 6.6 * static_cast<double>(words.size());
    if (x + w > right) x = left, y += 22;
    svg.raw("<g transform=\"translate(" + px(x) + " " + px(y) + ")\">" + sample + "</g>\n");
    svg.text(x + 26, y + 12, words, "class=\"s\"");
    x += w + 14;
  };
  const std::string box = "<rect width=\"20\" height=\"15\" ";
  if (!canvas.colours.meaning().empty())
    item(box + "fill=\"" + Colours::light(0) + "\"/>", "light: owned, a colour for each " + canvas.colours.meaning());
  item(box + "fill=\"" + canvas.colours.of_writer(scene.plan.stages.back().sinks.front().rank) + "\"/>",
       canvas.colours.meaning().empty() ? "written, a colour for each writer"
                                        : "strong: written, in the writer's colour");
  if (scene.topology.nodes() > 1) item("<path d=\"M0 8h20\" class=\"node\"/>", "boundary of a node");
  if (scene.collects()) {
    item("<path d=\"M0 8h20\" class=\"domain\"/>", "boundary of an I/O domain");
    item("<circle cx=\"10\" cy=\"8\" r=\"5\" class=\"pe\"/>", "I/O PE, which collects its domain");
  }
  if (!scene.plan.route.writers.empty())
    item("<rect x=\"4\" y=\"2\" width=\"12\" height=\"12\" class=\"writer\" fill=\"" +
             canvas.colours.of_writer(scene.plan.route.writers.front()) + "\"/>",
         "writer, which owns a range of the file");
  if (!scene.has_ranges() && canvas.study.total.sent_bytes > 0)
    item(box + "fill=\"" + Colours::light(0) + "\"/>", "of bars: from other nodes");
  if (scene.layout->has_holes()) item(box + "fill=\"url(#land)\"/>", "land: no rank, written as fill value");
}

std::string drawing(const Scene &scene, const Study &study) {
  Svg svg;
  const Colours colours(scene);
  const Canvas canvas{scene, study, colours, svg};
  double y = draw_head(canvas);
  const Area map = map_area(scene, margin + 34, y + 24);
  svg.text(margin, y + 10, map_heading(scene), "class=\"h\"");
  draw_map(canvas, map);
  const double panel_x = map.x + map.w + (scene.has_ranges() ? 44 : 92);
  const Area panel{panel_x, map.y, width - margin - panel_x, map.h};
  svg.text(scene.has_ranges() ? panel_x : panel_x - 58, y + 10,
           scene.has_ranges() ? scene.options.shape[0] > 1 ? "the writers of rows and levels" : "the writers of rows"
                              : "bytes into each writer",
           "class=\"h\"");
  if (scene.has_ranges())
    draw_levels(canvas, panel);
  else
    draw_bars(canvas, panel);
  y = map.y + map.h + 46;
  y += draw_file(canvas, margin, y, width - 2 * margin) + 8;
  draw_legend(canvas, margin, y, width - margin);
  return svg.document(width, y + 52, "Plan: " + case_text(scene), style_sheet);
}

}  // namespace sv_plan
