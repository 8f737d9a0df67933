#include "store/found_files.hpp"

#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "store/retry.hpp"
#include "store/stale_names.hpp"

namespace sv {

namespace {

std::string last_part(const std::string &path) { return std::filesystem::path(path).filename().string(); }

/// Whether it is so, or becomes so while hosts may still keep older names.
template <class Action>
bool comes_true(const std::string &path, Action action) {
  return action() || (names_are_kept(path) && retry_until(action));
}

}  // namespace

Error replaced(const std::string &path, bool is_gone) {
  if (is_gone)
    return Error(Status::not_found, "the file was removed or renamed after it was opened",
                 "Let it keep its name until it is closed")
        .in_file(path);
  return Error(Status::access, "the file was replaced after it was opened: another one has its name now",
               "Close it and open it again")
      .in_file(path);
}

/// A directory is not kept: readers of Zarr open it by themselves.
void FoundFiles::look(const std::string &path, bool keeps) {
  Entry entry;
  const auto failed = caught(-1, [&] {
    entry.file = PositionalFile(path, PositionalFile::Mode::read);
    entry.identity = entry.file.identity();
  });
  if (failed) caught(-1, [&] { entry.identity = identity_at(path); });
  if (!keeps) entry.file = {};
  entry.path = path;
  files_[last_part(path)] = std::move(entry);
}

void FoundFiles::know(const std::string &path, const FileIdentity &identity) {
  files_[last_part(path)].identity = identity;
}

bool FoundFiles::are_there() const {
  for (const auto &[name, entry] : files_)
    if (entry.identity.is_known() && !identity_at(entry.path).is_of_file(entry.identity)) return false;
  return true;
}

FileIdentity FoundFiles::of(const std::string &path) const {
  const auto found = files_.find(last_part(path));
  return found == files_.end() ? FileIdentity{} : found->second.identity;
}

PositionalFile FoundFiles::reading(const std::string &path) {
  const auto found = files_.find(last_part(path));
  if (found != files_.end() && found->second.file.is_open()) return std::exchange(found->second.file, {});
  const FileIdentity known = of(path);
  PositionalFile file;
  const auto opens_it = [&] {
    try {
      file = PositionalFile(path, PositionalFile::Mode::read);
    } catch (const Error &error) {
      if (!known.is_known() || error.status() != Status::not_found) throw;
      return false;
    }
    return !known.is_known() || file.identity().is_of_file(known);
  };
  if (!comes_true(path, opens_it)) throw replaced(path, !identity_at(path).is_known());
  return file;
}

void FoundFiles::check(const std::string &path) const {
  const FileIdentity known = of(path);
  FileIdentity now;
  const auto is_it = [&] {
    now = identity_at(path);
    return now.is_of_file(known);
  };
  if (known.is_known() && !comes_true(path, is_it)) throw replaced(path, !now.is_known());
}

void FoundFiles::check(const std::string &path, const PositionalFile &file) const {
  const FileIdentity known = of(path);
  if (known.is_known() && !file.identity().is_of_file(known)) throw replaced(path, false);
}

void FoundFiles::check_against(const FoundFiles &other) const {
  for (const auto &[name, entry] : files_) {
    const FileIdentity theirs = other.of(name);
    if (entry.identity.is_known() && theirs.is_known() && !entry.identity.is_of_file(theirs))
      throw replaced(entry.path, false);
  }
}

std::vector<std::byte> FoundFiles::encoded() const {
  std::vector<std::byte> bytes;
  const auto add = [&bytes](const void *from, size_t n) {
    const auto *const first = static_cast<const std::byte *>(from);
    bytes.insert(bytes.end(), first, first + n);
  };
  const uint64_t numbers = pieces.numbers.size();
  add(&pieces.digits, sizeof pieces.digits);
  add(&pieces.found, sizeof pieces.found);
  add(&pieces.first, sizeof pieces.first);
  add(&numbers, sizeof numbers);
  add(pieces.numbers.data(), numbers * sizeof(int32_t));
  for (const auto &[name, entry] : files_) {
    const uint64_t length = name.size();
    add(&length, sizeof length);
    add(name.data(), name.size());
    add(&entry.identity, sizeof entry.identity);
  }
  return bytes;
}

void FoundFiles::decode(std::span<const std::byte> bytes) {
  const auto take = [&bytes](void *to, size_t n) {
    if (n > 0) std::memcpy(to, bytes.data(), n);
    bytes = bytes.subspan(n);
  };
  uint64_t numbers = 0;
  take(&pieces.digits, sizeof pieces.digits);
  take(&pieces.found, sizeof pieces.found);
  take(&pieces.first, sizeof pieces.first);
  take(&numbers, sizeof numbers);
  pieces.numbers.resize(numbers);
  take(pieces.numbers.data(), numbers * sizeof(int32_t));
  while (!bytes.empty()) {
    uint64_t length = 0;
    take(&length, sizeof length);
    std::string name(length, '\0');
    take(name.data(), name.size());
    FileIdentity identity;
    take(&identity, sizeof identity);
    know(name, identity);
  }
}

}  // namespace sv
