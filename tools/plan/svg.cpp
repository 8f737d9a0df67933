#include "svg.hpp"

#include <cmath>
#include <cstdio>

namespace sv_plan {

namespace {

std::string attribute(const char *name, double value) { return std::string(" ") + name + "=\"" + px(value) + "\""; }

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

std::string Svg::document(double width, double height, const std::string &title) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(width) + " " + px(height) + "\" width=\"" +
         px(width) + "\" height=\"" + px(height) + "\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">" +
         escaped(title) + "</title>\n" + style_sheet + "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         body_ + "</svg>\n";
}

}  // namespace sv_plan
