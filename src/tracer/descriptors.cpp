#include "tracer/descriptors.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <new>

#include "trace/lock.hpp"
#include "tracer/files.hpp"
#include "tracer/process.hpp"

namespace sv::profile {

namespace {

// The meaning of a descriptor: unknown, no traced file, or the description of this number. Descriptors beyond the
// table, and descriptions beyond theirs, are not traced.
constexpr uint32_t unknown = 0, untraced = 1;
constexpr int most = 1 << 16;

struct Table {
  trace::Lock lock;  // of all changes
  std::atomic<uint32_t> meanings[most]{};
  std::atomic<int> end{0};  // beyond all descriptors that had a meaning
  Description descriptions[most + 2];
  uint32_t free[most];  // numbers that are free again
  uint32_t n_free = 0, used = 0;
};
constinit Table table{};  // all zero, so it takes no room before it is used

bool in_table(int descriptor) { return descriptor >= 0 && descriptor < most; }

// Under the lock.
void give_meaning(int descriptor, uint32_t meaning) {
  const uint32_t before = table.meanings[descriptor].exchange(meaning);
  if (meaning > untraced) ++table.descriptions[meaning].descriptors;
  if (before > untraced && --table.descriptions[before].descriptors == 0) table.free[table.n_free++] = before;
  if (descriptor >= table.end) table.end = descriptor + 1;
}

void set_meaning(int descriptor, uint32_t meaning) {
  if (!is_tracing() || !in_table(descriptor) || table.meanings[descriptor].load() == meaning) return;
  const Unseen unseen;
  const trace::Lock::Held held(table.lock);
  give_meaning(descriptor, meaning);
}

// A file without a name any more (a scratch file) is shown with this after the name under which it was opened.
constexpr std::string_view after_deleted = " (deleted)";

// Without a recorder, nothing is traced.
Description *look_up(trace::Recorder *records, int descriptor, bool at_beginning) {
  const Unseen unseen;
  char link[32], path[PATH_MAX];
  struct stat what {};
  const bool regular = fstat(descriptor, &what) == 0 && S_ISREG(what.st_mode);
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = regular ? readlink(link, path, sizeof path - 1) : -1;
  const std::string_view target(path, static_cast<size_t>(std::max<ssize_t>(length, 0)));
  path[target.size()] = '\0';
  if (what.st_nlink == 0 && target.ends_with(after_deleted)) path[target.size() - after_deleted.size()] = '\0';
  const int flags = length > 0 ? fcntl(descriptor, F_GETFL) : -1;
  const bool traced = records != nullptr && flags >= 0 && is_traced(path);
  const trace::Lock::Held held(table.lock);
  const uint32_t number = !traced ? untraced : table.n_free > 0 ? table.free[--table.n_free] : untraced + ++table.used;
  if (traced) {
    Description &made = table.descriptions[number];
    made.file = records->file(path);
    made.appends = (flags & O_APPEND) != 0;
    made.position = at_beginning ? 0 : -1;
    made.family = family();
  }
  give_meaning(descriptor, number);
  return traced ? &table.descriptions[number] : nullptr;
}

}  // namespace

int64_t Description::offset() const {
  return appends || family.load(std::memory_order_relaxed) != profile::family()
             ? -1
             : position.load(std::memory_order_relaxed);
}

void Description::move_to(int64_t to) {
  position.store(to, std::memory_order_relaxed);
  family.store(profile::family(), std::memory_order_relaxed);
}

void Description::move_by(int64_t bytes) {
  if (position.load(std::memory_order_relaxed) >= 0) position.fetch_add(bytes, std::memory_order_relaxed);
}

Description *known_description_of(int descriptor) {
  if (!is_tracing() || !in_table(descriptor)) return nullptr;
  const uint32_t meaning = table.meanings[descriptor].load(std::memory_order_acquire);
  return meaning > untraced ? &table.descriptions[meaning] : nullptr;
}

Description *description_of(int descriptor) {
  Description *const known = known_description_of(descriptor);
  if (known != nullptr || !is_tracing() || !in_table(descriptor) || table.meanings[descriptor] == untraced)
    return known;
  const int error = errno;
  Description *const found = look_up(recorder(), descriptor, false);
  errno = error;
  return found;
}

Description *opened(trace::Recorder &recorder, int descriptor) {
  if (!in_table(descriptor)) return nullptr;
  const int error = errno;
  Description *const found = look_up(&recorder, descriptor, true);
  errno = error;
  return found;
}

void opened_untraced(int descriptor) { set_meaning(descriptor, untraced); }
void closes(int descriptor) { set_meaning(descriptor, unknown); }

void closes_all(unsigned first, unsigned last) {
  const auto end = static_cast<unsigned>(table.end.load());
  for (unsigned descriptor = first; descriptor < end && descriptor <= last; ++descriptor)
    closes(static_cast<int>(descriptor));
}

void duplicated(int from, int to) {
  if (!is_tracing() || !in_table(to) || from == to) return;
  const Unseen unseen;
  const trace::Lock::Held held(table.lock);
  give_meaning(to, in_table(from) ? table.meanings[from].load() : unknown);
}

void forget_descriptors() {
  new (&table.lock) trace::Lock;
  const int end = table.end.exchange(0);
  for (int descriptor = 0; descriptor < end; ++descriptor) table.meanings[descriptor] = unknown;
  for (uint32_t i = 1; i <= table.used; ++i) new (&table.descriptions[untraced + i]) Description;
  table.n_free = table.used = 0;
}

}  // namespace sv::profile
