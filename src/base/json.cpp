#include "base/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace sv {

namespace {

constexpr size_t short_line = 90;

/// Bytes of the UTF-8 sequence at the beginning of `text`; 0 if it is malformed (RFC 3629: no overlong forms, no
/// surrogates, nothing beyond U+10FFFF).
size_t sequence_bytes(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0), second = byte(1);
  const size_t bytes = first < 0x80                    ? 1
                       : first >= 0xC2 && first < 0xE0 ? 2
                       : (first & 0xF0) == 0xE0        ? 3
                       : first >= 0xF0 && first < 0xF5 ? 4
                                                       : 0;
  for (size_t i = 1; i < bytes; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second >= 0xA0) || (first == 0xF4 && second >= 0x90);
  return overlong || beyond ? 0 : bytes;
}

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if (code >= 0x20 && code != 0x7F) return std::string(1, c);
  constexpr const char *digits = "0123456789abcdef";
  return std::string("\\u00") + digits[code >> 4] + digits[code & 15];
}

std::string bracketed(char open, const std::vector<std::string> &parts, char close) {
  std::string line, lines;
  for (const std::string &part : parts) {
    line += (line.empty() ? "" : ", ") + part;
    lines += (lines.empty() ? "\n  " : ",\n  ");
    // Strings hold no bare line ends, so each one here is the indentation of a nested object.
    for (const char c : part) lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
  }
  const bool fits = line.size() <= short_line && line.find('\n') == std::string::npos;
  return open + (fits ? line : lines + '\n') + close;
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const size_t bytes = sequence_bytes(text);
    result += bytes == 0 ? "\xEF\xBF\xBD" : bytes == 1 ? escaped(text[0]) : std::string(text.substr(0, bytes));
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result + '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return std::string(digits.data(), end);
}

std::string json_number(int64_t value) { return std::to_string(value); }

std::string json_object(const JsonMembers &members) {
  std::vector<std::string> parts;
  for (const auto &[name, value] : members) parts.push_back(json_text(name) + ": " + value);
  return bracketed('{', parts, '}');
}

std::string json_array(const std::vector<std::string> &values) { return bracketed('[', values, ']'); }

}  // namespace sv
