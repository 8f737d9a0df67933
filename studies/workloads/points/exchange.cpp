#include "exchange.hpp"

#include <algorithm>
#include <climits>
#include <numeric>
#include <stdexcept>

namespace sv_bench {

namespace {

struct Counts {
  std::vector<int> bytes, places;
};

Counts in_bytes(const std::vector<int64_t> &counts, int64_t width) {
  Counts all;
  int64_t place = 0;
  for (const int64_t count : counts) {
    all.bytes.push_back(static_cast<int>(count * width));
    all.places.push_back(static_cast<int>(place));
    place += count * width;
  }
  if (place > INT_MAX) throw std::runtime_error("a rank exchanges more than MPI counts: ask for fewer cells or levels");
  return all;
}

int64_t sum_of(const std::vector<int64_t> &counts) { return std::accumulate(counts.begin(), counts.end(), int64_t{0}); }

template <typename Data>
struct Load {
  Data *data;
  const std::vector<int64_t> &counts;  // of each rank, one after the other, in units of `width` bytes
};

void exchange_bytes(const Team &team, const Load<const std::byte> &sent, const Load<std::byte> &taken, int64_t width) {
  const Counts sends = in_bytes(sent.counts, width), takes = in_bytes(taken.counts, width);
  if (MPI_Alltoallv(sent.data, sends.bytes.data(), sends.places.data(), MPI_BYTE, taken.data, takes.bytes.data(),
                    takes.places.data(), MPI_BYTE, team.comm) != MPI_SUCCESS)
    throw std::runtime_error("MPI_Alltoallv fails");
}

}  // namespace

Exchange::Exchange(const Team &team, const Division &division, const std::vector<int64_t> &cells)
    : team_(team), division_(division), own_(static_cast<int64_t>(cells.size())), by_cell_(cells.size()) {
  std::iota(by_cell_.begin(), by_cell_.end(), int64_t{0});
  const auto number = [&cells](int64_t place) { return cells[static_cast<size_t>(place)]; };
  std::sort(by_cell_.begin(), by_cell_.end(), [&](int64_t a, int64_t b) { return number(a) < number(b); });
  std::vector<int64_t> ascending(cells);
  std::sort(ascending.begin(), ascending.end());
  const auto ranks = static_cast<size_t>(team.ranks);
  send_counts_.assign(ranks, 0);
  take_counts_.assign(ranks, 0);
  std::vector<int64_t> sent, cell_counts(ranks), taken_counts(ranks);
  for (int w = 0; w < division_.workers; ++w) {
    sends_.push_back(ranges_of(ascending, w));
    const Interval hull = division_.hull(w);
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), hull.begin);
    const auto end = std::lower_bound(first, ascending.end(), hull.end);
    sent.insert(sent.end(), first, end);
    cell_counts[static_cast<size_t>(w)] = end - first;
    for (const Range &range : sends_.back()) send_counts_[static_cast<size_t>(w)] += range.end - range.begin;
  }
  MPI_Alltoall(cell_counts.data(), 1, MPI_INT64_T, taken_counts.data(), 1, MPI_INT64_T, team_.comm);
  std::vector<int64_t> taken(static_cast<size_t>(sum_of(taken_counts)));
  exchange_bytes(team_, {reinterpret_cast<const std::byte *>(sent.data()), cell_counts},
                 {reinterpret_cast<std::byte *>(taken.data()), taken_counts}, sizeof(int64_t));
  auto from = taken.begin();
  for (size_t r = 0; r < ranks; ++r) {
    source_cells_.emplace_back(from, from + taken_counts[r]);
    from += taken_counts[r];
    if (team_.rank >= division_.workers) continue;
    takes_.push_back(ranges_of(source_cells_[r], team_.rank));
    for (const Range &range : takes_[r]) take_counts_[r] += range.end - range.begin;
  }
}

std::vector<Exchange::Range> Exchange::ranges_of(const std::vector<int64_t> &ascending, int worker) const {
  std::vector<Range> ranges;
  for (int64_t level = 0; level < division_.levels; ++level) {
    const Interval here = division_.of(worker, level);
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), here.begin);
    const auto end = std::lower_bound(first, ascending.end(), here.end);
    ranges.push_back({first - ascending.begin(), end - ascending.begin()});
  }
  return ranges;
}

void Exchange::run(const std::byte *values, int64_t width) {
  const auto room = [width](std::vector<std::byte> &buffer, int64_t count) {
    if (buffer.size() < static_cast<size_t>(count * width)) buffer.resize(static_cast<size_t>(count * width));
  };
  room(packed_, sum_of(send_counts_));
  room(received_, sum_of(take_counts_));
  room(part_, sum_of(take_counts_));
  if (width == 8) {
    pack(reinterpret_cast<const int64_t *>(values), reinterpret_cast<int64_t *>(packed_.data()));
  } else {
    pack(reinterpret_cast<const int32_t *>(values), reinterpret_cast<int32_t *>(packed_.data()));
  }
  exchange_bytes(team_, {packed_.data(), send_counts_}, {received_.data(), take_counts_}, width);
  if (team_.rank >= division_.workers) return;
  if (width == 8) {
    order(reinterpret_cast<const int64_t *>(received_.data()), reinterpret_cast<int64_t *>(part_.data()));
  } else {
    order(reinterpret_cast<const int32_t *>(received_.data()), reinterpret_cast<int32_t *>(part_.data()));
  }
}

template <typename Word>
void Exchange::pack(const Word *values, Word *to) const {
  for (const std::vector<Range> &levels : sends_) {
    const Word *row = values;
    for (const Range &range : levels) {
      for (int64_t k = range.begin; k < range.end; ++k) *to++ = row[by_cell_[static_cast<size_t>(k)]];
      row += own_;
    }
  }
}

template <typename Word>
void Exchange::order(const Word *from, Word *part) const {
  for (size_t r = 0; r < takes_.size(); ++r) {
    Word *row = part;
    for (int64_t level = 0; level < division_.levels; ++level) {
      const Interval here = division_.of(team_.rank, level);
      const Range range = takes_[r][static_cast<size_t>(level)];
      for (int64_t k = range.begin; k < range.end; ++k)
        row[source_cells_[r][static_cast<size_t>(k)] - here.begin] = *from++;
      row += here.end - here.begin;
    }
  }
}

}  // namespace sv_bench
