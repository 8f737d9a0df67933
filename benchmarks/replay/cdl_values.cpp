#include "cdl_values.hpp"

#include <sverdrup/sverdrup.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace sv_bench {

namespace {

/// A literal: whole numbers keep all their digits.
struct Literal {
  int type;  // number of sv_type
  bool whole;
  bool negative;
  uint64_t magnitude;
  double real;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return text;
}

int type_of_suffix(const std::string &suffix) {
  static const std::vector<std::pair<const char *, int>> types{{"b", SV_BYTE},    {"ub", SV_UBYTE}, {"s", SV_SHORT},
                                                               {"us", SV_USHORT}, {"l", SV_INT},    {"u", SV_UINT},
                                                               {"ul", SV_UINT},   {"ll", SV_INT64}, {"ull", SV_UINT64}};
  for (const auto &[name, type] : types) {
    if (suffix == name) return type;
  }
  return 0;
}

int type_of_magnitude(bool negative, uint64_t magnitude) {
  if (magnitude <= uint64_t{2147483647} + (negative ? 1 : 0)) return SV_INT;
  return magnitude <= uint64_t{9223372036854775807} + (negative ? 1 : 0) ? SV_INT64 : SV_UINT64;
}

bool read_whole(const std::string &text, Literal &literal) {
  const size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
  if (sign >= text.size() || std::isdigit(static_cast<unsigned char>(text[sign])) == 0) return false;
  char *end = nullptr;
  errno = 0;
  literal.negative = text[0] == '-';
  const bool hexadecimal = text.compare(sign, 2, "0x") == 0;
  literal.magnitude = std::strtoull(text.c_str() + sign, &end, hexadecimal ? 16 : 10);
  if (errno != 0) return false;
  literal.type = *end == '\0' ? type_of_magnitude(literal.negative, literal.magnitude) : type_of_suffix(end);
  literal.whole = true;
  literal.real = static_cast<double>(literal.magnitude) * (literal.negative ? -1 : 1);
  return literal.type != 0;
}

bool read_real(const std::string &text, Literal &literal) {
  std::string digits = text;
  literal.whole = false;
  literal.type = SV_DOUBLE;
  const bool named = digits.find("nan") != std::string::npos || digits.find("inf") != std::string::npos;
  const size_t exact = digits.size() - 1;
  if (digits.back() == 'f' &&
      (!named || digits.ends_with("nanf") || digits.ends_with("infinityf") || digits.ends_with("inff"))) {
    literal.type = SV_FLOAT;
    digits.resize(exact);
  } else if (digits.back() == 'd') {
    digits.resize(exact);
  }
  if (digits.empty() || digits.find("0x") != std::string::npos) return false;
  char *end = nullptr;
  literal.real = std::strtod(digits.c_str(), &end);
  return *end == '\0';
}

Literal literal_of(const CdlToken &token, const std::string &origin) {
  if (token.kind == CdlToken::Kind::letter && token.text.size() == 1) {
    const auto value = static_cast<signed char>(token.text[0]);
    return {SV_BYTE, true, value < 0, static_cast<uint64_t>(std::abs(int{value})), static_cast<double>(value)};
  }
  Literal literal{};
  const std::string text = lower(token.text);
  const bool number = token.kind == CdlToken::Kind::word && !text.empty();
  if (!number || (!read_whole(text, literal) && !read_real(text, literal)))
    throw cdl_error(origin, token.line, "'" + token.text + "' is no value of an attribute");
  return literal;
}

template <typename T>
bool store(const Literal &literal, std::byte *to) {
  T value{};
  bool fits = true;
  if constexpr (std::is_floating_point_v<T>) {
    value = static_cast<T>(literal.real);
    if (literal.whole && sizeof(T) == 8)
      value = literal.negative ? -static_cast<T>(literal.magnitude) : static_cast<T>(literal.magnitude);
  } else {
    using Limits = std::numeric_limits<T>;
    const auto most = static_cast<uint64_t>(Limits::max());
    fits = literal.whole && literal.magnitude <= most + (literal.negative && Limits::is_signed ? 1 : 0) &&
           (!literal.negative || Limits::is_signed || literal.magnitude == 0);
    value = static_cast<T>(literal.negative ? 0 - literal.magnitude : literal.magnitude);
  }
  std::memcpy(to, &value, sizeof value);
  return fits;
}

bool store_as(int type, const Literal &literal, std::byte *to) {
  switch (type) {
    case SV_BYTE:
      return store<int8_t>(literal, to);
    case SV_CHAR:
      return store<int8_t>(literal, to);
    case SV_SHORT:
      return store<int16_t>(literal, to);
    case SV_INT:
      return store<int32_t>(literal, to);
    case SV_FLOAT:
      return store<float>(literal, to);
    case SV_DOUBLE:
      return store<double>(literal, to);
    case SV_UBYTE:
      return store<uint8_t>(literal, to);
    case SV_USHORT:
      return store<uint16_t>(literal, to);
    case SV_UINT:
      return store<uint32_t>(literal, to);
    case SV_INT64:
      return store<int64_t>(literal, to);
    default:
      return store<uint64_t>(literal, to);
  }
}

/// Of literals of several types the widest, reals before whole numbers.
int common_type(const std::vector<Literal> &literals) {
  static const std::vector<int> order{SV_BYTE, SV_UBYTE, SV_SHORT,  SV_USHORT, SV_INT,
                                      SV_UINT, SV_INT64, SV_UINT64, SV_FLOAT,  SV_DOUBLE};
  size_t widest = 0;
  for (const Literal &literal : literals) {
    const auto rank = static_cast<size_t>(std::find(order.begin(), order.end(), literal.type) - order.begin());
    widest = std::max(widest, rank);
  }
  return order[widest];
}

}  // namespace

Attribute cdl_attribute(const std::string &name, int type, const std::vector<CdlToken> &values,
                        const std::string &origin) {
  const bool text = !values.empty() && values.front().kind == CdlToken::Kind::text;
  if (text) {
    std::string all;
    for (const CdlToken &token : values) {
      if (token.kind != CdlToken::Kind::text || (type != 0 && type != SV_CHAR))
        throw cdl_error(origin, token.line, "attribute '" + name + "' mixes text and numbers");
      all += token.text;
    }
    Attribute attribute{name, SV_CHAR, static_cast<int64_t>(all.size()), std::vector<std::byte>(all.size())};
    if (!all.empty()) std::memcpy(attribute.values.data(), all.data(), all.size());
    return attribute;
  }
  std::vector<Literal> literals;
  for (const CdlToken &token : values) literals.push_back(literal_of(token, origin));
  if (type == 0) type = literals.empty() ? static_cast<int>(SV_CHAR) : common_type(literals);
  const auto width = static_cast<size_t>(element_type(type).bytes);
  Attribute attribute{name, type, static_cast<int64_t>(values.size()), std::vector<std::byte>(values.size() * width)};
  for (size_t i = 0; i < values.size(); ++i) {
    if (!store_as(type, literals[i], attribute.values.data() + i * width))
      throw cdl_error(origin, values[i].line,
                      "attribute '" + name + "': " + values[i].text + " is no " + element_type(type).name);
  }
  return attribute;
}

}  // namespace sv_bench
