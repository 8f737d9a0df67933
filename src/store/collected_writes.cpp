#include "store/collected_writes.hpp"

#include <algorithm>
#include <utility>

namespace sv {

namespace {

constexpr size_t most_bytes_of_one = 64 << 10;  // of one write: a larger one gains nothing
constexpr size_t most_collected_runs = 1024;

}  // namespace

void CollectedWrites::keep_many() { most_bytes_ = 8 << 20; }

bool CollectedWrites::take(int64_t offset_bytes, std::span<const std::byte> values, int variable) {
  if (values.empty()) return true;
  if (runs_.empty()) values_.clear();
  if (values.size() > most_bytes_of_one || values_.size() + values.size() > most_bytes_) return false;
  const int64_t end = offset_bytes + std::ssize(values);
  auto after = runs_.end();
  if (!runs_.empty() && offset_bytes < runs_.back().end)
    after = std::upper_bound(runs_.begin(), runs_.end(), offset_bytes,
                             [](int64_t at, const Run &run) { return at < run.begin; });
  if (after != runs_.end() && after->begin < end) return false;
  Run *const before = after == runs_.begin() ? nullptr : &*(after - 1);
  if (before != nullptr && before->end > offset_bytes) return false;
  const bool goes_on = before != nullptr && before->end == offset_bytes &&
                       before->at + static_cast<size_t>(before->end - before->begin) == values_.size();
  if (!goes_on && runs_.size() == most_collected_runs) return false;
  if (values_.capacity() == 0) values_.reserve(most_bytes_);
  values_.insert(values_.end(), values.begin(), values.end());
  if (goes_on) {
    before->end = end;
    before->last_variable = variable;
  } else {
    runs_.insert(after, {offset_bytes, end, values_.size() - values.size(), variable, variable});
  }
  return true;
}

void CollectedWrites::write(PositionalFile &file, StoreCounters &counters) {
  const std::vector<Run> runs = std::exchange(runs_, {});
  gather_.clear();
  for (size_t first = 0, last = 0; first < runs.size(); first = last) {
    first_variable_ = runs[first].first_variable;
    do {
      gather_.add(0, std::span(values_).subspan(runs[last].at, static_cast<size_t>(runs[last].end - runs[last].begin)));
      last_variable_ = runs[last].last_variable;
      ++last;
    } while (last < runs.size() && runs[last].begin == runs[last - 1].end);
    gather_.write(file, runs[first].begin, counters);
  }
}

}  // namespace sv
