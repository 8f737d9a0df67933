// Text for a terminal. Names in files may contain control characters, which a terminal would carry out; error messages
// and the tools print them escaped.
#pragma once

#include <string>
#include <string_view>

namespace sv {

/// `text` with control characters of ASCII and of Latin-1 (U+0080 to U+009F) as "\x1b"; line ends and tabs stay.
inline std::string printable(std::string_view text) {
  const auto is_control = [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f; };
  const auto is_latin_control = [text](size_t i) {
    return i + 1 < text.size() && text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
           static_cast<unsigned char>(text[i + 1]) < 0xa0;
  };
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool wide = is_latin_control(i);
    if (!wide && !is_control(static_cast<unsigned char>(text[i]))) {
      shown += text[i];
      continue;
    }
    const auto code = static_cast<unsigned char>(wide ? text[++i] : text[i]);
    shown += {'\\', 'x', digits[code >> 4], digits[code & 15]};
  }
  return shown;
}

}  // namespace sv
