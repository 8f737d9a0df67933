// Below the map: the file, with the ranges of its writers and its stripes. Where writers have boxes of the field, a
// level and a row of it enlarged.
#include <algorithm>
#include <map>

#include "panels.hpp"
#include "text.hpp"

namespace sv_plan {

namespace {

constexpr double strip_h = 44;

class File {
 public:
  File(const Canvas &canvas, double x, double y, double width)
      : canvas_(canvas),
        scene_(canvas.scene),
        sinks_(scene_.plan.stages.back().sinks.all()),
        svg_(canvas.svg),
        x_(x),
        y_(y),
        top_(y),
        w_(width) {}
  double draw() {
    if (scene_.own_files())
      files();
    else if (scene_.has_ranges())
      ranges();
    else
      boxes();
    return y_ - top_;
  }

 private:
  /// A part of the field as long as a strip: where it begins in the file, and its length, in bytes.
  struct Part {
    int64_t begin, length;
  };

  void heading(const std::string &words) { svg_.text(x_, y_ + 12, words, "class=\"h\""); }
  void ranges();
  void boxes();
  void files();
  void segment(const Area &area, int rank, int64_t bytes);
  void level_ticks();
  void stripe_ticks(const Part &part, const std::string &more);
  void band(const Area &area, const std::vector<const sv::Sink *> &writers);
  std::string fill_of(const sv::Sink &sink) const;
  void zoom(int64_t part, int64_t of);

  int64_t element_bytes() const { return scene_.plan.field.element_bytes; }
  const sv::Index &shape() const { return scene_.plan.field.shape; }

  const Canvas &canvas_;
  const Scene &scene_;
  const std::vector<sv::Sink> sinks_;  // in order
  Svg &svg_;
  const double x_;
  double y_;  // of the next drawing
  const double top_, w_;
};

void File::segment(const Area &area, int rank, int64_t bytes) {
  const std::string colour = canvas_.colours.of_writer(rank);
  svg_.rect(area, "fill=\"" + colour + (area.w >= 3 ? "\" stroke=\"#fff\" stroke-width=\".8\"" : "\""));
  const std::string name = std::to_string(rank);
  const double middle = area.x + area.w / 2;
  if (area.w >= std::max(66.0, 7.6 * static_cast<double>(name.size() + 5))) {
    svg_.text(middle, area.y + 18, "rank " + name, "class=\"w m\"");
    svg_.text(middle, area.y + 34, bytes_text(bytes), "class=\"w m\"");
  } else if (area.w >= 8 * static_cast<double>(name.size()) + 4) {
    svg_.text(middle, area.y + 27, name, "class=\"w m\"");
  }
}

void File::level_ticks() {
  const int64_t levels = shape()[0];
  if (levels == 1) return;
  const double apart = w_ / static_cast<double>(levels);
  const int64_t labelled = step_for(levels, w_ / 44);
  for (int64_t level = 0; level <= levels; ++level) {
    const double x = x_ + static_cast<double>(level) * apart;
    if (apart >= 3) svg_.line(x, y_ - (level % labelled == 0 ? 7 : 4), x, y_, "class=\"tick\"");
    if (level % labelled == 0 && level < levels) svg_.text(x + 3, y_ - 5, std::to_string(level), "class=\"s\"");
  }
}

/// Ticks below the strip where stripes begin; leaves `y_` below them.
void File::stripe_ticks(const Part &part, const std::string &more) {
  const int64_t unit = scene_.options.stripe_bytes, all = (part.length + unit - 1) / unit;
  const int64_t each = step_for(all, w_ / 3.5);
  const double scale = w_ / static_cast<double>(part.length), y = y_;
  std::string d;
  for (int64_t stripe = (part.begin + unit - 1) / unit; stripe * unit < part.begin + part.length; ++stripe) {
    if (stripe % each == 0) d += step_to('M', x_ + static_cast<double>(stripe * unit - part.begin) * scale, y) + "v6";
  }
  svg_.path(d, "class=\"tick\" fill=\"none\"");
  std::string words = d.empty()   ? "shorter than a stripe of " + size_text(unit)
                      : each == 1 ? "a tick for each stripe of " + size_text(unit)
                                  : "a tick for every " + number_text(each) + " stripes of " + size_text(unit);
  svg_.text(x_, y + 21, words + more, "class=\"s\"");
  svg_.text(x_ + w_, y + 21, bytes_text(part.length), "class=\"s e\"");
  y_ = y + 34;
}

void File::ranges() {
  heading(shape()[0] > 1 ? "the file, level after level: the writer of each byte"
                         : "the file: the writer of each byte");
  y_ += shape()[0] > 1 ? 36 : 22;
  level_ticks();
  const double scale = w_ / static_cast<double>(scene_.field_bytes() / element_bytes());
  for (const sv::Sink &sink : sinks_) {
    const Area area{x_ + static_cast<double>(sink.territory.first) * scale, y_,
                    static_cast<double>(sink.territory.elements()) * scale, strip_h};
    segment(area, sink.rank, sink.territory.elements() * element_bytes());
  }
  svg_.rect({x_, y_, w_, strip_h}, "class=\"frame\"");
  y_ += strip_h;
  stripe_ticks({scene_.plan.field.offset_bytes, scene_.field_bytes()},
               canvas_.study.stripes.shared == 0 ? "; no two writers share one" : "; some are shared by two writers");
}

void File::files() {
  heading(plural(static_cast<int64_t>(sinks_.size()), "file") + ", each by one writer");
  y_ += 22;
  const double scale = w_ / static_cast<double>(scene_.field_bytes() / element_bytes());
  const double gap = sinks_.size() <= 120 ? 4 : 0;
  double x = x_;
  for (const sv::Sink &sink : sinks_) {
    const double width = static_cast<double>(sink.territory.elements()) * scale;
    segment({x + gap / 2, y_, std::max(0.0, width - gap), strip_h}, sink.rank,
            sink.territory.elements() * element_bytes());
    x += width;
  }
  y_ += strip_h;
  svg_.text(x_, y_ + 17, "as wide as they are long; each begins with a header of its own, and stripes of its own",
            "class=\"s\"");
  y_ += 30;
}

std::string File::fill_of(const sv::Sink &sink) const {
  // Boxes of cells without an owner come after the blocks.
  const auto index = static_cast<size_t>(&sink - sinks_.data());
  const size_t owned = scene_.collects() ? scene_.domains.size() : scene_.layout->patches().size();
  const std::string colour = index < owned ? canvas_.colours.of_writer(sink.rank) : "url(#land)";
  return "fill=\"" + colour + "\"";
}

/// Rows of the writers of a band alternate; shown as layers, at most as many as can be seen.
void File::band(const Area &area, const std::vector<const sv::Sink *> &writers) {
  const size_t layers = std::min<size_t>(writers.size(), 14);
  const double height = area.h / static_cast<double>(layers);
  for (size_t layer = 0; layer < layers; ++layer) {
    const sv::Sink &sink = *writers[layer * writers.size() / layers];
    svg_.rect({area.x, area.y + height * static_cast<double>(layer), area.w, height}, fill_of(sink));
  }
}

/// Leads from part `part` of `of` equal ones of the strip above to the whole of the next one.
void File::zoom(int64_t part, int64_t of) {
  const double each = w_ / static_cast<double>(of), x = x_ + static_cast<double>(part) * each;
  const double begin = y_, end = y_ + 56;
  svg_.path(
      step_to('M', x, begin) + step_to('L', x + each, begin) + step_to('L', x_ + w_, end) + step_to('L', x_, end) + "z",
      "class=\"zoom\"");
}

void File::boxes() {
  const int64_t levels = shape()[0], row_bytes = shape()[2] * element_bytes(), level_bytes = shape()[1] * row_bytes;
  const int64_t offset = scene_.plan.field.offset_bytes;
  if (levels > 1) {
    heading("the file, level after level, each by every writer");
    y_ += 36;
    level_ticks();
    for (int64_t level = 0; level < levels; ++level) {
      const double each = w_ / static_cast<double>(levels);
      svg_.rect({x_ + static_cast<double>(level) * each, y_, each, strip_h},
                level % 2 == 0 ? "fill=\"#c9d3de\"" : "fill=\"#dde4eb\"");
    }
    svg_.rect({x_, y_, w_, strip_h}, "class=\"frame\"");
    y_ += strip_h;
    zoom(0, levels);
    stripe_ticks({offset, scene_.field_bytes()}, "");
  }
  std::map<int64_t, std::vector<const sv::Sink *>> bands;  // by first row
  for (const sv::Sink &sink : sinks_) bands[sink.territory.box.start[1]].push_back(&sink);
  for (auto &[row, writers] : bands)
    std::sort(writers.begin(), writers.end(),
              [](const auto *a, const auto *b) { return a->territory.box.start[2] < b->territory.box.start[2]; });
  heading(std::string(levels > 1 ? "a level of it" : "the file") + ": rows of the writers of a band alternate");
  y_ += 22;
  for (const auto &[row, writers] : bands) {
    const double scale = w_ / static_cast<double>(shape()[1]);
    band({x_ + static_cast<double>(row) * scale, y_, static_cast<double>(writers[0]->territory.box.count[1]) * scale,
          strip_h},
         writers);
  }
  svg_.rect({x_, y_, w_, strip_h}, "class=\"frame\"");
  y_ += strip_h;
  const int64_t middle = shape()[1] / 2;
  zoom(middle, shape()[1]);
  stripe_ticks({offset, level_bytes}, "; in all " + stripes_text(scene_, canvas_.study));
  heading("row " + std::to_string(middle) + " of it");
  y_ += 22;
  const double scale = w_ / static_cast<double>(shape()[2]);
  for (const sv::Sink &sink : sinks_) {
    const sv::Box &box = sink.territory.box;
    if (middle < box.start[1] || middle >= box.start[1] + box.count[1]) continue;
    const Area area{x_ + static_cast<double>(box.start[2]) * scale, y_, static_cast<double>(box.count[2]) * scale,
                    strip_h};
    if (fill_of(sink).find("url") == std::string::npos)
      segment(area, sink.rank, box.count[2] * element_bytes());
    else
      svg_.rect(area, fill_of(sink));
  }
  svg_.rect({x_, y_, w_, strip_h}, "class=\"frame\"");
  y_ += strip_h;
  stripe_ticks({offset + middle * row_bytes, row_bytes}, "");
}

}  // namespace

double draw_file(const Canvas &canvas, double x, double y, double width) { return File(canvas, x, y, width).draw(); }

}  // namespace sv_plan
