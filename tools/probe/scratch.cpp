#include "scratch.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "support/program.hpp"

namespace sv_probe {

namespace {

std::string because(const std::string &what, const std::string &path, int rank) {
  const std::string cause = std::strerror(errno);
  return path + ": rank " + std::to_string(rank) + " cannot " + what + ": " + cause +
         ". Give another folder (--dir), or see to this one";
}

}  // namespace

Scratch::Scratch(Team &team, const std::string &directory, sv_tools::Janitor &janitor)
    : team_(team), directory_(directory) {
  constexpr int ending = 4;  // characters
  path_ = directory + "/sv-probe-XXXXXX.tmp";
  sv_tools::together(team.comm(), [&] {
    if (team.rank() != 0) return;
    const int descriptor = mkostemps(path_.data(), ending, O_CLOEXEC);
    if (descriptor < 0) throw std::runtime_error(because("make it", path_, 0));
    close(descriptor);  // renew() makes it anew
    // The library writes PATH.part until it is complete, and PATH.complete of a growing file.
    for (const char *addition : {"", ".other", ".part", ".complete"}) janitor.expect(path_ + addition);
  });
  MPI_Bcast(path_.data(), static_cast<int>(path_.size()), MPI_CHAR, 0, team.comm());
  renew();
}

Scratch::~Scratch() {
  if (team_.rank() != 0) return;
  unlink(path_.c_str());
  unlink(other_path().c_str());
}

void Scratch::renew() {
  team_.wait();
  sv_tools::together(team_.comm(), [this] {
    if (team_.rank() != 0) return;
    for (const std::string &path : {path_, other_path()}) {
      if (unlink(path.c_str()) != 0 && errno != ENOENT) throw std::runtime_error(because("remove it", path, 0));
      const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (descriptor < 0 || close(descriptor) != 0) throw std::runtime_error(because("make it", path, 0));
    }
  });
}

int64_t Scratch::free_bytes() const {
  struct statvfs status {};
  int64_t bytes = statvfs(directory_.c_str(), &status) == 0
                      ? static_cast<int64_t>(status.f_bavail) * static_cast<int64_t>(status.f_frsize)
                      : 0;
  MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, team_.comm());
  return bytes;
}

int64_t Scratch::preferred_bytes() const {
  struct stat status {};
  int64_t bytes = stat(path_.c_str(), &status) == 0 ? static_cast<int64_t>(status.st_blksize) : 0;
  MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, team_.comm());
  return bytes;
}

Opened::Opened(std::string path, int rank)
    : path_(std::move(path)), rank_(rank), descriptor_(open(path_.c_str(), O_RDWR | O_CLOEXEC)) {
  if (descriptor_ < 0) fail("open it");
}

Opened::~Opened() {
  if (descriptor_ >= 0) close(descriptor_);  // a scratch file: lost data do not matter
}

void Opened::fail(const char *what) const { throw std::runtime_error(because(what, path_, rank_)); }

void Opened::write(const std::vector<char> &data, int64_t bytes, int64_t offset_bytes) const {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t some =
        pwrite(descriptor_, data.data() + done, static_cast<size_t>(bytes - done), offset_bytes + done);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) fail("write to it");
    done += some;
  }
}

void Opened::read(std::vector<char> &data, int64_t bytes, int64_t offset_bytes) const {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t some = pread(descriptor_, data.data() + done, static_cast<size_t>(bytes - done), offset_bytes + done);
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) fail("read it");
    if (some == 0) throw std::runtime_error(path_ + ": ends where rank " + std::to_string(rank_) + " reads");
    done += some;
  }
}

void Opened::forget() const {
  if (fsync(descriptor_) != 0) fail("synchronise it");
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);  // advice: it may be ignored
}

}  // namespace sv_probe
