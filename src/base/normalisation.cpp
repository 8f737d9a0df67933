#include "base/normalisation.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/normalisation_table.hpp"

namespace sv {

namespace {

constexpr char32_t first_that_changes = 0x300;  // all before are as NFC has them
constexpr unsigned lead_of_that = 0xCC;         // the first byte of its UTF-8, and of all before less

/// Syllables of Hangul are computed (The Unicode Standard, section 3.12).
namespace hangul {
constexpr char32_t syllables = 0xAC00, leads = 0x1100, vowels = 0x1161, trails = 0x11A7;
constexpr char32_t lead_count = 19, vowel_count = 21, trail_count = 28;
constexpr char32_t syllable_count = lead_count * vowel_count * trail_count;

bool is_in(char32_t code, char32_t first, char32_t count) { return code >= first && code < first + count; }
}  // namespace hangul

/// False where it is not UTF-8.
bool decode(std::string_view text, std::vector<char32_t> &codes) {
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || at + length > text.size()) return false;
    char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if ((byte & 0xC0U) != 0x80U) return false;
      code = code << 6U | (byte & 0x3FU);
    }
    codes.push_back(code);
    at += length;
  }
  return true;
}

std::string encode(const std::vector<char32_t> &codes) {
  std::string text;
  for (const char32_t code : codes) {
    const unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    const unsigned mark = more == 0 ? 0 : 0xFF00U >> (more + 1) & 0xFFU;
    text += static_cast<char>(mark | code >> 6U * more);
    for (unsigned left = more; left-- > 0;) text += static_cast<char>(0x80U | (code >> 6U * left & 0x3FU));
  }
  return text;
}

const unicode::Decomposition *decomposition_in(std::span<const unicode::Decomposition> list, char32_t code) {
  const auto found = std::ranges::lower_bound(list, code, {}, &unicode::Decomposition::whole);
  return found != list.end() && found->whole == code ? &*found : nullptr;
}

uint8_t class_of(char32_t code) {
  const auto found = std::ranges::lower_bound(unicode::classes, code, {}, &unicode::CombiningClass::last);
  return found != unicode::classes.end() && found->first <= code ? found->number : 0;
}

void decompose(char32_t code, std::vector<char32_t> &into) {
  if (code < 0xC0) return into.push_back(code);
  if (hangul::is_in(code, hangul::syllables, hangul::syllable_count)) {
    const char32_t at = code - hangul::syllables, trail = at % hangul::trail_count;
    into.push_back(hangul::leads + at / (hangul::vowel_count * hangul::trail_count));
    into.push_back(hangul::vowels + at / hangul::trail_count % hangul::vowel_count);
    if (trail != 0) into.push_back(hangul::trails + trail);
    return;
  }
  const unicode::Decomposition *found = decomposition_in(unicode::composed, code);
  if (found == nullptr) found = decomposition_in(unicode::not_composed, code);
  if (found == nullptr) return into.push_back(code);
  decompose(found->first, into);
  if (found->second != 0) decompose(found->second, into);
}

/// Characters of a class of combination come in the order of the classes.
void order(std::vector<char32_t> &codes) {
  for (auto begin = codes.begin(); begin != codes.end();) {
    if (class_of(*begin) == 0) {
      ++begin;
      continue;
    }
    const auto end = std::find_if(begin, codes.end(), [](char32_t code) { return class_of(code) == 0; });
    std::stable_sort(begin, end, [](char32_t one, char32_t other) { return class_of(one) < class_of(other); });
    begin = end;
  }
}

/// What two characters make; 0: nothing.
char32_t composition(char32_t first, char32_t second) {
  if (hangul::is_in(first, hangul::leads, hangul::lead_count) &&
      hangul::is_in(second, hangul::vowels, hangul::vowel_count))
    return hangul::syllables +
           ((first - hangul::leads) * hangul::vowel_count + second - hangul::vowels) * hangul::trail_count;
  if (hangul::is_in(first, hangul::syllables, hangul::syllable_count) &&
      (first - hangul::syllables) % hangul::trail_count == 0 &&
      hangul::is_in(second, hangul::trails + 1, hangul::trail_count - 1))
    return first + second - hangul::trails;
  static const auto &known = *[] {  // needed until the very end of a program
    auto *const all = new std::unordered_map<uint64_t, char32_t>;
    for (const unicode::Decomposition &each : unicode::composed)
      all->emplace(uint64_t{each.first} << 32U | each.second, each.whole);
    return all;
  }();
  const auto found = known.find(uint64_t{first} << 32U | second);
  return found == known.end() ? 0 : found->second;
}

void compose(std::vector<char32_t> &codes) {
  size_t kept = 0, starter = codes.size();
  uint8_t before = 0;  // class of the last character that was kept after the starter
  for (const char32_t code : codes) {
    const uint8_t own = class_of(code);
    const bool meets = starter < kept && (kept == starter + 1 || (before != 0 && before < own));
    const char32_t made = meets ? composition(codes[starter], code) : 0;
    if (made != 0) {
      codes[starter] = made;
      continue;
    }
    if (own == 0) starter = kept;
    before = own;
    codes[kept++] = code;
  }
  codes.resize(kept);
}

}  // namespace

bool may_be_denormal(std::string_view text) noexcept {
  return std::ranges::any_of(text, [](char each) { return static_cast<unsigned char>(each) >= lead_of_that; });
}

std::string normalised(std::string_view text) {
  static_assert(first_that_changes >> 6U == (lead_of_that & 0x1FU));
  std::vector<char32_t> codes, parts;
  if (!may_be_denormal(text) || !decode(text, codes)) return std::string(text);
  for (const char32_t code : codes) decompose(code, parts);
  order(parts);
  compose(parts);
  return encode(parts);
}

}  // namespace sv
