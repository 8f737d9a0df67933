#include "layout/point_lists.hpp"

#include <algorithm>

namespace sv {

void append_list(std::vector<int64_t> &to, int owner, const PointRuns &runs) {
  to.push_back(owner);
  to.push_back(runs.runs());
  to.insert(to.end(), runs.place.begin(), runs.place.end());
  if (runs.before.empty())
    to.push_back(0);
  else
    to.insert(to.end(), runs.before.begin(), runs.before.end());
}

void write_list(std::vector<std::byte> &letter, int owner, const PointRuns &runs, const PointTable::Places &places) {
  const std::vector<std::byte> code = encoded_runs(runs, places.first, places.last);
  const int64_t head[] = {owner, std::ssize(code)};
  const auto *const bytes = reinterpret_cast<const std::byte *>(head);
  letter.insert(letter.end(), bytes, bytes + sizeof head);
  letter.insert(letter.end(), code.begin(), code.end());
}

void read_lists(std::span<const std::byte> letter, const PointTable::Places &places, std::vector<int64_t> &to) {
  while (!letter.empty()) {
    int64_t head[2];
    std::copy_n(letter.data(), sizeof head, reinterpret_cast<std::byte *>(head));
    RunList runs;
    for_encoded_runs(letter.subspan(sizeof head, static_cast<size_t>(head[1])), places.first,
                     [&](int64_t place, int64_t length) { runs.extend(place, length); });
    append_list(to, static_cast<int>(head[0]), runs.view());
    letter = letter.subspan(sizeof head + static_cast<size_t>(head[1]));
  }
}

}  // namespace sv
