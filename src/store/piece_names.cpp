#include "store/piece_names.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "base/error.hpp"

namespace sv {

namespace {

constexpr size_t fewest_digits = 4, most_digits = 9;

/// The part behind the last dot, if it is a number of a piece.
std::string number_in(const std::string &name, const std::string &set) {
  if (name.size() <= set.size() + fewest_digits || !name.starts_with(set) || name[set.size()] != '.') return "";
  std::string number = name.substr(set.size() + 1);
  const bool is_number =
      number.size() <= most_digits && std::ranges::all_of(number, [](char each) { return each >= '0' && each <= '9'; });
  return is_number ? number : "";
}

/// Of numbers in order: how many follow each other from the first on.
int64_t count_together(const std::vector<int32_t> &numbers) {
  const auto gap = std::ranges::adjacent_find(numbers, [](int32_t a, int32_t b) { return b != a + 1; });
  return gap == numbers.end() ? std::ssize(numbers) : gap - numbers.begin() + 1;
}

}  // namespace

std::string PieceNames::path_of(const std::string &set, int64_t piece) const {
  const int64_t number = numbers.empty() ? first + piece : numbers.at(static_cast<size_t>(piece));
  std::array<char, 24> suffix{};
  std::snprintf(suffix.data(), suffix.size(), ".%0*lld", digits, static_cast<long long>(number));
  return set + suffix.data();
}

void PieceNames::settle(const std::string &set, int64_t pieces) {
  const int64_t together = count_together(numbers);
  if (numbers.empty() || found == pieces) return;
  if (found > pieces && together < pieces)
    throw Error(Status::format,
                std::to_string(found) + " files have numbers of the set, but its attribute NumFilesInSet says " +
                    std::to_string(pieces),
                "Move those of another run away")
        .in_file(path_of(set, together));
  numbers.clear();
}

std::optional<PieceNames> find_pieces(const std::string &set) {
  namespace fs = std::filesystem;
  const fs::path path(set), parent = path.parent_path();
  std::vector<std::string> found;
  std::error_code unread;
  for (const fs::directory_entry &each : fs::directory_iterator(parent.empty() ? "." : parent, unread))
    if (std::string number = number_in(each.path().filename().string(), path.filename().string()); !number.empty())
      found.push_back(std::move(number));
  if (found.empty()) return {};
  PieceNames names;
  names.digits = static_cast<int>(std::ranges::min_element(found, {}, &std::string::size)->size());
  for (const std::string &number : found)
    if (std::ssize(number) == names.digits || number.front() != '0') names.numbers.push_back(std::stoi(number));
  std::ranges::sort(names.numbers);
  names.first = names.numbers.front();
  names.found = std::ssize(names.numbers);
  if (count_together(names.numbers) == std::ssize(names.numbers)) names.numbers.clear();
  return names;
}

}  // namespace sv
