// BeeGFS, by the ioctls of its client. Stripes are part of creating a file: an ioctl of the directory does both, and
// the file is opened afterwards.
//
// Source: beegfs_client_devel/include/beegfs/beegfs_ioctl.h; the list of targets is that of
// client_module/source/filesystem/ProcFs.c.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "store/directory.hpp"
#include "store/stripe_calls.hpp"
#include "store/whole_writes.hpp"

namespace sv {

namespace beegfs {
namespace {

/// struct BeegfsIoctl_GetCfgFile_Arg.
struct ConfigurationPath {
  std::array<char, 4096> path;
  int bytes;
};
/// struct BeegfsIoctl_GetStripeInfo_Arg.
struct FoundStripes {
  uint32_t pattern, unit_bytes;
  uint16_t count;
};
/// struct BeegfsIoctl_MkFileWithStripeHints_Arg.
struct StripedFile {
  const char *name;
  uint32_t mode, count, unit_bytes;
};

constexpr unsigned long configuration_request = _IOR('f', 23, ConfigurationPath);
constexpr unsigned long stripes_request = _IOR('f', 25, FoundStripes);
constexpr unsigned long create_request = _IOW('f', 27, StripedFile);
constexpr int64_t longest_unit_bytes = int64_t{1} << 31;  // a power of two of 32 bits

std::string contents_of(const std::string &path) {
  const int descriptor = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  std::string contents;
  std::array<char, 4096> bytes;
  ssize_t n = descriptor < 0 ? 0 : 1;
  while (n > 0) {
    n = uninterrupted([&] { return ::read(descriptor, bytes.data(), bytes.size()); });
    contents.append(bytes.data(), static_cast<size_t>(std::max<ssize_t>(n, 0)));
  }
  if (descriptor >= 0) ::close(descriptor);
  return contents;
}

/// One line for each, in a file next to the configuration of the mount in /proc.
int targets(int directory) {
  ConfigurationPath found{};
  if (::ioctl(directory, configuration_request, &found) != 0) return 0;
  found.path.back() = '\0';
  const std::string list = contents_of(directory_of(found.path.data()) + "/storage_target_state");
  return static_cast<int>(std::ranges::count(list, '\n'));
}

/// Where the ioctl has failed, the opening reports why or, if only stripes were refused, succeeds without them. O_CREAT
/// remains for a client that has cached the absence of the file.
int create(const NewFile &file, const FileStripes &stripes) {
  const char *const slash = std::strrchr(file.name, '/');
  const std::string folder = slash == nullptr ? "." : std::string(file.name, slash + 1);
  const int parent =
      uninterrupted([&] { return ::openat(file.directory, folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  const auto unit =
      std::min(static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(stripes.unit_bytes))), longest_unit_bytes);
  const StripedFile wanted{slash == nullptr ? file.name : slash + 1, file.mode, static_cast<uint32_t>(stripes.count),
                           static_cast<uint32_t>(unit)};
  const bool is_made = parent >= 0 && ::ioctl(parent, create_request, &wanted) == 0;
  if (parent >= 0) ::close(parent);
  const int flags = is_made ? file.flags & ~O_EXCL : file.flags;
  return uninterrupted([&] { return ::openat(file.directory, file.name, flags, file.mode); });
}

/// Directories do not say.
std::optional<FileStripes> stripes_of(int descriptor) {
  FoundStripes found{};
  if (::ioctl(descriptor, stripes_request, &found) != 0 || found.count == 0) return std::nullopt;
  return FileStripes{found.count, found.unit_bytes, false};
}

}  // namespace
}  // namespace beegfs

const StripeCalls beegfs_stripes{beegfs::targets, beegfs::create, beegfs::stripes_of};

}  // namespace sv
