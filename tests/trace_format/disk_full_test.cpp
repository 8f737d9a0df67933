// A disk that fills up while a trace is written: events are counted as lost, totals go on, and nothing is touched that
// has no blocks. posix_fallocate is this program's own here.
#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

#include "reading.hpp"

namespace {
std::atomic<int64_t> disk_bytes{INT64_MAX};
std::atomic<int> times_asked{0};
}  // namespace

extern "C" __attribute__((visibility("default"))) int posix_fallocate(int file, off_t offset, off_t bytes) {
  static const auto real = reinterpret_cast<int (*)(int, off_t, off_t)>(dlsym(RTLD_NEXT, "posix_fallocate"));
  ++times_asked;
  return offset + bytes > disk_bytes ? ENOSPC : real(file, offset, bytes);
}

namespace {

using svtest::Reading;
using namespace sv::trace;
namespace fs = std::filesystem;

class DiskFull : public testing::Test {
 protected:
  void SetUp() override { fs::remove_all("disk_full"); }
  void TearDown() override { disk_bytes = INT64_MAX; }
};

TEST_F(DiskFull, EventsAreLostAndTotalsGoOn) {
  Recorder recorder({"disk_full", Producer::tracer, 4 << 20});
  const uint32_t path = recorder.path(no_caller, recorder.function(Layer::posix, "write"));
  const int64_t before_ring = Reading("disk_full").section(section_ring).offset_bytes;
  disk_bytes = before_ring + (1 << 20);
  const int asked = times_asked;
  const int slots = (1 << 20) / 64;
  for (int i = 0; i < slots + 1000; ++i) recorder.add(path, {1 + i, 1, 1});
  const Reading reading("disk_full");
  EXPECT_EQ(reading.events().size(), static_cast<size_t>(slots));
  EXPECT_EQ(reading.section(section_ring).lost, 1000);
  EXPECT_EQ(reading.totals().at("write 0 0")->calls, slots + 1000);
  EXPECT_EQ(times_asked - asked, 2);
}

TEST_F(DiskFull, NoRoomForTheTablesIsAnError) {
  disk_bytes = 1 << 20;
  try {
    Recorder recorder({"disk_full", Producer::tracer, 4 << 20});
    FAIL() << "made a trace on a full disk";
  } catch (const std::system_error &error) {
    EXPECT_EQ(error.code(), std::errc::no_space_on_device);
    EXPECT_NE(std::string(error.what()).find("disk_full/"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_empty("disk_full"));
}

}  // namespace
