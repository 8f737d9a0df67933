#include "palette.hpp"

#include <cstdio>

namespace sv_tools {

std::string hex(const Rgb &colour, double white) {
  const auto mix = [white](int channel) {
    return static_cast<int>(channel + (white < 0 ? channel : 255 - channel) * white + 0.5);
  };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mix(colour.r) & 255, mix(colour.g) & 255, mix(colour.b) & 255);
  return text;
}

}  // namespace sv_tools
