// Joins texts that name a call. Every call makes such a text, which is rarely printed, so it must cost little: one
// piece of memory each.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sv {

/// One text of several.
inline std::string joined(std::initializer_list<std::string_view> parts) {
  size_t length = 0;
  for (const std::string_view part : parts) length += part.size();
  std::string text;
  text.reserve(length);
  for (const std::string_view part : parts) text.append(part.data(), part.size());
  return text;
}

/// The digits of a number, for as long as this lives.
class Digits {
 public:
  explicit Digits(int64_t number)
      : length_(static_cast<size_t>(std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr -
                                    digits_.data())) {}
  operator std::string_view() const { return {digits_.data(), length_}; }

 private:
  std::array<char, 20> digits_;  // and a sign
  size_t length_;
};

}  // namespace sv
