// Draws next to the map which writer writes which rows of which levels, or the bytes of each writer that has a box.
#include <algorithm>

#include "panels.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

class Levels {
 public:
  Levels(const Canvas &canvas, const Area &area)
      : canvas_(canvas), area_(area), shape_(canvas.scene.plan.field.shape) {}
  void draw() {
    for (const sv::Sink &sink : canvas_.scene.plan.stages.back().sinks) range(sink);
    stripes();
    canvas_.svg.raw(labels_);
    canvas_.svg.rect(area_, "class=\"frame\"");
    for (int64_t level = 0, step = step_for(shape_[0], area_.w / 34); level < shape_[0]; level += step) {
      const double x = area_.x + (static_cast<double>(level) + 0.5) * width();
      canvas_.svg.text(x, area_.y + area_.h + 16, std::to_string(level), "class=\"s m\"");
    }
  }

 private:
  double width() const { return area_.w / static_cast<double>(shape_[0]); }
  int64_t level_elements() const { return shape_[1] * shape_[2]; }
  double height(int64_t elements) const {
    return area_.h * static_cast<double>(elements) / static_cast<double>(level_elements());
  }
  /// Elements [first, last) of a level, or of whole levels from `level` on.
  Area piece(int64_t level, int64_t levels, int64_t first, int64_t last) const {
    return {area_.x + static_cast<double>(level) * width(), area_.y + area_.h - height(last),
            static_cast<double>(levels) * width(), height(last - first)};
  }
  void range(const sv::Sink &sink);
  void stripes();

  const Canvas &canvas_;
  const Area area_;
  const sv::Index shape_;
  std::string labels_;
};

/// A range is the end of a level, whole levels, and the beginning of one.
void Levels::range(const sv::Sink &sink) {
  const int64_t all = level_elements();
  std::string d;
  double largest = 0;
  Area label{};
  for (int64_t at = sink.territory.first; at < sink.territory.last;) {
    const int64_t level = at / all, into = at % all;
    const int64_t whole = into == 0 ? (sink.territory.last - at) / all : 0;
    const int64_t end = whole > 0 ? at + whole * all : std::min(sink.territory.last, (level + 1) * all);
    const Area area = whole > 0 ? piece(level, whole, 0, all) : piece(level, 1, into, into + end - at);
    d += box_path(area);
    if (area.w * area.h > largest) label = area, largest = area.w * area.h;
    at = end;
  }
  const std::string colour = canvas_.colours.of_writer(sink.rank);
  canvas_.svg.path(d, "fill=\"" + colour + "\"");
  const std::string name = "rank " + std::to_string(sink.rank);
  const double needed = 7.4 * static_cast<double>(name.size()) + 6;
  if (label.w < needed || label.h < 18) return;
  Svg svg;  // above the stripes
  svg.rect({label.x + (label.w - needed) / 2, label.y + label.h / 2 - 9, needed, 18}, "fill=\"" + colour + "\"");
  svg.text(label.x + label.w / 2, label.y + label.h / 2 + 4, name, "class=\"w m\"");
  labels_ += svg.body();
}

/// Where stripes begin; left out where they would be too close.
void Levels::stripes() {
  const sv::Field &field = canvas_.scene.plan.field;
  const int64_t unit = canvas_.scene.options.stripe_bytes;
  const double apart = height(unit / field.element_bytes);
  const int64_t bytes = canvas_.scene.field_bytes();
  if (apart < 3.5 || width() < 3 || bytes / unit > 4000) return;
  std::string d;
  for (int64_t at = (field.offset_bytes / unit + 1) * unit - field.offset_bytes; at < bytes; at += unit) {
    const int64_t element = at / field.element_bytes, level = element / level_elements();
    const Area area = piece(level, 1, 0, element % level_elements());
    d += step_to('M', area.x, area.y) + "h" + px(area.w);
  }
  canvas_.svg.path(d, "stroke=\"#fff\" stroke-opacity=\".55\" stroke-width=\".8\" fill=\"none\"");
}

/// Receivers side by side; if there are too many, a bar shows the largest of several.
struct Bar {
  int64_t own = 0, others = 0;
  int rank = 0;
};
std::vector<Bar> bars_of(const Study &study, size_t most) {
  const size_t n = study.receivers.size(), bars = std::min(n, most);
  std::vector<Bar> found(bars);
  for (size_t i = 0; i < n; ++i) {
    const Receiver &receiver = study.receivers[i];
    Bar &bar = found[i * bars / n];
    if (receiver.bytes < bar.own + bar.others) continue;
    bar = {receiver.own_node_bytes, receiver.bytes - receiver.own_node_bytes, receiver.rank};
  }
  return found;
}

}  // namespace

void draw_levels(const Canvas &canvas, const Area &area) { Levels(canvas, area).draw(); }

void draw_bars(const Canvas &canvas, const Area &area) {
  const std::vector<Bar> bars = bars_of(canvas.study, static_cast<size_t>(area.w / 2));
  int64_t largest = 1;
  for (const Bar &bar : bars) largest = std::max(largest, bar.own + bar.others);
  const double full = 1.08 * static_cast<double>(largest), width = area.w / static_cast<double>(bars.size());
  const auto height = [&](int64_t bytes) { return area.h * static_cast<double>(bytes) / full; };
  for (int64_t at = 0, step = step_for(largest, 5); at <= largest; at += step) {
    const double y = area.y + area.h - height(at);
    canvas.svg.line(area.x, y, area.x + area.w, y, "stroke=\"#d5dce4\"");
    canvas.svg.text(area.x - 6, y + 4, bytes_text(at), "class=\"s e\"");
  }
  const double gap = width >= 8 ? width * 0.18 : 0;
  double x = area.x;
  for (const Bar &bar : bars) {
    const double own = height(bar.own), others = height(bar.others);
    const std::string colour = canvas.colours.of_writer(bar.rank);
    canvas.svg.rect({x + gap / 2, area.y + area.h - own, width - gap, own}, "fill=\"" + colour + "\"");
    if (others > 0)
      canvas.svg.rect({x + gap / 2, area.y + area.h - own - others, width - gap, others},
                      "fill=\"" + Colours::light(canvas.colours.of_rank(bar.rank)) + "\"");
    if (width >= 26) canvas.svg.text(x + width / 2, area.y + area.h + 16, std::to_string(bar.rank), "class=\"s m\"");
    x += width;
  }
  canvas.svg.line(area.x, area.y + area.h, area.x + area.w, area.y + area.h, "class=\"tick\"");
  if (width < 26)
    canvas.svg.text(area.x + area.w / 2, area.y + area.h + 16,
                    plural(static_cast<int64_t>(canvas.study.receivers.size()), "rank") + ", in ascending order",
                    "class=\"s m\"");
}

}  // namespace sv_plan
