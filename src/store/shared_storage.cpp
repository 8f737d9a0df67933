#include "store/shared_storage.hpp"

#include <sys/statfs.h>

#include <algorithm>
#include <iterator>

#include "store/directory.hpp"

namespace sv {

const SharedStorage *shared_storage(long magic) {
  static constexpr SharedStorage all[] = {{0x0BD00BD0, "Lustre", false, false, false, &lustre_stripes},
                                          {0x47504653, "GPFS", false, false, false},
                                          {0x6969, "NFS", true, true, false},
                                          {0x19830326, "BeeGFS", true, false, false, &beegfs_stripes},
                                          {0x20030528, "OrangeFS", true, false, false},
                                          {0x00C36400, "Ceph", false, false, false},
                                          {0xFF534D42, "CIFS", true, false, false},
                                          {0xFE534D42, "SMB2", true, false, false},
                                          {0x65735546, "FUSE", true, false, true},
                                          {0x01021997, "9P", true, false, false},
                                          {0xAAD7AAEA, "Panasas", true, false, false}};
  // Of its 64 bits, some systems extend the sign of 32.
  const auto number = static_cast<unsigned long>(magic) & 0xFFFFFFFFUL;
  const auto *const found =
      std::find_if(std::begin(all), std::end(all), [=](const SharedStorage &each) { return each.magic == number; });
  return found == std::end(all) ? nullptr : found;
}

const SharedStorage *shared_storage_of(int descriptor) {
  struct statfs system {};
  if (::fstatfs(descriptor, &system) != 0) return nullptr;
  return shared_storage(static_cast<long>(system.f_type));
}

const SharedStorage *shared_storage_around(const std::string &path) {
  struct statfs system {};
  if (::statfs(directory_of(path).c_str(), &system) != 0) return nullptr;
  return shared_storage(static_cast<long>(system.f_type));
}

}  // namespace sv
