#include "file/file_system.hpp"

#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/error.hpp"
#include "store/file_name.hpp"

namespace sv {

namespace {

std::string directory_of(const std::string &path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Magic numbers of statfs(2) for file systems that several nodes see.
bool is_shared(long magic) {
  constexpr unsigned long shared[] = {
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
      0x6969,      // NFS
      0x19830326,  // BeeGFS
      0x20030528,  // OrangeFS
      0x00C36400,  // Ceph
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x65735546,  // FUSE
      0x01021997,  // 9P
      0xAAD7AAEA   // Panasas
  };
  return std::find(std::begin(shared), std::end(shared), static_cast<unsigned long>(magic)) != std::end(shared);
}

/// Where a name leads: a published file is not there before it is complete, and a link to it leads nowhere.
std::filesystem::path destination_of(std::filesystem::path path) {
  constexpr int most_links = 40;
  std::error_code unknown;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(path, unknown); ++i)
    path = path.parent_path() / std::filesystem::read_symlink(path, unknown);
  return std::filesystem::weakly_canonical(path, unknown);
}

}  // namespace

bool name_one_file(const std::string &one, const std::string &other) {
  std::error_code unknown;
  return one == other || std::filesystem::equivalent(one, other, unknown) ||
         destination_of(one) == destination_of(other);
}

void check_can_create(const std::string &path, bool exclusive, bool folder) {
  const std::string directory = directory_of(target_of(path, true));
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw system_error(errno, "cannot write to the directory '" + directory + "'", path);
  check_new_file(path, exclusive, folder);
}

Surroundings surroundings_of(const std::string &path, int64_t stripe_bytes) {
  Surroundings found;
  struct statfs status {};
  const bool known = statfs(directory_of(target_of(path, false)).c_str(), &status) == 0;
  found.shared_file_system = known && is_shared(static_cast<long>(status.f_type));
  // Parallel file systems tell their stripe as the preferred size of a transfer.
  if (found.shared_file_system) found.stripe_bytes = std::max<int64_t>(found.stripe_bytes, status.f_bsize);
  if (stripe_bytes > 0) found.stripe_bytes = stripe_bytes;
  return found;
}

}  // namespace sv
