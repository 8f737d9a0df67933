// Text for a terminal. Names in files may contain control characters, which a terminal would carry out; error messages
// and the tools print them escaped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sv {

/// Length of the UTF-8 sequence at `at` (RFC 3629: shortest form, no surrogates, up to U+10FFFF); 0 if malformed.
inline size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U; };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

/// `text` with the bytes of control characters of ASCII and Latin-1 (U+0080 to U+009F), and bytes that are no UTF-8, as
/// "\x1b"; for names and values, `kept` is empty, for messages it has line ends and tabs, which stay.
inline std::string printable(std::string_view text, std::string_view kept = "") {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text, at);
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(length == 2 ? text[at + 1] : 0);
    const bool is_ascii_control = (first < 0x20 && kept.find(text[at]) == std::string_view::npos) || first == 0x7f;
    const bool is_control = is_ascii_control || (first == 0xc2 && second < 0xa0);
    if (length > 0 && !is_control) {
      shown += text.substr(at, length);
      at += length;
      continue;
    }
    for (size_t end = at + (length > 0 ? length : 1); at < end; ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      shown += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return shown;
}

/// A message, which may have several lines.
inline std::string printable_message(std::string_view text) { return printable(text, "\n\t"); }

}  // namespace sv
