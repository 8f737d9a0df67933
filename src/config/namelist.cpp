#include "config/namelist.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr int most_repeats = 1000;
// Of all values: repeats may stand for much more than the text.
constexpr size_t most_repeated_bytes = size_t{64} << 20;

std::string lowered(std::string text) {
  for (char &c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

class Scanner {
 public:
  Scanner(const std::string &text, const std::string &path) : text_(text), path_(path) {}

  int line() const { return line_; }
  /// The next character that is neither blank nor in a comment; 0 at the end.
  char next() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '!' || c == '#')
        at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
      else if (!std::isspace(static_cast<unsigned char>(c)))
        return c;
    }
    return 0;
  }
  void skip() { ++at_; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  /// Characters up to a blank or one that means something.
  std::string word() {
    const size_t begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
           std::strchr(",=/!#&'\"", text_[at_]) == nullptr)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// A string in quotes; a doubled quote stands for itself.
  std::string quoted() {
    const int begin = line_;
    const char quote = text_[at_++];
    std::string value;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != quote)
        value += c;
      else if (at_ < text_.size() && text_[at_] == quote)
        value += text_[at_++];
      else
        return value;
    }
    throw error(begin, "a string does not end", "Close it with the quote that opens it");
  }
  /// Counts the values of the text.
  void hold(size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > most_repeated_bytes)
      throw error(line_, "the repeats stand for more than 64 MiB of values", "Repeat less");
  }
  Error error(int line, const std::string &cause, const std::string &remedy) const {
    return Error(Status::config, path_ + ":" + std::to_string(line) + ": " + cause, remedy);
  }

 private:
  const std::string &text_, &path_;
  size_t at_ = 0, bytes_ = 0;
  int line_ = 1;
};

/// "3*.true." stands for three values.
void add_values(std::vector<std::string> &values, const std::string &word, Scanner &scanner) {
  int times = 1;
  const char *const end = word.data() + word.size();
  const auto [star, error] = std::from_chars(word.data(), end, times);
  const bool repeated = error == std::errc() && star != end && *star == '*' && times >= 1 && times <= most_repeats;
  if (!repeated) return values.push_back(word);
  const std::string value(star + 1, end);
  scanner.hold(static_cast<size_t>(times) * (sizeof value + value.size()));
  values.insert(values.end(), static_cast<size_t>(times), value);
}

class GroupReader {
 public:
  GroupReader(Scanner &scanner, NamelistGroup &group) : scanner_(scanner), group_(group) {}

  void read() {
    for (;;) {
      const char c = scanner_.next();
      if (c == 0) throw no_end();
      if (c == '/') return scanner_.skip();
      if (c == '&') return read_end();
      if (c == ',')
        scanner_.skip();
      else if (c == '=')
        throw scanner_.error(scanner_.line(), "'=' without a key before it", "Write key = value");
      else if (c == '\'' || c == '"')
        entry().values.push_back(scanner_.quoted());
      else
        read_word();
    }
  }

 private:
  Error no_end() const {
    return scanner_.error(group_.line, "the group '&" + group_.name + "' does not end", "End it with '/' on a line");
  }
  void read_end() {
    scanner_.skip();
    if (lowered(scanner_.word()) != "end") throw no_end();
  }
  void read_word() {
    const int line = scanner_.line();
    const std::string word = scanner_.word();
    if (scanner_.next() != '=') return add_values(entry().values, word, scanner_);
    scanner_.skip();
    group_.entries.push_back({lowered(word), {}, line});
  }
  NamelistEntry &entry() {
    if (group_.entries.empty())
      throw scanner_.error(scanner_.line(), "a value without a key in the group '&" + group_.name + "'",
                           "Write key = value");
    return group_.entries.back();
  }

  Scanner &scanner_;
  NamelistGroup &group_;
};

}  // namespace

bool is_namelist(const std::string &text) { return Scanner(text, "").next() == '&'; }

std::vector<NamelistGroup> parse_namelist(const std::string &text, const std::string &path) {
  Scanner scanner(text, path);
  std::vector<NamelistGroup> groups;
  while (const char c = scanner.next()) {
    if (c != '&') {
      scanner.skip_line();
      continue;
    }
    scanner.skip();
    const int line = scanner.line();
    groups.push_back({lowered(scanner.word()), line, {}});
    GroupReader(scanner, groups.back()).read();
  }
  return groups;
}

}  // namespace sv
