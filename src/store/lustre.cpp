#include "store/lustre.hpp"

#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "store/shared_storage.hpp"
#include "store/whole_writes.hpp"

namespace sv::lustre {

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

/// A descriptor of a file or a directory, for inquiry only.
class Looked {
 public:
  explicit Looked(const std::string &path)
      : descriptor_(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); })) {}
  Looked(const Looked &) = delete;
  ~Looked() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int descriptor() const { return descriptor_; }
  bool is_on_lustre() const {
    const SharedStorage *const storage = descriptor_ < 0 ? nullptr : shared_storage_of(descriptor_);
    return storage != nullptr && storage->takes_stripes;
  }

 private:
  const int descriptor_;
};

}  // namespace

int targets_at(const std::string &directory) {
  const Looked folder(directory);
  long count = 0;  // 0 asks for the targets of data
  if (!folder.is_on_lustre() || ::ioctl(folder.descriptor(), count_request, &count) != 0) return 0;
  int targets = 0;  // the call writes an int
  std::memcpy(&targets, &count, sizeof targets);
  return targets;
}

int set_stripes(int descriptor, const FileStripes &stripes) {
  Stripes wanted{};
  wanted.magic = magic_v1;
  wanted.pattern = in_turn | (stripes.overstriped ? several_on_a_target : 0);
  wanted.unit_bytes = static_cast<uint32_t>(stripes.unit_bytes);
  wanted.count = static_cast<uint16_t>(stripes.count);
  wanted.first_target = any_target;
  return ::ioctl(descriptor, set_request, &wanted) == 0 ? 0 : errno;
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

std::optional<FileStripes> stripes_at(const std::string &path) {
  const Looked there(path);
  return there.is_on_lustre() ? stripes_of(there.descriptor()) : std::nullopt;
}

std::string in_words(const FileStripes &stripes) {
  return std::to_string(stripes.count) + (stripes.count == 1 ? " stripe of " : " stripes of ") +
         std::to_string(stripes.unit_bytes) + " bytes" + (stripes.overstriped ? ", overstriped" : "");
}

}  // namespace sv::lustre
