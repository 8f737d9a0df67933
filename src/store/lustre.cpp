// Lustre, by the system calls of its client. A file that is opened without stripes gets them by an ioctl or, as the
// directory has them, with its first byte.
//
// Source: lustre/include/uapi/linux/lustre/lustre_user.h (struct lov_user_md_v1, LL_IOC_LOV_SETSTRIPE), and
// lustre/llite/dir.c (LL_IOC_GETOBDCOUNT); the order of the calls is that of llapi_file_open(3).
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "store/stripe_calls.hpp"
#include "store/whole_writes.hpp"

namespace sv {

namespace lustre {
namespace {

/// struct lov_user_md_v1; of lov_user_md_v3, its beginning.
struct Stripes {
  uint32_t magic, pattern;
  std::array<uint64_t, 2> object;
  uint32_t unit_bytes;
  uint16_t count, first_target;
};
static_assert(sizeof(Stripes) == 32);

constexpr uint32_t magic_v1 = 0x0BD10BD0, magic_v3 = 0x0BD30BD0;
constexpr uint32_t in_turn = 0x1, several_on_a_target = 0x200;  // LOV_PATTERN_RAID0, LOV_PATTERN_OVERSTRIPING
constexpr uint16_t any_target = 0xFFFF, all_targets = 0xFFFF;
constexpr unsigned long set_request = _IOW('f', 154, long), count_request = _IOR('f', 168, long);
constexpr int without_stripes = O_NOCTTY | O_ASYNC;  // O_LOV_DELAY_CREATE

int targets(int directory) {
  long count = 0;  // 0 asks for the targets of data
  if (::ioctl(directory, count_request, &count) != 0) return 0;
  int targets = 0;  // the call writes an int
  std::memcpy(&targets, &count, sizeof targets);
  return targets;
}

int create(const NewFile &file, const FileStripes &stripes) {
  const int descriptor =
      uninterrupted([&] { return ::openat(file.directory, file.name, file.flags | without_stripes, file.mode); });
  if (descriptor < 0) return descriptor;
  Stripes wanted{};
  wanted.magic = magic_v1;
  wanted.pattern = in_turn | (stripes.overstriped ? several_on_a_target : 0);
  wanted.unit_bytes = static_cast<uint32_t>(stripes.unit_bytes);
  wanted.count = static_cast<uint16_t>(stripes.count);
  wanted.first_target = any_target;
  ::ioctl(descriptor, set_request, &wanted);  // refused: the caller compares the stripes in force
  return descriptor;
}

std::optional<FileStripes> stripes_of(int descriptor) {
  std::array<std::byte, 64 << 10> bytes;  // the stripes are followed by their objects
  const ssize_t length = ::fgetxattr(descriptor, "lustre.lov", bytes.data(), bytes.size());
  Stripes found{};
  if (length < static_cast<ssize_t>(sizeof found)) return std::nullopt;
  std::memcpy(&found, bytes.data(), sizeof found);
  const bool is_plain = found.magic == magic_v1 || found.magic == magic_v3;
  if (!is_plain || found.count == 0 || found.count == all_targets || found.unit_bytes == 0) return std::nullopt;
  return FileStripes{found.count, found.unit_bytes, (found.pattern & several_on_a_target) != 0};
}

}  // namespace
}  // namespace lustre

const StripeCalls lustre_stripes{lustre::targets, lustre::create, lustre::stripes_of};

}  // namespace sv
