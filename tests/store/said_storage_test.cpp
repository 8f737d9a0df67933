#include "store/said_storage.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <utility>

#include "store/shared_storage.hpp"

namespace svtest {

long said_storage = 0;

namespace {

int reported(long result, struct statfs *status) {
  if (result == 0 && said_storage != 0) status->f_type = said_storage;
  return static_cast<int>(result);
}

}  // namespace

}  // namespace svtest

extern "C" int fstatfs(int descriptor, struct statfs *status) noexcept {
  return svtest::reported(syscall(SYS_fstatfs, descriptor, status), status);
}

extern "C" int statfs(const char *path, struct statfs *status) noexcept {
  return svtest::reported(syscall(SYS_statfs, path, status), status);
}

namespace sv {
namespace {

TEST(SaidStorage, EveryFileSystemIsKnownByItsNumber) {
  const int descriptor = ::open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  for (const auto &[magic, name] : {std::pair(0x6969L, "NFS"), {0x65735546L, "FUSE"}, {0x0BD00BD0L, "Lustre"}}) {
    svtest::said_storage = magic;
    const SharedStorage *const found = shared_storage_of(descriptor);
    svtest::said_storage = 0;
    ASSERT_NE(found, nullptr);
    EXPECT_STREQ(found->name, name);
  }
  ::close(descriptor);
}

}  // namespace
}  // namespace sv
