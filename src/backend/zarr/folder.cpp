#include "backend/zarr/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "store/access_rights.hpp"
#include "store/syncing.hpp"
#include "store/whole_writes.hpp"

namespace sv::zarr {

namespace {

std::string above(const std::string &name) {
  const size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

std::string last_part(const std::string &name) { return name.substr(name.rfind('/') + 1); }  // npos + 1 is 0

bool is_absent(int error) { return error == ENOENT || error == ENOTDIR; }

}  // namespace

Folder::Folder(const std::string &path, std::string shown, Links links)
    : path_(shown.empty() ? path : std::move(shown)), links_(links) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw system_error(errno, "cannot open the directory", path_);
}

Folder::Folder(Folder &&other) noexcept { *this = std::move(other); }

Folder &Folder::operator=(Folder &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(links_, other.links_);
  std::swap(progress_, other.progress_);
  std::swap(last_name_, other.last_name_);
  std::swap(last_directory_, other.last_directory_);
  std::swap(unsynced_, other.unsynced_);
  std::swap(changed_, other.changed_);
  return *this;
}

Folder::~Folder() { close(); }

void Folder::close() {
  forget_directory();
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

bool Folder::is_at(const std::string &path) const {
  struct stat own {
  }, other{};
  if (::fstat(descriptor_, &own) != 0) throw system_error(errno, "cannot look at the directory", path_);
  if (::lstat(path.c_str(), &other) == 0) return own.st_ino == other.st_ino && own.st_dev == other.st_dev;
  if (!is_absent(errno)) throw system_error(errno, "cannot look at the path", path);
  return false;
}

bool Folder::lock() { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

/// A link might lead to files that no group has, and that would then be written or removed.
void Folder::check_no_link(int directory, const std::string &part, const std::string &name) const {
  struct stat status {};
  if (::fstatat(directory, part.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISLNK(status.st_mode)) return;
  throw Error(Status::access,
              "'" + shown(name) +
                  "' is a symbolic link, and none is followed inside a Zarr group that is written or "
                  "not trusted",
              "Put what it points to in its place, or copy the group with sv-copy")
      .in_file(path_);
}

void Folder::forget_directory() const {
  if (last_directory_ >= 0) ::close(std::exchange(last_directory_, -1));
  last_name_.clear();
}

/// The descriptor of a directory below this one, −1 where there is none; it stays until the next call.
int Folder::directory_of(const std::string &name) const {
  if (name.empty()) return descriptor_;
  if (last_directory_ >= 0 && name == last_name_) return last_directory_;
  int found = descriptor_;
  for (size_t from = 0, to = 0; to < name.size(); from = to + 1) {
    to = std::min(name.find('/', from), name.size());
    const std::string part = name.substr(from, to - from);
    const int next = ::openat(found, part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    if (next < 0 && error != ENOENT) check_no_link(found, part, name.substr(0, to));
    if (found != descriptor_) ::close(found);
    if (next < 0 && is_absent(error)) return -1;
    if (next < 0) throw system_error(error, "cannot open the directory", shown(name));
    found = next;
  }
  forget_directory();
  last_name_ = name;
  return last_directory_ = found;
}

/// Where a name stands. A directory of −1: its directory is not there.
PositionalFile::Entry Folder::entry_of(const std::string &name) const {
  if (links_ == Links::follow) return {descriptor_, name, true};
  return {directory_of(above(name)), last_part(name), false};
}

bool Folder::has(const std::string &name) const {
  const PositionalFile::Entry entry = entry_of(name);
  if (entry.directory < 0) return false;
  const int flags = entry.follows_links ? 0 : AT_SYMLINK_NOFOLLOW;
  if (::faccessat(entry.directory, entry.name.c_str(), F_OK, flags) == 0) return true;
  if (!is_absent(errno)) throw system_error(errno, "cannot look for the file", shown(name));
  return false;
}

void Folder::take_rights_at(const std::string &place, bool is_being_written) {
  give_rights(descriptor_, path_, rights_at(place), is_being_written);
}

PositionalFile Folder::opened(const std::string &name) const {
  const PositionalFile::Entry entry = entry_of(name);
  if (entry.directory < 0) return {};
  try {
    return {entry, PositionalFile::Mode::read, shown(name)};
  } catch (const Error &error) {
    if (error.status() == Status::not_found) return {};
    if (links_ == Links::refuse) check_no_link(entry.directory, entry.name, name);
    throw;
  }
}

namespace {

class FileObject final : public Object {
 public:
  explicit FileObject(PositionalFile file) : file_(std::move(file)) {}
  const std::string &path() const override { return file_.path(); }
  int64_t size() const override { return file_.size(); }
  int64_t read(int64_t offset_bytes, std::span<std::byte> bytes, StoreCounters &counters) override {
    return file_.read(offset_bytes, bytes, counters);
  }
  void will_read() override { file_.will_read(0, 0); }

 private:
  PositionalFile file_;
};

}  // namespace

std::unique_ptr<Object> Folder::open(const std::string &name) const {
  PositionalFile file = opened(name);
  return file.is_open() ? std::make_unique<FileObject>(std::move(file)) : nullptr;
}

std::vector<Entry> Folder::list(const std::string &name) const {
  if (links_ == Links::refuse) {
    const int directory = directory_of(name);
    return directory < 0 ? std::vector<Entry>() : entries_of(directory, shown(name));
  }
  const int directory = ::openat(descriptor_, name.empty() ? "." : name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0 && is_absent(errno)) return {};
  if (directory < 0) throw system_error(errno, "cannot list the directory", shown(name));
  try {
    std::vector<Entry> all = entries_of(directory, shown(name));
    ::close(directory);
    return all;
  } catch (...) {
    ::close(directory);
    throw;
  }
}

/// An existing file is not truncated: ranks that have it open go on reading it.
PositionalFile Folder::made(const std::string &name, PositionalFile::Mode mode) {
  for (int attempts = 0;; ++attempts) {
    constexpr int most_attempts = 2;  // its directory was not there, and then something has its name
    const PositionalFile::Entry entry{directory_of(above(name)), last_part(name), false};
    if (entry.directory < 0 && attempts < most_attempts) {
      make_directory(above(name));
      continue;
    }
    try {
      return {entry, mode, shown(name)};
    } catch (const Error &error) {
      if (attempts == most_attempts) throw;
      if (error.status() == Status::exists) {
        check_no_link(entry.directory, entry.name, name);
        if (::unlinkat(entry.directory, entry.name.c_str(), 0) != 0 && errno != ENOENT)
          throw system_error(errno, "cannot remove an old file", shown(name));
      } else if (error.status() == Status::not_found) {
        forget_directory();  // somebody has removed it
      } else {
        throw;
      }
    }
  }
}

/// What takes the place of another file has the rights of that one before it has bytes. A file that may not be written
/// keeps its place.
PositionalFile Folder::made_for(const std::string &name) {
  const PositionalFile old = opened(name);
  if (!old.is_open()) return made(name + part_ending, PositionalFile::Mode::make);
  const PositionalFile::Entry entry = entry_of(name);
  if (::faccessat(entry.directory, entry.name.c_str(), W_OK, AT_EACCESS) != 0)
    throw system_error(errno, "the file may not be written, so that no other one takes its place", shown(name));
  PositionalFile file = made(name + part_ending, PositionalFile::Mode::make_private);
  file.take_rights_of(old);
  return file;
}

/// From now on, the file that was made for it has this name.
void Folder::take_place(const std::string &name) {
  const PositionalFile::Entry to = entry_of(name);
  const std::string from = to.name + part_ending;
  has_changed(name);
  unsynced_.erase(name);
  if (::renameat(to.directory, from.c_str(), to.directory, to.name.c_str()) != 0)
    throw system_error(errno, "cannot rename '" + from + "'", shown(name));
}

void Folder::put(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters) {
  PositionalFile file = at_once ? made_for(name) : made(name, PositionalFile::Mode::make);
  file.write(0, parts, counters);
  if (at_once) file.sync();  // otherwise the name might be there before what it names
  file.close();
  if (at_once) return take_place(name);
  has_changed(name);
  if (unsynced_.size() >= most_unsynced)
    sync_entries(std::exchange(unsynced_, {}));  // so that a long run needs no more memory
  unsynced_.insert(name);
}

void Folder::put(const std::vector<Text> &texts, StoreCounters &counters) {
  std::set<std::string> parts;
  for (const auto &[name, text] : texts) {
    iovec all{const_cast<char *>(text.data()), text.size()};  // it is only read
    PositionalFile file = made_for(name);
    file.write(0, std::span(&all, 1), counters);
    file.close();
    parts.insert(name + part_ending);
  }
  sync_entries(parts);
  for (const Text &each : texts) take_place(each.name);
}

void Folder::make_directory(const std::string &name) {
  int parent = directory_of(above(name));
  if (parent < 0) {
    make_directory(above(name));
    parent = directory_of(above(name));
  }
  if (::mkdirat(parent, last_part(name).c_str(), 0777) != 0 && errno != EEXIST)
    throw system_error(errno, "cannot make the directory", shown(name));
}

void Folder::remove_chunks(const std::string &name) {
  const int directory = directory_of(above(name));
  if (directory < 0) return;
  zarr::remove_chunks(directory, last_part(name), shown(above(name)), progress_);
  forget_directory();
  has_changed(name);
}

void Folder::remove_parts(const std::string &name) {
  if (const int directory = directory_of(name); directory >= 0) zarr::remove_parts(directory, shown(name), progress_);
}

namespace {

void sync_entry(int directory, const std::string &name, const std::string &shown) {
  const int entry = ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (entry < 0 && is_absent(errno)) return;  // replaced by nothing: it was removed since
  const bool synced = entry >= 0 && uninterrupted([&] { return ::fsync(entry); }) == 0;
  const int error = errno;
  if (entry >= 0) ::close(entry);
  if (!synced) throw system_error(error, "cannot put the file on the disk", shown);
}

}  // namespace

void Folder::sync_entries(const std::set<std::string> &entries) {
  const std::vector<std::string> names(entries.begin(), entries.end());
  sync_many(std::ssize(names), progress_,
            [&](size_t number) { sync_entry(descriptor_, names[number], shown(names[number])); });
}

void Folder::sync() {
  sync_entries(unsynced_);
  sync_entries(changed_);
  unsynced_.clear();
  changed_.clear();
}

/// Directories above it may be new.
void Folder::has_changed(const std::string &name) {
  changed_.insert(".");
  for (std::string each = above(name); !each.empty() && changed_.insert(each).second; each = above(each)) {
  }
}

}  // namespace sv::zarr
