#include "backend/netcdf_c/opened_to_read.hpp"

#include <netcdf.h>
#include <netcdf_mem.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"
#include "base/warning.hpp"
#include "store/companion.hpp"
#include "store/file_name.hpp"

namespace sv::netcdf4 {

// Behind the end of the file there are no pages of it: there, zeros stand.
FileImage::FileImage(const std::string &path, const UnfinishedCommit &rest) {
  const PositionalFile file(path, PositionalFile::Mode::read);
  const int64_t bytes = file.size();
  const auto check = [&](bool success) {
    if (!success) throw system_error(errno, "cannot map the file, of which a commit was interrupted", path);
  };
  size_ = static_cast<size_t>(std::max(bytes, rest.end_bytes));
  void *const room = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check(room != MAP_FAILED);
  data_ = room;
  if (bytes > 0) check(file.map_at(data_, static_cast<size_t>(bytes)));
  for (const Change &each : rest.changes) check(put(each));
}

FileImage::~FileImage() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

/// Only these pages become this process' own.
bool FileImage::put(const Change &change) {
  const int64_t page = ::sysconf(_SC_PAGESIZE), end = change.offset_bytes + std::ssize(change.bytes);
  if (end > static_cast<int64_t>(size_)) return true;  // behind all that there is to be
  auto *const first = static_cast<std::byte *>(data_);
  const int64_t begin = change.offset_bytes / page * page;
  const auto bytes = static_cast<size_t>(end - begin);
  if (::mprotect(first + begin, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  std::copy(change.bytes.begin(), change.bytes.end(), first + change.offset_bytes);
  return true;
}

OpenedToRead::OpenedToRead(const std::string &path) {
  const UnfinishedCommit rest = unfinished_commit_of(path);
  if (rest.has_foreign_journal) warn(unbelieved(path, journal_of(target_of(path, false))));
  if (rest.is_empty()) {
    check(nc_open(path.c_str(), NC_NOWRITE, &id_), "nc_open");
    return;
  }
  image_.emplace(path, rest);
  NC_memio memory{image_->size(), image_->data(), NC_MEMIO_LOCKED};
  check(nc_open_memio(path.c_str(), NC_NOWRITE, &memory, &id_), "nc_open_memio");
}

OpenedToRead::~OpenedToRead() {
  if (id_ >= 0) nc_close(id_);
}

void OpenedToRead::close() { check(nc_close(std::exchange(id_, -1)), "nc_close"); }

}  // namespace sv::netcdf4
