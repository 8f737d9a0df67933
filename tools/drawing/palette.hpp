// The colours of the drawings that the tools write.
#pragma once

#include <array>
#include <string>

namespace sv_tools {

struct Rgb {
  int r, g, b;
};

/// Ten colours that people with deficient colour vision can distinguish as far as possible, all dark enough for white
/// letters.
inline constexpr std::array<Rgb, 10> palette{{{31, 96, 156},
                                              {201, 92, 16},
                                              {42, 128, 76},
                                              {188, 52, 66},
                                              {112, 82, 168},
                                              {140, 96, 28},
                                              {22, 130, 140},
                                              {190, 70, 140},
                                              {92, 104, 116},
                                              {118, 128, 14}}};

/// "#rrggbb"; the colour is mixed with so much white (0 to 1) or, where `white` is negative, with so much black.
std::string hex(const Rgb &colour, double white);

}  // namespace sv_tools
