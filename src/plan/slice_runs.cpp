#include "plan/slice_runs.hpp"

#include <algorithm>
#include <bit>

namespace sv {

void RunMessage::push(uint64_t number) {
  for (; number >= 128; number >>= 7) code_.push_back(static_cast<std::byte>(number | 128));
  code_.push_back(static_cast<std::byte>(number));
}

/// Writes the last run: 0 is the end of a round.
void RunMessage::settle() {
  if (end_ == begin_) return;
  push(static_cast<uint64_t>((begin_ - previous_end_) / unit_ + 1));
  push(static_cast<uint64_t>((end_ - begin_) / unit_ - 1));
  previous_end_ = end_;
}

void RunMessage::end_round() {
  settle();
  push(0);
  begin_ = end_ = previous_end_ = 0;
}

uint64_t RunMessageReader::pull() {
  uint64_t number = 0;
  size_t used = 0;
  for (int shift = 0;; shift += 7) {
    const auto byte = std::to_integer<uint64_t>(code_[used++]);
    number |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  code_ = code_.subspan(used);
  return number;
}

bool RunMessageReader::next(SliceRun &run) {
  const uint64_t gap = code_.empty() ? 0 : pull();
  if (gap == 0) {
    at_ = 0;
    return false;
  }
  at_ += static_cast<int64_t>(gap - 1) * unit_;
  run = {static_cast<uint32_t>(at_), static_cast<uint32_t>((static_cast<int64_t>(pull()) + 1) * unit_)};
  at_ += run.bytes;
  return true;
}

namespace {

constexpr int64_t word_bits = 64;

/// Calls visit(index of a word, its bits) for the words of units [first, last).
template <class Visit>
void for_words(int64_t first, int64_t last, Visit &&visit) {
  while (first < last) {
    const int64_t in_word = first % word_bits, bits = std::min(word_bits - in_word, last - first);
    const uint64_t mask = (bits == word_bits ? ~uint64_t{0} : (uint64_t{1} << bits) - 1) << in_word;
    if (!visit(static_cast<size_t>(first / word_bits), mask)) return;
    first += bits;
  }
}

}  // namespace

void SliceBits::clear(int64_t bytes) {
  units_ = (bytes + unit_ - 1) / unit_;
  words_.assign(static_cast<size_t>((units_ + word_bits - 1) / word_bits), 0);
}

bool SliceBits::any(const SliceRun &run) const {
  bool found = false;
  for_words(run.begin / unit_, run.end() / unit_, [&](size_t word, uint64_t mask) {
    found = (words_[word] & mask) != 0;
    return !found;
  });
  return found;
}

bool SliceBits::take_many(const SliceRun &run) {
  bool taken = false;
  for_words(run.begin / unit_, run.end() / unit_, [&](size_t word, uint64_t mask) {
    taken = taken || (words_[word] & mask) != 0;
    words_[word] |= mask;
    return true;
  });
  return taken;
}

/// The first unit from there on that is taken, or is not; `end` where there is none.
int64_t SliceBits::next(int64_t from, int64_t end, bool set) const {
  while (from < end) {
    const uint64_t word = words_[static_cast<size_t>(from / word_bits)];
    const uint64_t left = (set ? word : ~word) >> (from % word_bits);
    if (left != 0) return std::min(end, from + std::countr_zero(left));
    from = (from / word_bits + 1) * word_bits;
  }
  return end;
}

void SliceBits::append_set(const SliceRun &run, std::vector<SliceRun> &to) const {
  const int64_t end = std::min<int64_t>(units_, run.end() / unit_);
  for (int64_t at = next(run.begin / unit_, end, true); at < end;) {
    const int64_t last = next(at, end, false);
    to.push_back({static_cast<uint32_t>(at * unit_), static_cast<uint32_t>((last - at) * unit_)});
    at = next(last, end, true);
  }
}

}  // namespace sv
