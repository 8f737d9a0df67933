// The striped device by its clocks alone: the time that a request adds to each target, to the nanosecond, while no
// process sleeps. Started with SV_DEVICE=10MB/s,5ms,targets=4,stripe=100kB,stripes=3,handover=20ms (CMakeLists.txt).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "device.hpp"
#include "shared_state.hpp"

namespace {

using namespace sv_shim;

constexpr int64_t stripe = 100000, ms = 1000000, latency = 5 * ms, of_stripe = 10 * ms, hand_over = 20 * ms;
using Costs = std::array<int64_t, 4>;  // by the place of the target after the file's first

class StripedDevice : public testing::Test {
 protected:
  void SetUp() override {
    unlink(name);
    file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    ASSERT_GE(file, 0);
    struct stat status {};
    ASSERT_EQ(fstat(file, &status), 0);
    first = static_cast<int>(status.st_ino % 4);
  }
  void TearDown() override {
    close(file);
    unlink(name);
  }
  // The time that the request adds to targets that are busy for a long time.
  Costs costs(int64_t offset, int64_t bytes, bool writes = true) {
    const int64_t later = now_ns() + 1000000 * ms;
    for (auto &target : shared_state().target_busy_until_ns) target = later;
    last = reserve_device({file, offset, bytes, writes});
    Costs found{};
    int64_t most = 0;
    for (int i = 0; i < 4; ++i) {
      found[static_cast<size_t>(i)] = shared_state().target_busy_until_ns[(first + i) % 4] - later;
      most = std::max(most, found[static_cast<size_t>(i)]);
    }
    EXPECT_EQ(last.done_ns, later + most);
    EXPECT_EQ(device_busy_until(file), later + most);
    return found;
  }
  void write_in_another_process(int64_t offset, int64_t bytes) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      reserve_device({file, offset, bytes, true});
      _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
  }
  static constexpr const char *name = "exact_device.data";
  int file = -1, first = 0;
  Reservation last;
};

TEST_F(StripedDevice, ARequestIsCutAtStripes) {
  EXPECT_EQ(costs(0, stripe), (Costs{latency + of_stripe, 0, 0, 0}));
  EXPECT_EQ(costs(stripe, stripe), (Costs{0, latency + of_stripe, 0, 0}));
  EXPECT_EQ(costs(stripe / 2, stripe), (Costs{latency + of_stripe / 2, latency + of_stripe / 2, 0, 0}));
  EXPECT_EQ(costs(3 * stripe, stripe), (Costs{latency + of_stripe, 0, 0, 0}));
}

TEST_F(StripedDevice, ManyStripesTakeTheTimeOfTheBusiestTarget) {
  EXPECT_EQ(costs(0, 3 * stripe), (Costs{latency + of_stripe, latency + of_stripe, latency + of_stripe, 0}));
  EXPECT_EQ(costs(0, 7 * stripe),
            (Costs{latency + 3 * of_stripe, latency + 2 * of_stripe, latency + 2 * of_stripe, 0}));
}

TEST_F(StripedDevice, ARequestBeginsWhereTheDescriptorStands) {
  ASSERT_EQ(lseek(file, 2 * stripe, SEEK_SET), 2 * stripe);
  EXPECT_EQ(costs(Extent::at_position, stripe), (Costs{0, 0, latency + of_stripe, 0}));
  ASSERT_EQ(ftruncate(file, stripe), 0);
  ASSERT_EQ(fcntl(file, F_SETFL, O_APPEND), 0);
  EXPECT_EQ(costs(Extent::at_position, stripe), (Costs{0, latency + of_stripe, 0, 0}));
}

TEST_F(StripedDevice, AStripeOfAnotherProcessIsHandedOver) {
  write_in_another_process(stripe, 2 * stripe);
  EXPECT_EQ(costs(0, 2 * stripe + stripe / 2),
            (Costs{latency + of_stripe, latency + of_stripe + hand_over, latency + of_stripe / 2 + hand_over, 0}));
  EXPECT_EQ(last.hand_overs, 2);
  EXPECT_EQ(last.handed_over_bytes, stripe + stripe / 2);
  EXPECT_EQ(costs(0, stripe), (Costs{latency + of_stripe, 0, 0, 0})) << "its own by now";
  EXPECT_EQ(last.hand_overs, 0);
}

TEST_F(StripedDevice, ReadsTakeNoLocks) {
  write_in_another_process(0, stripe);
  EXPECT_EQ(costs(0, stripe, false), (Costs{latency + of_stripe, 0, 0, 0}));
  EXPECT_EQ(costs(0, stripe), (Costs{latency + of_stripe + hand_over, 0, 0, 0})) << "still the other's";
}

TEST_F(StripedDevice, AFileMadeAnewHasNoOwners) {
  write_in_another_process(0, stripe);
  TearDown();
  SetUp();
  EXPECT_EQ(costs(0, stripe), (Costs{latency + of_stripe, 0, 0, 0}));
}

TEST(StripeOwners, AFullTableForgetsAndInventsNothing) {
  const std::unique_ptr<StripeOwners> owners(new StripeOwners());
  constexpr uint64_t stripes = 3 << 20;
  int64_t known = 0;
  for (uint64_t key = 0; key < stripes; ++key) EXPECT_EQ(owners->take(mixed(key + 1), 7), 0U);
  for (uint64_t key = 0; key < stripes; ++key) {
    const uint32_t before = owners->take(mixed(key + 1), 7);
    ASSERT_TRUE(before == 0 || before == 7);
    known += before == 7 ? 1 : 0;
  }
  EXPECT_GT(known, 0);
  EXPECT_LT(known, int64_t{stripes});
}

}  // namespace
