#include "store/positional_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "store/access_rights.hpp"
#include "store/shared_storage.hpp"
#include "store/striping.hpp"
#include "store/whole_writes.hpp"

namespace sv {
namespace {

void check(bool success, const char *what, const std::string &path) {
  if (!success) throw system_error(errno, what, path);
}

bool makes(PositionalFile::Mode mode) {
  return mode == PositionalFile::Mode::make || mode == PositionalFile::Mode::make_private;
}

// O_NONBLOCK: a pipe without a writer must not hold up who opens it; regular files know no such thing.
int flags_of(PositionalFile::Mode mode) {
  if (makes(mode)) return O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
  const int itself = mode == PositionalFile::Mode::itself ? O_NOFOLLOW : 0;
  return (mode == PositionalFile::Mode::update ? O_RDWR : O_RDONLY) | O_NONBLOCK | itself;
}

// Of bytes that no data reach, since a file system or a library may lock those for itself (ROMIO does).
struct flock lock_of_byte(short type, int64_t offset_bytes) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = offset_bytes;
  range.l_len = 1;
  return range;
}

struct flock lock_of_writer() {
  return lock_of_byte(F_WRLCK, INT64_MAX - 1);
}

/// Where the system would write whole pages in place of parts, it no longer does; where it refuses the lock that this
/// takes, because all that is written goes to the server at once. Returns the descriptor to be used from now on, or -1.
int writing_parts(int descriptor) {
  const SharedStorage *const storage = shared_storage_of(descriptor);
  if (storage == nullptr || !storage->widens_writes) return descriptor;
  struct flock range = lock_of_byte(F_RDLCK, INT64_MAX - 2);
  if (uninterrupted([&] { return ::fcntl(descriptor, F_OFD_SETLK, &range); }) == 0) return descriptor;
  const std::string same = "/proc/self/fd/" + std::to_string(descriptor);
  const int synchronous = uninterrupted([&] { return ::open(same.c_str(), O_RDWR | O_DSYNC | O_CLOEXEC); });
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return synchronous;
}

/// Another host may have lengthened a file since this one has asked for its size: synchronising asks again. Whether
/// that may be.
bool ask_for_size(int descriptor) {
  const SharedStorage *const storage = shared_storage_of(descriptor);
  return storage != nullptr && storage->late && uninterrupted([&] { return ::fsync(descriptor); }) == 0;
}

const StripeCalls *stripe_calls(const SharedStorage *storage) {
  return storage == nullptr ? nullptr : storage->stripes;
}

}  // namespace

PositionalFile::PositionalFile(const std::string &path, Mode mode, std::string shown_path)
    : PositionalFile(Entry{AT_FDCWD, path}, mode, shown_path.empty() ? path : std::move(shown_path)) {}

PositionalFile::PositionalFile(const Entry &entry, Mode mode, std::string shown_path) : path_(std::move(shown_path)) {
  const bool asks = makes(mode) && entry.stripes.is_chosen();
  const StripeCalls *const calls = asks ? stripe_calls(shared_storage_around(entry.name)) : nullptr;
  const int flags = flags_of(mode) | O_CLOEXEC | (entry.follows_links ? 0 : O_NOFOLLOW);
  const mode_t bits = mode == Mode::make_private ? 0600 : 0666;
  if (calls != nullptr)
    descriptor_ = calls->create({entry.directory, entry.name.c_str(), flags, bits}, entry.stripes);
  else
    descriptor_ = uninterrupted([&] { return ::openat(entry.directory, entry.name.c_str(), flags, bits); });
  check(descriptor_ >= 0, makes(mode) ? "cannot create the file" : "cannot open the file", path_);
  if (makes(mode) || mode == Mode::update) {
    descriptor_ = writing_parts(descriptor_);
    check(is_open(), "cannot open the file for writing parts of pages", path_);
    return;
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || S_ISREG(status.st_mode)) return;
  ::close(std::exchange(descriptor_, -1));
  if (S_ISDIR(status.st_mode)) throw system_error(EISDIR, "cannot open the file", path_);
  throw Error(Status::format, "this is a pipe or a device, no file", "Give the name of a file").in_file(path_);
}

PositionalFile::PositionalFile(PositionalFile &&other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      place_(std::exchange(other.place_, std::nullopt)),
      large_(std::move(other.large_)) {}

PositionalFile &PositionalFile::operator=(PositionalFile &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(place_, other.place_);
  std::swap(large_, other.large_);
  return *this;
}

PositionalFile::~PositionalFile() {
  if (is_open()) ::close(descriptor_);
}

void PositionalFile::write_by(const WritePolicy &policy) {
  if (!policy.is_plain()) large_ = std::make_unique<LargeWrites>(policy);
}

void PositionalFile::write(int64_t offset_bytes, std::span<const std::byte> bytes, StoreCounters &counters) {
  if (large_ == nullptr || !large_->takes(bytes.size()))
    return write_whole({descriptor_, path_}, offset_bytes, bytes, counters);
  const iovec all{const_cast<std::byte *>(bytes.data()), bytes.size()};  // that are only read
  large_->write({descriptor_, path_}, offset_bytes, std::span(&all, 1), counters);
}

void PositionalFile::write(int64_t offset_bytes, std::span<iovec> parts, StoreCounters &counters) {
  size_t bytes = 0;
  for (const iovec &part : parts) bytes += part.iov_len;
  if (large_ != nullptr && large_->takes(bytes))
    return large_->write({descriptor_, path_}, offset_bytes, parts, counters);
  write_whole({descriptor_, path_}, offset_bytes, parts, counters);
}

int64_t PositionalFile::read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters) {
  int64_t total = 0;
  bool has_asked = false;
  while (!bytes.empty()) {
    const ssize_t done = uninterrupted([&] { return ::pread(descriptor_, bytes.data(), bytes.size(), offset_bytes); });
    check(done >= 0, "reading failed", path_);
    ++counters.reads;
    if (done == 0) {
      if (std::exchange(has_asked, true) || !ask_for_size(descriptor_)) break;
      continue;
    }
    counters.read_bytes += done;
    offset_bytes += done;
    total += done;
    bytes = bytes.subspan(static_cast<size_t>(done));
  }
  return total;
}

int64_t PositionalFile::size() const {
  struct stat status {};
  check(::fstat(descriptor_, &status) == 0, "cannot find out the size of the file", path_);
  return status.st_size;
}

void PositionalFile::resize(int64_t bytes) {
  check(uninterrupted([&] { return ::ftruncate(descriptor_, bytes); }) == 0, "cannot set the length of the file",
        path_);
}

bool PositionalFile::allocate(int64_t bytes) {
  const int result = uninterrupted([&] { return ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, bytes); });
  const bool knows = result == 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL && errno != ENODEV);
  check(result == 0 || !knows, "cannot take the room of the header", path_);
  return knows;
}

bool PositionalFile::map_at(void *place, size_t bytes) const {
  return ::mmap(place, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor_, 0) != MAP_FAILED;
}

PositionalFile PositionalFile::duplicate() const {
  PositionalFile other;
  other.path_ = path_;
  other.descriptor_ = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  check(other.is_open(), "cannot duplicate the descriptor", path_);
  return other;
}

void PositionalFile::sync() {
  check(uninterrupted([&] { return ::fsync(descriptor_); }) == 0, "cannot put the file on the disk", path_);
  forget_late_pages();
}

/// In pieces, since Linux fetches no more for one request than its window for reading ahead (force_page_cache_ra in
/// mm/readahead.c), which is 128 KiB by default.
void PositionalFile::will_read(int64_t offset_bytes, int64_t bytes) {
  constexpr int64_t piece_bytes = 128 << 10;
  const int64_t end = bytes > 0 ? offset_bytes + bytes : size();
  for (int64_t at = offset_bytes; at < end; at += piece_bytes)
    ::posix_fadvise(descriptor_, at, std::min(piece_bytes, end - at), POSIX_FADV_WILLNEED);
}

void PositionalFile::forget_late_pages() {
  const SharedStorage *const storage = shared_storage_of(descriptor_);
  if (storage != nullptr && storage->late) ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
}

// Not repeated when interrupted: the descriptor is gone all the same.
void PositionalFile::close() {
  if (!is_open()) return;
  const bool second = large_ == nullptr || large_->close() == 0 || errno == EINTR;
  const int reason = errno;
  const bool first = ::close(std::exchange(descriptor_, -1)) == 0 || errno == EINTR;
  place_.reset();
  if (first) errno = reason;
  check(first && second, "closing the file failed, so its data may be lost", path_);
}

bool PositionalFile::is_at(const std::string &path) const {
  struct stat own {
  }, other{};
  if (!place_) {
    check(::fstat(descriptor_, &own) == 0, "cannot look at the file", path_);
    place_ = {own.st_dev, own.st_ino};
  }
  if (::lstat(path.c_str(), &other) == 0) return place_->number == other.st_ino && place_->device == other.st_dev;
  check(errno == ENOENT || errno == ENOTDIR, "cannot look at the path", path_);
  return false;
}

bool PositionalFile::lock() {
  struct flock range = lock_of_writer();
  const int result = uninterrupted([&] { return ::fcntl(descriptor_, F_OFD_SETLK, &range); });
  return result == 0 || (errno != EAGAIN && errno != EACCES);
}

bool PositionalFile::is_locked() const {
  struct flock range = lock_of_writer();
  const int result = uninterrupted([&] { return ::fcntl(descriptor_, F_OFD_GETLK, &range); });
  return result == 0 && range.l_type != F_UNLCK;
}

uid_t PositionalFile::owner() const {
  struct stat status {};
  check(::fstat(descriptor_, &status) == 0, "cannot look at the file", path_);
  return status.st_uid;
}

void PositionalFile::take_rights_at(const std::string &place, bool is_being_written) {
  give_rights(descriptor_, path_, rights_at(place), is_being_written);
}

void PositionalFile::take_rights_of(const PositionalFile &other) {
  give_rights(descriptor_, path_, rights_of(other.descriptor_, other.path_), true);
}

std::vector<std::string> PositionalFile::stripe_remarks(const FileStripes &wanted) const {
  const StripeCalls *const calls = wanted.is_chosen() ? stripe_calls(shared_storage_of(descriptor_)) : nullptr;
  if (calls == nullptr) return {};
  const std::optional<FileStripes> found = calls->stripes(descriptor_);
  const std::string asked = in_words(wanted), in_force = found ? in_words(*found) : "unknown stripes";
  return {in_force + (in_force == asked ? "" : ", although the file system was asked for " + asked)};
}

}  // namespace sv
