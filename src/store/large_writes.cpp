#include "store/large_writes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/arithmetic.hpp"

namespace sv {

namespace {

// Of the file and of memory. A file system that needs more refuses, and the data are written through the cache.
constexpr int64_t page_bytes = IoThreads::page_bytes;

int64_t align_down(int64_t value, int64_t unit) { return value / unit * unit; }

/// `bytes` of them from byte `from` on.
std::vector<iovec> parts_from(std::span<const iovec> parts, int64_t from, int64_t bytes) {
  std::vector<iovec> some;
  for (const iovec &part : parts) {
    const auto length = static_cast<int64_t>(part.iov_len);
    const int64_t begin = std::clamp<int64_t>(from, 0, length), end = std::clamp<int64_t>(from + bytes, 0, length);
    if (begin < end)
      some.push_back({static_cast<std::byte *>(part.iov_base) + begin, static_cast<size_t>(end - begin)});
    from -= length;
    if (from + bytes <= 0) break;
  }
  return some;
}

bool is_on_page(const iovec &part) { return reinterpret_cast<uintptr_t>(part.iov_base) % page_bytes == 0; }

/// The first bytes of the parts, at most so many, in one piece.
size_t copy_front(std::span<const iovec> parts, std::byte *to, size_t most) {
  size_t done = 0;
  for (const iovec &part : parts) {
    const size_t bytes = std::min(part.iov_len, most - done);
    std::memcpy(to + done, part.iov_base, bytes);
    done += bytes;
    if (done == most) break;
  }
  return done;
}

bool is_refusal(int error) { return error == EINVAL || error == EOPNOTSUPP; }

}  // namespace

LargeWrites::~LargeWrites() { close(); }

int LargeWrites::close() { return direct_ < 0 ? 0 : ::close(std::exchange(direct_, -1)); }

/// Opens the same file once more, under its present name.
bool LargeWrites::opens_direct(const WriteTarget &to) {
  if (!policy_.direct || refused_) return false;
  if (direct_ >= 0) return true;
  const std::string own = "/proc/self/fd/" + std::to_string(to.descriptor);
  direct_ = uninterrupted([&] { return ::open(own.c_str(), O_WRONLY | O_DIRECT | O_CLOEXEC); });
  refused_ = direct_ < 0;
  return !refused_;
}

/// Cut where stripes end, and where whole pages begin and end: as many as may be written at a time, of about one size.
std::vector<LargeWrites::Piece> LargeWrites::pieces_of(int64_t begin, int64_t end, bool direct) const {
  const int64_t first = align_down(begin, policy_.piece_bytes);
  const int64_t length = align_up((end - first + policy_.depth - 1) / policy_.depth, policy_.piece_bytes);
  const int64_t pages_begin = align_up(begin, page_bytes), pages_end = align_down(end, page_bytes);
  std::vector<Piece> pieces;
  for (int64_t at = begin; at < end; at = pieces.back().end) {
    int64_t next = std::min(align_down(at - first, length) + first + length, end);
    if (direct && at < pages_begin) next = std::min(next, pages_begin);
    if (direct && at < pages_end) next = std::min(next, pages_end);
    pieces.push_back({at, next, direct && at >= pages_begin && next <= pages_end});
  }
  return pieces;
}

void LargeWrites::write(const WriteTarget &to, int64_t offset_bytes, std::span<const iovec> parts,
                        StoreCounters &counters) {
  int64_t end = offset_bytes;
  for (const iovec &part : parts) end += static_cast<int64_t>(part.iov_len);
  std::vector<Piece> pieces = pieces_of(offset_bytes, end, opens_direct(to));
  std::atomic<bool> failed = false;
  policy_.lanes->run(policy_.depth, static_cast<int>(pieces.size()), [&](int i) {
    Piece &piece = pieces[static_cast<size_t>(i)];
    if (failed) return;
    try {
      write_piece(to, parts_from(parts, piece.begin - offset_bytes, piece.end - piece.begin), piece);
    } catch (const Error &error) {
      piece.error = error;
    } catch (const std::bad_alloc &) {
      piece.error = system_error(ENOMEM, "writing failed", to.path);
    } catch (...) {
      piece.error = handled_error(-1).in_file(to.path);
    }
    if (piece.error) failed = true;
  });
  counters.direct_refused = counters.direct_refused || refused_;
  for (const Piece &piece : pieces) {
    counters.add(piece.counters);
    if (counters.ranges != nullptr && piece.counters.written_bytes > 0)
      counters.ranges->add(piece.begin, piece.counters.written_bytes);
  }
  for (const Piece &piece : pieces)
    if (piece.error) throw Error(*piece.error);
}

void LargeWrites::write_piece(const WriteTarget &to, std::vector<iovec> parts, Piece &piece) {
  std::span<iovec> left(parts);
  if (piece.direct) write_past_cache(to, left, piece);
  write_whole(to, piece.begin + piece.counters.written_bytes, left, piece.counters);
}

/// Until all is written, or the system refuses or takes only a part: the page cache gets the rest. Data that are not
/// aligned to a page of memory are copied; a buffer that is used again and again stays in the processor's cache.
void LargeWrites::write_past_cache(const WriteTarget &to, std::span<iovec> &parts, Piece &piece) {
  IoThreads::Room room;
  while (!parts.empty() && !refused_) {
    iovec from = parts.front();
    if (!is_on_page(from) || parts.size() > 1) {
      if (room == nullptr) room = policy_.lanes->room();
      from = {room.get(), copy_front(parts, room.get(), IoThreads::room_bytes)};
    }
    const int64_t at = piece.begin + piece.counters.written_bytes;
    const ssize_t done = uninterrupted([&] { return ::pwrite(direct_, from.iov_base, from.iov_len, at); });
    if (done < 0 && is_refusal(errno)) {
      refused_ = true;
      return;
    }
    count_write(to, done, at, piece.counters);
    piece.counters.direct_bytes += done;
    drop_front(parts, static_cast<size_t>(done));
    if (static_cast<size_t>(done) < from.iov_len) return;
  }
}

}  // namespace sv
