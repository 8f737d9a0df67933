// The device as a BeeGFS file system: the ioctls that create a file with stripes and report those of a file, and the
// list of targets (src/store/beegfs.cpp lists their source).
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "call.hpp"
#include "device.hpp"
#include "file_system.hpp"

namespace {

using namespace sv_shim;

// struct BeegfsIoctl_GetCfgFile_Arg, _GetStripeInfo_Arg and _MkFileWithStripeHints_Arg.
struct ConfigurationPath {
  char path[4096];
  int bytes;
};
struct FoundStripes {
  uint32_t pattern, unit_bytes;
  uint16_t count;
};
struct StripedFile {
  const char *name;
  uint32_t mode, count, unit_bytes;
};
constexpr unsigned long configuration_request = _IOR('f', 23, ConfigurationPath);
constexpr unsigned long stripes_request = _IOR('f', 25, FoundStripes);
constexpr unsigned long create_request = _IOW('f', 27, StripedFile);
constexpr uint32_t raid0 = 1, shortest_unit_bytes = 64 << 10;
constexpr const char *mount_folder = "/proc/fs/beegfs/shim/";

bool is_directory(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
}

int create(int directory, const StripedFile &wanted) {
  static const auto next = real<int(int, const char *, int, ...)>("openat");
  const Device &device = configuration().device;
  if (!is_directory(directory)) return fail_with(ENOTDIR);
  const bool is_power = (wanted.unit_bytes & (wanted.unit_bytes - 1)) == 0;
  if (wanted.unit_bytes != 0 && (wanted.unit_bytes < shortest_unit_bytes || !is_power)) return fail_with(EINVAL);
  const int made = next(directory, wanted.name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, wanted.mode & 0777);
  if (made < 0) return made;
  const auto targets = static_cast<uint32_t>(device.targets);
  const uint32_t count = wanted.count == 0 ? static_cast<uint32_t>(device.stripes) : wanted.count;
  const int64_t unit = wanted.unit_bytes == 0 ? device.stripe_bytes : int64_t{wanted.unit_bytes};
  shared_state().layouts.set(file_key(made), {static_cast<int>(count < targets ? count : targets), unit});
  return real<int(int)>("close")(made);
}

int report(int descriptor, FoundStripes &found) {
  if (is_directory(descriptor)) return fail_with(EISDIR);
  const FileLayout layout = layout_of(descriptor);
  found = {raid0, static_cast<uint32_t>(layout.stripe_bytes), static_cast<uint16_t>(layout.stripes)};
  return 0;
}

std::optional<int> answer_of_beegfs(int descriptor, unsigned long request, void *argument) {
  if (request == create_request) return create(descriptor, *static_cast<const StripedFile *>(argument));
  if (request == stripes_request) return report(descriptor, *static_cast<FoundStripes *>(argument));
  if (request != configuration_request) return std::nullopt;
  std::snprintf(static_cast<ConfigurationPath *>(argument)->path, sizeof ConfigurationPath::path, "%sconfig",
                mount_folder);
  return 0;
}

}  // namespace

namespace sv_shim {

const FileSystemCalls beegfs_calls{0x19830326, answer_of_beegfs};

std::optional<int> beegfs_target_list(const char *path) {
  const Device &device = configuration().device;
  const size_t length = std::strlen(mount_folder);
  if (device.file_system != FileSystem::beegfs || std::strncmp(path, mount_folder, length) != 0 ||
      std::strcmp(path + length, "storage_target_state") != 0)
    return std::nullopt;
  const int list = memfd_create("targets", MFD_CLOEXEC);
  for (int target = 1; list >= 0 && target <= device.targets; ++target)
    dprintf(list, "[Target ID: %d] @ storage [ID: 1]: Online / Good \n", target);
  if (list >= 0) lseek(list, 0, SEEK_SET);
  return list;
}

}  // namespace sv_shim
