#include "cdl_tokens.hpp"

#include <cctype>
#include <cstdlib>
#include <cstring>

namespace sv_bench {

namespace {

class Scanner {
 public:
  Scanner(const std::string &text, const std::string &origin) : text_(text), origin_(origin) {}

  std::vector<CdlToken> all() {
    while (at_ < text_.size()) one();
    tokens_.push_back({CdlToken::Kind::end, "the end of the text", line_});
    return std::move(tokens_);
  }

 private:
  void one() {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (c == '\0') throw cdl_error(origin_, line_, "a zero byte: this is no CDL text");
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (c == '/' && next() == '/') {
      comment();
    } else if (c == '"' || c == '\'') {
      quoted(c);
    } else if (std::strchr("{}()=,;:", c) != nullptr) {
      tokens_.push_back({CdlToken::Kind::symbol, std::string(1, c), line_});
      ++at_;
    } else {
      word();
    }
  }

  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void comment() {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string words = text_.substr(at_ + 2, end - at_ - 2);
    const size_t open = words.find('('), reported = words.find(" currently)");
    if (open < reported && reported != std::string::npos && !tokens_.empty())
      tokens_.back().records = std::strtoll(words.c_str() + open + 1, nullptr, 10);
    at_ = end;
  }

  void quoted(char quote) {
    CdlToken token{quote == '"' ? CdlToken::Kind::text : CdlToken::Kind::letter, "", line_};
    for (++at_; at_ < text_.size() && text_[at_] != quote;) {
      if (text_[at_] == '\n') ++line_;
      token.text += text_[at_] == '\\' ? escaped() : text_[at_++];
    }
    if (at_ == text_.size()) throw cdl_error(origin_, token.line, "a quotation that does not end");
    ++at_;
    tokens_.push_back(token);
  }

  /// \n, \x41, \101, \" ...
  char escaped() {
    ++at_;
    if (at_ == text_.size()) throw cdl_error(origin_, line_, "a quotation that does not end");
    const char c = text_[at_];
    if (c == 'x' || (c >= '0' && c <= '7')) return numbered(c == 'x');
    ++at_;
    constexpr const char *names = "abfnrtv", *values = "\a\b\f\n\r\t\v";
    const char *name = std::strchr(names, c);
    return name != nullptr && c != '\0' ? values[name - names] : c;
  }

  char numbered(bool hexadecimal) {
    if (hexadecimal) ++at_;
    unsigned value = 0;
    for (int digits = hexadecimal ? 2 : 3; digits > 0 && at_ < text_.size(); --digits, ++at_) {
      const char c = text_[at_];
      const bool digit = hexadecimal ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c >= '0' && c <= '7';
      if (!digit) break;
      const int ten = std::tolower(static_cast<unsigned char>(c)) - 'a' + 10;
      value = value * (hexadecimal ? 16U : 8U) + static_cast<unsigned>(c <= '9' ? c - '0' : ten);
    }
    return static_cast<char>(value & 0xffU);
  }

  /// Names and numbers; a backslash takes any next character into a name.
  void word() {
    CdlToken token{CdlToken::Kind::word, "", line_};
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && at_ + 1 < text_.size()) {
        token.text += text_[at_ + 1];
        at_ += 2;
        continue;
      }
      const bool ends = std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0' || c == '"' || c == '\'' ||
                        std::strchr("{}()=,;:", c) != nullptr;
      if (ends || (c == '/' && next() == '/')) break;
      token.text += c;
      ++at_;
    }
    tokens_.push_back(token);
  }

  const std::string &text_, &origin_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<CdlToken> tokens_;
};

}  // namespace

std::invalid_argument cdl_error(const std::string &origin, int line, const std::string &cause) {
  return std::invalid_argument("'" + origin + "', line " + std::to_string(line) + ": " + cause);
}

std::vector<CdlToken> cdl_tokens(const std::string &text, const std::string &origin) {
  return Scanner(text, origin).all();
}

}  // namespace sv_bench
