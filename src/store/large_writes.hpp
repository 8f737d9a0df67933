// Writes large stretches of a file: several pieces at a time, by a few threads, and past the page cache, if a run's
// configuration says that its storage gains from that. A PositionalFile with such a policy has one of these, and gives
// it large writes. The bytes, counts and errors are those of writing one piece after the other.
//
// Whole pages of the file go past the page cache; the ends of a stretch, and pieces that the system refuses, go through
// the cache. So each page of a stretch is written by one of the two. Before and after a direct write, the system drops
// the cached pages of its range: their earlier contents are on the disk then, and later reads come from there.
// Synchronising either descriptor puts both on the disk.
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

struct WritePolicy {
  int depth = 1;                     // so many pieces at a time
  bool direct = false;               // past the page cache
  int64_t piece_bytes = 1 << 20;     // the least of a piece: a stripe. Pieces end where stripes do
  std::shared_ptr<IoThreads> lanes;  // needed except with a plain policy

  bool is_plain() const { return depth <= 1 && !direct; }
};

class LargeWrites {
 public:
  /// `way` is not plain.
  explicit LargeWrites(WritePolicy policy) : policy_(std::move(policy)) {}
  LargeWrites(const LargeWrites &) = delete;
  ~LargeWrites();  // closes; close() returns whether that succeeded

  bool takes(size_t bytes) const { return static_cast<int64_t>(bytes) >= policy_.piece_bytes; }
  /// Returns when all is written. Throws the error of the first failed piece in the order of the file; pieces that were
  /// not begun by then are not written. One call at a time.
  void write(const WriteTarget &to, int64_t offset_bytes, std::span<const iovec> parts, StoreCounters &counters);
  /// Closes the second descriptor: the result of close(2).
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

  const WritePolicy policy_;
  int direct_ = -1;
  std::atomic<bool> refused_ = false;
};

}  // namespace sv
