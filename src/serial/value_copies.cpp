#include "serial/value_copies.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "base/mutex.hpp"

namespace sv {

namespace {

constexpr int64_t huge_page = 2 << 20, small_part = block_bytes / 4;
constexpr int64_t most_kept_bytes = 256 << 20;

int64_t rounded_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

using Room = ValueCopies::Room;

/// The rooms of the process that are free.
class Rooms {
 public:
  static Rooms &own() {
    static auto *const rooms = new Rooms;
    return *rooms;
  }

  /// The shortest that is long enough, unless most of it would be of no use.
  Room take(int64_t bytes) SV_EXCLUDES(mutex_) {
    const int64_t length = rounded_up(bytes, bytes < huge_page ? small_part : huge_page);
    {
      const MutexLock lock(mutex_);
      const auto found = std::lower_bound(free_.begin(), free_.end(), length, is_shorter);
      if (found != free_.end() && found->length <= 2 * length) {
        Room room = std::move(*found);
        free_.erase(found);
        kept_bytes_ -= room.length;
        return room;
      }
    }
    auto *const begin = static_cast<std::byte *>(std::aligned_alloc(length < huge_page ? 4096 : huge_page, length));
    if (begin == nullptr) throw std::bad_alloc();
    if (length >= huge_page) madvise(begin, static_cast<size_t>(length), MADV_HUGEPAGE);  // works without it, too
    return {{begin, std::free}, length};
  }

  void give_back(Room room) noexcept SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (kept_bytes_ + room.length > most_kept_bytes) return;
    kept_bytes_ += room.length;
    free_.insert(std::lower_bound(free_.begin(), free_.end(), room.length, is_shorter), std::move(room));
  }

 private:
  static bool is_shorter(const Room &room, int64_t length) { return room.length < length; }

  Mutex mutex_;
  std::vector<Room> free_ SV_GUARDED_BY(mutex_);  // by length
  int64_t kept_bytes_ SV_GUARDED_BY(mutex_) = 0;
};

}  // namespace

ValueCopies::~ValueCopies() {
  Blocks::own().give_back(std::move(blocks_));
  for (Room &each : rooms_) Rooms::own().give_back(std::move(each));
}

std::byte *ValueCopies::room(int64_t bytes) {
  if (bytes > small_part) {
    rooms_.push_back(Rooms::own().take(bytes));
    return rooms_.back().first.get();
  }
  if (left_ < bytes) {
    blocks_.push_back(Blocks::own().take());
    left_ = block_bytes;
  }
  std::byte *const first = blocks_.back().get() + (block_bytes - left_);
  left_ = std::max<int64_t>(0, left_ - rounded_up(bytes, 8));
  return first;
}

std::byte *ValueCopies::add(const Slab &slab, int64_t bytes) {
  std::byte *const first = room(bytes);
  parts_.push_back({slab, {first, static_cast<size_t>(bytes)}, false});
  bytes_ += bytes;
  return first;
}

}  // namespace sv
