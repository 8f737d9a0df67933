// The device as a Lustre file system: the calls that set and report the stripes of a file (src/store/lustre.cpp lists
// their source). A new file has none while its descriptor has O_ASYNC and nothing is written.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "call.hpp"
#include "device.hpp"
#include "file_system.hpp"

namespace {

using namespace sv_shim;

// struct lov_user_md_v1.
struct Stripes {
  uint32_t magic, pattern;
  uint64_t object[2];
  uint32_t unit_bytes;
  uint16_t count, first_target;
};
constexpr uint32_t magic_v1 = 0x0BD10BD0, in_turn = 0x1, several_on_a_target = 0x200;
constexpr unsigned long set_request = _IOW('f', 154, long), count_request = _IOR('f', 168, long);
constexpr int64_t granule_bytes = 64 << 10;

int set_stripes(int descriptor, const Stripes &wanted) {
  const Device &device = configuration().device;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return -1;
  const int flags = fcntl(descriptor, F_GETFL);
  const bool overstriped = wanted.pattern == (in_turn | several_on_a_target);
  if (wanted.magic != magic_v1 || (wanted.pattern != in_turn && !overstriped) || wanted.unit_bytes % granule_bytes != 0)
    return fail_with(EINVAL);
  if (flags < 0 || (flags & O_ASYNC) == 0 || status.st_size > 0) return fail_with(EEXIST);
  int count = wanted.count == 0 ? device.stripes : wanted.count;
  if (!overstriped && count > device.targets) count = device.targets;
  const int64_t unit = wanted.unit_bytes == 0 ? device.stripe_bytes : int64_t{wanted.unit_bytes};
  return shared_state().layouts.set(file_key(descriptor), {count, unit}) ? 0 : fail_with(EEXIST);
}

std::optional<int> answer_of_lustre(int descriptor, unsigned long request, void *argument) {
  if (request == set_request) return set_stripes(descriptor, *static_cast<const Stripes *>(argument));
  if (request != count_request) return std::nullopt;
  *static_cast<int *>(argument) = configuration().device.targets;
  return 0;
}

}  // namespace

namespace sv_shim {

const FileSystemCalls lustre_calls{0x0BD00BD0, answer_of_lustre};

ssize_t lustre_attribute(int descriptor, void *value, size_t size) {
  const FileLayout layout = layout_of(descriptor);
  Stripes found{};
  found.magic = magic_v1;
  found.pattern = in_turn | (layout.stripes > configuration().device.targets ? several_on_a_target : 0);
  found.unit_bytes = static_cast<uint32_t>(layout.stripe_bytes);
  found.count = static_cast<uint16_t>(layout.stripes);
  if (size == 0) return sizeof found;
  if (size < sizeof found) return fail_with(ERANGE);
  std::memcpy(value, &found, sizeof found);
  return sizeof found;
}

}  // namespace sv_shim
