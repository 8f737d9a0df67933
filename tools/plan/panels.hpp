// The parts of the drawing.
#pragma once

#include "colours.hpp"
#include "drawing/svg.hpp"
#include "study.hpp"

namespace sv_plan {

using sv_tools::Area, sv_tools::box_path, sv_tools::px, sv_tools::step_to, sv_tools::Svg;

/// The input and the output of every part of the drawing.
struct Canvas {
  const Scene &scene;
  const Study &study;
  const Colours &colours;
  Svg &svg;
};

/// How large the map of the grid is, within these bounds; as wide as high where the cells are.
Area map_area(const Scene &scene, double x, double y);
void draw_map(const Canvas &canvas, const Area &area);
/// For routes whose writers have ranges: the writers of rows and levels; rows as on the map next to it.
void draw_levels(const Canvas &canvas, const Area &area);
/// Of the others: how much each I/O PE or writer takes in, from its own node and from others.
void draw_bars(const Canvas &canvas, const Area &area);
/// The file from its first byte to its last, or the files; returns the height it took.
double draw_file(const Canvas &canvas, double x, double y, double width);
void draw_legend(const Canvas &canvas, double x, double y, double width);

/// A step of 1, 2 or 5 times a power of ten, so that `length` units have at most `most` of them.
int64_t step_for(int64_t length, double most);

}  // namespace sv_plan
