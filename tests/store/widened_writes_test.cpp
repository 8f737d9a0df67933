#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "store/positional_file.hpp"
#include "store/said_storage.hpp"

namespace sv {
namespace {

constexpr long nfs = 0x6969;

/// On a file system of which the system says that it is NFS.
class WidenedWrites : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(path_) << "values";
    other_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(other_, 0);
    svtest::said_storage = nfs;
  }
  void TearDown() override {
    svtest::said_storage = 0;
    ::close(other_);
    std::filesystem::remove(path_);
  }
  /// Of another opening of the file, on the bytes that no data reach.
  struct flock wish() const {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = INT64_MAX - 2;
    range.l_len = 1;
    return range;
  }
  bool is_locked() const {
    struct flock range = wish();
    EXPECT_EQ(::fcntl(other_, F_OFD_GETLK, &range), 0);
    return range.l_type != F_UNLCK;
  }
  /// How many descriptors of the file write to the server at once.
  int synchronous() const {
    int found = 0;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      if (std::filesystem::read_symlink(entry.path(), none) != std::filesystem::absolute(path_)) continue;
      if ((::fcntl(std::stoi(entry.path().filename().string()), F_GETFL) & O_DSYNC) != 0) ++found;
    }
    return found;
  }
  const std::string path_ = "widened_writes.nc";
  int other_ = -1;
};

TEST_F(WidenedWrites, SharedLockWhileAFileMayBeWritten) {
  {
    const PositionalFile one(path_, PositionalFile::Mode::update), two(path_, PositionalFile::Mode::update);
    EXPECT_TRUE(is_locked());
    EXPECT_EQ(synchronous(), 0);
  }
  EXPECT_FALSE(is_locked());
}

TEST_F(WidenedWrites, TheWritersLockIsAnother) {
  PositionalFile one(path_, PositionalFile::Mode::update);
  const PositionalFile two(path_, PositionalFile::Mode::update);
  EXPECT_FALSE(two.is_locked());
  EXPECT_TRUE(one.lock());
  EXPECT_TRUE(two.is_locked());
}

TEST_F(WidenedWrites, WritesAtOnceWhereTheLockIsRefused) {
  struct flock range = wish();
  ASSERT_EQ(::fcntl(other_, F_OFD_SETLK, &range), 0);
  PositionalFile file(path_, PositionalFile::Mode::update);
  EXPECT_EQ(synchronous(), 1);
  StoreCounters counters;
  file.write(0, std::as_bytes(std::span("V", 1)), counters);
  file.close();
  std::string text;
  std::ifstream(path_) >> text;
  EXPECT_EQ(text, "Values");
}

TEST_F(WidenedWrites, NoLockForReadingNorElsewhere) {
  const PositionalFile reads(path_, PositionalFile::Mode::read);
  EXPECT_FALSE(is_locked());
  svtest::said_storage = 0;
  const PositionalFile local(path_, PositionalFile::Mode::update);
  EXPECT_FALSE(is_locked());
}

}  // namespace
}  // namespace sv
