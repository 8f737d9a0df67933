// The ranks' parts of the slices of a combined plan (plan/combined.hpp), as runs of bytes. A rank sends them to the
// writer (or reader) of a stretch, in few bytes, which finds the covered parts, and those covered twice. src/transfer
// moves the messages. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sv {

/// Bytes of a slice.
struct SliceRun {
  uint32_t begin, bytes;
  uint32_t end() const { return begin + bytes; }
};

/// Writes what one rank has of a stretch, round by round: gaps and lengths, in units, as numbers of 7 bits a byte.
class RunMessage {
 public:
  /// `unit`: places and lengths are multiples of it.
  explicit RunMessage(int64_t unit) : unit_(unit) {}

  /// Ascending by where they begin; those that touch, or share bytes, are joined.
  void add(int64_t begin, int64_t bytes) {
    if (end_ > begin_ && begin <= end_) {
      if (begin + bytes > end_) end_ = begin + bytes;
      return;
    }
    settle();
    begin_ = begin;
    end_ = begin + bytes;
  }
  /// Later additions belong to the next round.
  void end_round();
  std::vector<std::byte> take() { return std::move(code_); }

 private:
  void settle();
  void push(uint64_t number);

  const int64_t unit_;
  std::vector<std::byte> code_;
  int64_t begin_ = 0, end_ = 0, previous_end_ = 0;  // the last run; where the one before ends
};

/// Reads it.
class RunMessageReader {
 public:
  RunMessageReader(std::span<const std::byte> code, int64_t unit) : code_(code), unit_(unit) {}
  /// False at the end of the round; the next call is of the next one.
  bool next(SliceRun &run);

 private:
  uint64_t pull();

  std::span<const std::byte> code_;
  const int64_t unit_;
  int64_t at_ = 0;
};

/// Which units of one slice are taken.
class SliceBits {
 public:
  explicit SliceBits(int64_t unit) : unit_(unit) {}
  /// None of a slice of so many bytes.
  void clear(int64_t bytes);
  bool any(const SliceRun &run) const;
  /// Takes them; whether some were taken before.
  bool take(const SliceRun &run) {
    const int64_t first = run.begin / unit_;
    if (run.bytes > unit_) return take_many(run);
    uint64_t &word = words_[static_cast<size_t>(first / 64)];
    const uint64_t mask = uint64_t{1} << (first % 64);
    const bool taken = (word & mask) != 0;
    word |= mask;
    return taken;
  }
  /// Appends those that are, of a run or of the whole slice, joined.
  void append_set(const SliceRun &run, std::vector<SliceRun> &to) const;
  void append_set(std::vector<SliceRun> &to) const { append_set({0, static_cast<uint32_t>(units_ * unit_)}, to); }

 private:
  bool take_many(const SliceRun &run);
  int64_t next(int64_t from, int64_t end, bool set) const;

  const int64_t unit_;
  int64_t units_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace sv
