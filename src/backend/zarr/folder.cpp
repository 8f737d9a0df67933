#include "backend/zarr/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/error.hpp"
#include "store/access_rights.hpp"

namespace sv::zarr {

namespace {

namespace fs = std::filesystem;

constexpr const char *part_ending = ".part";

std::string above(const std::string &name) {
  const size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

bool is_absent(int error) { return error == ENOENT || error == ENOTDIR; }

}  // namespace

Folder::Folder(const std::string &path, std::string told) : path_(told.empty() ? path : std::move(told)) {
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw system_error(errno, "cannot open the directory", path_);
}

Folder::Folder(Folder &&other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      unsynced_(std::move(other.unsynced_)),
      changed_(std::move(other.changed_)) {}

Folder &Folder::operator=(Folder &&other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(unsynced_, other.unsynced_);
  std::swap(changed_, other.changed_);
  return *this;
}

Folder::~Folder() { close(); }

void Folder::close() {
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

bool Folder::has(const std::string &name) const {
  if (::faccessat(descriptor_, name.c_str(), F_OK, 0) == 0) return true;
  if (!is_absent(errno)) throw system_error(errno, "cannot look for the file", told(name));
  return false;
}

void Folder::take_rights_at(const std::string &place, bool is_being_written) {
  give_rights(descriptor_, path_, rights_at(place), is_being_written);
}

PositionalFile Folder::opened(const std::string &name) const {
  try {
    return {PositionalFile::Entry{descriptor_, name}, PositionalFile::Mode::read, told(name)};
  } catch (const Error &error) {
    if (error.status() == Status::not_found) return {};
    throw;
  }
}

std::optional<std::string> Folder::text(const std::string &name, int64_t most_bytes, StoreCounters &counters) const {
  PositionalFile file = opened(name);
  if (!file.is_open()) return std::nullopt;
  const int64_t bytes = file.size();
  if (bytes > most_bytes)
    throw Error(Status::format, "it has " + std::to_string(bytes) + " bytes, more than any that Sverdrup reads",
                "The file is damaged, or no Zarr metadata")
        .in_file(told(name));
  std::string all(static_cast<size_t>(bytes), '\0');
  const auto got = file.read(0, std::as_writable_bytes(std::span(all)), counters);
  all.resize(static_cast<size_t>(got));
  return all;
}

std::vector<std::string> Folder::names(const std::string &name) const {
  std::vector<std::string> all;
  std::error_code error;
  for (fs::directory_iterator each(place_of(name), error), end; !error && each != end; each.increment(error))
    all.push_back(each->path().filename().string());
  if (error && !is_absent(error.value())) throw system_error(error.value(), "cannot list the directory", told(name));
  std::sort(all.begin(), all.end());
  return all;
}

/// Not emptied where it is there: who has it open goes on reading it.
PositionalFile Folder::made(const std::string &name) {
  const PositionalFile::Entry entry{descriptor_, name};
  for (bool is_last = false;; is_last = true) {
    try {
      return {entry, PositionalFile::Mode::make, told(name)};
    } catch (const Error &error) {
      if (is_last) throw;
      if (error.status() == Status::exists) {
        if (::unlinkat(descriptor_, name.c_str(), 0) != 0 && errno != ENOENT)
          throw system_error(errno, "cannot remove an old file", told(name));
      } else if (error.status() == Status::not_found && !above(name).empty()) {
        make_directory(above(name));
      } else {
        throw;
      }
    }
  }
}

void Folder::write(const std::string &name, std::span<iovec> parts, bool at_once, StoreCounters &counters) {
  const std::string made_name = at_once ? name + part_ending : name;
  PositionalFile file = made(made_name);
  file.write(0, parts, counters);
  if (at_once) file.sync();  // otherwise the name might be there before what it names
  file.close();
  has_changed(name);
  if (!at_once) {
    unsynced_.insert(name);
    return;
  }
  unsynced_.erase(name);
  if (::renameat(descriptor_, made_name.c_str(), descriptor_, name.c_str()) != 0)
    throw system_error(errno, "cannot rename '" + made_name + "'", told(name));
}

void Folder::write(const std::string &name, const std::string &text, StoreCounters &counters) {
  iovec all{const_cast<char *>(text.data()), text.size()};  // it is only read
  write(name, std::span(&all, 1), true, counters);
}

void Folder::make_directory(const std::string &name) {
  if (::mkdirat(descriptor_, name.c_str(), 0777) == 0 || errno == EEXIST) return;
  if (errno != ENOENT || above(name).empty()) throw system_error(errno, "cannot make the directory", told(name));
  make_directory(above(name));
  if (::mkdirat(descriptor_, name.c_str(), 0777) != 0 && errno != EEXIST)
    throw system_error(errno, "cannot make the directory", told(name));
}

void Folder::remove(const std::string &name) {
  std::error_code error;
  fs::remove_all(place_of(name), error);
  if (error) throw system_error(error.value(), "cannot remove what was not committed", told(name));
  has_changed(name);
}

void Folder::remove_parts(const std::string &name) {
  std::vector<fs::path> parts;
  std::error_code error;
  for (fs::recursive_directory_iterator each(place_of(name), error), end; !error && each != end; each.increment(error))
    if (each->path().extension() == part_ending) parts.push_back(each->path());
  for (const fs::path &part : parts)
    if (!error) fs::remove(part, error);
  if (error && !is_absent(error.value())) throw system_error(error.value(), "cannot remove what was left", told(name));
}

void Folder::sync_entry(const std::string &name) const {
  const int entry = ::openat(descriptor_, name.c_str(), O_RDONLY | O_CLOEXEC);
  if (entry < 0 && is_absent(errno)) return;  // replaced by nothing: it was removed since
  const bool synced = entry >= 0 && ::fsync(entry) == 0;
  const int error = errno;
  if (entry >= 0) ::close(entry);
  if (!synced) throw system_error(error, "cannot put the file on the disk", told(name));
}

void Folder::sync() {
  for (const std::set<std::string> &entries : {std::cref(unsynced_), std::cref(changed_)})
    for (const std::string &each : entries) sync_entry(each);
  unsynced_.clear();
  changed_.clear();
}

/// Directories above it may be new.
void Folder::has_changed(const std::string &name) {
  changed_.insert(".");
  for (std::string each = above(name); !each.empty() && changed_.insert(each).second; each = above(each)) {
  }
}

void remove_group(const std::string &path) {
  std::error_code error;
  fs::remove(path + "/" + metadata_name, error);
  if (!error || is_absent(error.value())) fs::remove_all(path, error);
  if (error && !is_absent(error.value())) throw system_error(error.value(), "cannot remove an old directory", path);
}

}  // namespace sv::zarr
