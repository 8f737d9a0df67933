#include "store/scattered_writes.hpp"

#include <algorithm>
#include <cstring>

#include "store/sieve.hpp"

namespace sv {

namespace {

constexpr int64_t most_bytes = 4 << 20;  // of one write, and of the values of all
constexpr size_t most_runs = 1 << 18;

}  // namespace

void ScatteredWrites::clear() {
  runs_.clear();
  bytes_ = 0;
  is_ordered_ = true;
}

void ScatteredWrites::add(PositionalFile &file, int64_t offset_bytes, std::span<const std::byte> values,
                          StoreCounters &counters) {
  if (bytes_ >= most_bytes || runs_.size() == most_runs) write(file, counters);
  const int64_t end = offset_bytes + std::ssize(values);
  bytes_ += std::ssize(values);
  if (!runs_.empty()) {
    Run &before = runs_.back();
    if (before.end == offset_bytes && before.values + (before.end - before.begin) == values.data()) {
      before.end = end;
      return;
    }
    is_ordered_ = is_ordered_ && offset_bytes >= before.begin;
  }
  runs_.push_back({offset_bytes, end, values.data(), runs_.size()});
}

void ScatteredWrites::write(PositionalFile &file, StoreCounters &counters) {
  if (!is_ordered_)
    std::stable_sort(runs_.begin(), runs_.end(), [](const Run &a, const Run &b) { return a.begin < b.begin; });
  try {
    for (size_t first = 0; first < runs_.size();) {
      Stretch all = stretch_from(first), end = all;  // `end`: the last one of all
      bool has_gaps = false;
      for (first = all.last; first < runs_.size(); first = end.last) {
        const Stretch next = stretch_from(first);
        if (!joins(end, next) || next.end - all.begin > most_bytes) break;
        all.last = next.last;
        all.end = next.end;
        has_gaps = true;
        all.is_plain = all.is_plain && next.is_plain;
        end = next;
      }
      write(all, has_gaps, file, counters);
    }
  } catch (...) {
    clear();
    throw;
  }
  clear();
}

ScatteredWrites::Stretch ScatteredWrites::stretch_from(size_t first) const {
  Stretch made{first, first + 1, runs_[first].begin, runs_[first].end, true};
  for (; made.last < runs_.size() && runs_[made.last].begin <= made.end; ++made.last) {
    made.is_plain = made.is_plain && runs_[made.last].begin == made.end;
    made.end = std::max(made.end, runs_[made.last].end);
  }
  return made;
}

bool ScatteredWrites::joins(const Stretch &one, const Stretch &next) const {
  return fills_gaps_ && next.begin - one.end < bytes_of_a_call && one.bytes() < bytes_of_a_call &&
         next.bytes() < bytes_of_a_call;
}

void ScatteredWrites::write(const Stretch &stretch, bool has_gaps, PositionalFile &file, StoreCounters &counters) {
  const std::span runs = std::span(runs_).subspan(stretch.first, stretch.last - stretch.first);
  if (stretch.is_plain && !has_gaps) {
    gather_.clear();
    for (const Run &run : runs) gather_.add(0, {run.values, static_cast<size_t>(run.end - run.begin)});
    return gather_.write(file, stretch.begin, counters);
  }
  const auto length = static_cast<size_t>(stretch.bytes());
  if (buffer_.size() < length) buffer_.resize(length);
  const std::span bytes = std::span(buffer_).first(length);
  if (has_gaps) {
    const int64_t got = file.read(stretch.begin, bytes, counters);
    std::memset(bytes.data() + got, 0, length - static_cast<size_t>(got));
  }
  if (!stretch.is_plain)
    std::sort(runs.begin(), runs.end(), [](const Run &a, const Run &b) { return a.number < b.number; });
  for (const Run &run : runs)
    std::memcpy(bytes.data() + (run.begin - stretch.begin), run.values, static_cast<size_t>(run.end - run.begin));
  file.write(stretch.begin, bytes, counters);
}

}  // namespace sv
