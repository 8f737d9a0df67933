#include "svg.hpp"

#include <cmath>
#include <cstdio>

namespace sv_tools {

namespace {

std::string attribute(const char *name, double value) { return std::string(" ") + name + "=\"" + px(value) + "\""; }

}  // namespace

std::string px(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string number = text;
  while (number.back() == '0') number.pop_back();
  if (number.back() == '.') number.pop_back();
  return number == "-0" ? "0" : number;
}

std::string escaped(const std::string &words) {
  std::string text;
  for (const char c : words) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else
      text += c;
  }
  return text;
}

std::string step_to(char step, double x, double y) {
  std::string data(1, step);
  data += px(x);
  data += ' ';
  return data += px(y);
}

std::string box_path(const Area &area) {
  return step_to('M', area.x, area.y) + "h" + px(area.w) + "v" + px(area.h) + "h" + px(-area.w) + "z";
}

void Svg::rect(const Area &area, const std::string &style) {
  body_ += "<rect" + attribute("x", area.x) + attribute("y", area.y) + attribute("width", area.w) +
           attribute("height", area.h) + " " + style + "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, const std::string &style) {
  body_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) + " " +
           style + "/>\n";
}

void Svg::path(const std::string &d, const std::string &style) {
  if (!d.empty()) body_ += "<path d=\"" + d + "\" " + style + "/>\n";
}

void Svg::text(double x, double y, const std::string &words, const std::string &style) {
  body_ += "<text" + attribute("x", x) + attribute("y", y) + " " + style + ">" + escaped(words) + "</text>\n";
}

void Svg::hint(const Area &area, const std::string &words) {
  body_ += "<rect" + attribute("x", area.x) + attribute("y", area.y) + attribute("width", area.w) +
           attribute("height", area.h) + " fill-opacity=\"0\"><title>" + escaped(words) + "</title></rect>\n";
}

/// A file of its own is dark where the reader's screen is.
static constexpr const char *dark =
    "<style>@media (prefers-color-scheme:dark){svg:root{filter:invert(.93) hue-rotate(180deg)}}</style>\n";

std::string Svg::document(double width, double height, const std::string &title, const std::string &look) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(height) + "\" width=\"" +
         px(width) + "\" height=\"" + px(height) + "\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">" +
         escaped(title) + "</title>\n" + look + dark + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         body_ + "</svg>\n";
}

}  // namespace sv_tools
