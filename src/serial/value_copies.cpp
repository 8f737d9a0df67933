#include "serial/value_copies.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <new>
#include <utility>

#include "base/mutex.hpp"

namespace sv {

namespace {

constexpr int64_t small_page = 4096, huge_page = 2 << 20, small_part = block_bytes / 4;
constexpr int64_t most_bytes = 256 << 20;  // of all rooms, unless more are in use

int64_t rounded_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

using Room = ValueCopies::Room;

/// The rooms of the process.
class Rooms {
 public:
  static Rooms &own() {
    static auto *const rooms = new Rooms;
    return *rooms;
  }

  /// The shortest free one that is long enough, unless most of it would be of no use.
  Room take(int64_t bytes) SV_EXCLUDES(mutex_) {
    const int64_t length = rounded_up(bytes, bytes < huge_page ? small_part : huge_page);
    {
      const MutexLock lock(mutex_);
      if (const auto found = find(length); found != free_.end()) {
        Room room = std::move(*found);
        free_.erase(found);
        return room;
      }
      for (; !free_.empty() && bytes_ + length > most_bytes; free_.pop_back()) bytes_ -= free_.back().length;
      bytes_ += length;
    }
    return made(length);
  }

  void give_back(Room room) noexcept SV_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (bytes_ > most_bytes) {
      bytes_ -= room.length;
      return;
    }
    free_.insert(std::lower_bound(free_.begin(), free_.end(), room.length, is_shorter), std::move(room));
  }

  /// So many like `room` are free afterwards, and their pages exist, if there is memory for them.
  void prepare(const Room &room, int64_t wanted) SV_EXCLUDES(mutex_) {
    {
      const MutexLock lock(mutex_);
      const auto is_like = [&room](const Room &each) { return fits(each, room.length); };
      if (std::count_if(free_.begin(), free_.end(), is_like) >= wanted || bytes_ + room.length > most_bytes) return;
      bytes_ += room.length;
    }
    Room ready = made(room.length);
    for (int64_t at = 0; at < ready.length; at += small_page) ready.first[at] = std::byte{};
    give_back(std::move(ready));
  }

 private:
  static bool is_shorter(const Room &room, int64_t length) { return room.length < length; }
  static bool fits(const Room &room, int64_t length) { return room.length >= length && room.length <= 2 * length; }

  std::vector<Room>::iterator find(int64_t length) SV_REQUIRES(mutex_) {
    const auto found = std::lower_bound(free_.begin(), free_.end(), length, is_shorter);
    return found != free_.end() && fits(*found, length) ? found : free_.end();
  }

  /// It is among the bytes already.
  Room made(int64_t length) SV_EXCLUDES(mutex_) {
    auto *const begin =
        static_cast<std::byte *>(std::aligned_alloc(length < huge_page ? small_page : huge_page, length));
    if (begin == nullptr) {
      const MutexLock lock(mutex_);
      bytes_ -= length;
      throw std::bad_alloc();
    }
    if (length >= huge_page) madvise(begin, static_cast<size_t>(length), MADV_HUGEPAGE);  // works without it, too
    return {{begin, std::free}, length};
  }

  Mutex mutex_;
  std::vector<Room> free_ SV_GUARDED_BY(mutex_);  // by length
  int64_t bytes_ SV_GUARDED_BY(mutex_) = 0;       // of all rooms
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

void ValueCopies::prepare_next() const {
  std::map<int64_t, int64_t> wanted;  // rooms, by length
  for (const Room &each : rooms_) Rooms::own().prepare(each, ++wanted[each.length]);
}

std::byte *ValueCopies::add(const Slab &slab, int64_t bytes) {
  std::byte *const first = room(bytes);
  parts_.push_back({slab, {first, static_cast<size_t>(bytes)}, false});
  bytes_ += bytes;
  return first;
}

}  // namespace sv
