// SVG 1.1, written element by element. Lengths are in user units (px); y grows downwards.
#pragma once

#include <string>

namespace sv_tools {

/// A rectangle of the drawing.
struct Area {
  double x, y, w, h;
};

class Svg {
 public:
  /// `style`: attributes such as `fill="#fff"`, or classes.
  void rect(const Area &area, const std::string &style);
  void line(double x1, double y1, double x2, double y2, const std::string &style);
  /// `d`: path data.
  void path(const std::string &d, const std::string &style);
  /// `words` are escaped here.
  void text(double x, double y, const std::string &words, const std::string &style);
  /// A rectangle that shows `words` under the pointer.
  void hint(const Area &area, const std::string &words);
  void raw(const std::string &markup) { body_ += markup; }
  const std::string &body() const { return body_; }
  /// The document, on a white background; `look`: markup before everything, such as a style sheet.
  std::string document(double width, double height, const std::string &title, const std::string &look = "") const;

 private:
  std::string body_;
};

/// At most two decimals, none where they are 0.
std::string px(double value);
std::string escaped(const std::string &words);
/// Path data: a step such as 'M' or 'L' to a point.
std::string step_to(char step, double x, double y);
/// Path data of a rectangle.
std::string box_path(const Area &area);

}  // namespace sv_tools
