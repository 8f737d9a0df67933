#include "config/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace sv {

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i));
    for (size_t j = 1; j <= b.size(); ++j) {
      const int replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row[b.size()];
}

namespace {

std::string folded(std::string_view text) {
  std::string result(text);
  for (char &c : result) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// An abbreviation is nearer than one wrong letter.
int distance(const std::string &text, const std::string &candidate) {
  if (text == candidate) return 0;
  return text.size() >= 3 && candidate.starts_with(text) ? 1 : 2 * edit_distance(text, candidate);
}

}  // namespace

std::string nearest(std::string_view text, const std::vector<std::string> &candidates) {
  const std::string wanted = folded(text);
  const auto rank = [&](const std::string &each) {
    const std::string candidate = folded(each);
    return std::pair(distance(wanted, candidate), candidate.starts_with(wanted) ? candidate.size() : 0);
  };
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [&](const auto &a, const auto &b) { return rank(a) < rank(b); });
  return best == candidates.end() ? std::string() : *best;
}

}  // namespace sv
