// How large stretches of a file are written: several pieces at a time, by a few threads, and past the page cache, where
// a run was told that its storage gains from that. A PositionalFile that was told a way has one of these, and gives it
// what is large. One piece after the other ends in the same bytes, counts and errors.
//
// Past the page cache goes what covers whole pages of the file; the ends of a stretch, and what the system refuses to
// take so, go through the cache as without a way. So each page of a stretch is written by one of the two. Before and
// behind a direct write, the system drops what the cache has of its pages: what was in them before is on the disk then,
// and what is read later comes from there. Synchronising either descriptor puts both on the disk.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "store/io_threads.hpp"
#include "store/whole_writes.hpp"

namespace sv {

struct WriteWay {
  int depth = 1;                     // so many pieces at a time
  bool direct = false;               // past the page cache
  int64_t piece_bytes = 1 << 20;     // the least of a piece: a stripe. Pieces end where stripes do
  std::shared_ptr<IoThreads> lanes;  // needed by what is not plain

  bool is_plain() const { return depth <= 1 && !direct; }
};

class LargeWrites {
 public:
  /// `way` is not plain.
  explicit LargeWrites(WriteWay way) : way_(std::move(way)) {}
  LargeWrites(const LargeWrites &) = delete;
  ~LargeWrites();  // closes; close() tells whether that succeeded

  bool takes(size_t bytes) const { return static_cast<int64_t>(bytes) >= way_.piece_bytes; }
  /// Returns when all is written. Throws what the first piece in the order of the file has failed with; pieces that
  /// were not begun by then are not written. One call at a time.
  void write(const WriteTarget &to, int64_t offset_bytes, std::span<const iovec> parts, StoreCounters &counters);
  /// Closes the second descriptor: what close(2) returns.
  int close();

 private:
  struct Piece {
    int64_t begin, end;  // in the file
    bool direct = false;
    StoreCounters counters{};
    std::optional<Error> error{};
  };
  std::vector<Piece> pieces_of(int64_t begin, int64_t end, bool direct) const;
  bool opens_direct(const WriteTarget &to);
  void write_piece(const WriteTarget &to, std::vector<iovec> parts, Piece &piece);
  void write_past_cache(const WriteTarget &to, std::span<iovec> &parts, Piece &piece);

  const WriteWay way_;
  int direct_ = -1;
  std::atomic<bool> refused_ = false;
};

}  // namespace sv
