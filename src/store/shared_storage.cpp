#include "store/shared_storage.hpp"

#include <algorithm>
#include <iterator>

namespace sv {

const SharedStorage *shared_storage(long magic) {
  static constexpr SharedStorage all[] = {
      {0x0BD00BD0, "Lustre", false}, {0x47504653, "GPFS", false},    {0x6969, "NFS", true},
      {0x19830326, "BeeGFS", true},  {0x20030528, "OrangeFS", true}, {0x00C36400, "Ceph", false},
      {0xFF534D42, "CIFS", true},    {0xFE534D42, "SMB2", true},     {0x65735546, "FUSE", true},
      {0x01021997, "9P", true},      {0xAAD7AAEA, "Panasas", true}};
  // Of its 64 bits, some systems extend the sign of 32.
  const auto number = static_cast<unsigned long>(magic) & 0xFFFFFFFFUL;
  const auto *const found =
      std::find_if(std::begin(all), std::end(all), [=](const SharedStorage &each) { return each.magic == number; });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace sv
