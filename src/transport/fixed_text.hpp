// A text in memory of a fixed size, for shared memory and messages. Longer ones are truncated. Most are empty or short,
// and a copy costs no more than the length of the text.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

namespace sv {

/// Copies a text into a field, cut to fit, always terminated.
inline void copy_text(char *to, int capacity, std::string_view text) {
  const size_t length = std::min(text.size(), static_cast<size_t>(capacity - 1));
  std::memmove(to, text.data(), length);
  to[length] = '\0';
}

template <int capacity>
class Words {
 public:
  Words() { text_[0] = '\0'; }
  Words(const Words &other) { *this = other; }
  Words &operator=(const Words &other) { return *this = std::string_view(other.text_); }
  Words &operator=(std::string_view text) {
    copy_text(text_, capacity, text);
    return *this;
  }

  const char *text() const { return text_; }

 private:
  char text_[static_cast<size_t>(capacity)];
};

}  // namespace sv
