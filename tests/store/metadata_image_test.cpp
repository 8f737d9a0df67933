// A library's metadata in memory: what is written is read, only what has changed is written out, and no two things get
// one place.
#include "store/metadata_image.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/random_bytes.hpp"

namespace sv {
namespace {

TEST(MetadataImage, IsThatOfTheFileAndOfWhatWasWritten) {
  std::mt19937 engine(1);
  Bytes disk = random_bytes(engine, 50000), wanted = disk;
  MetadataImage image(
      [&](int64_t at, std::span<std::byte> to) {
        for (size_t i = 0; i < to.size(); ++i) {
          const size_t from = static_cast<size_t>(at) + i;
          to[i] = from < disk.size() ? disk[from] : std::byte{};
        }
      },
      std::ssize(disk));
  EXPECT_EQ(image.length(), 50000);
  wanted.resize(70000);
  for (int round = 0; round < 20; ++round) {
    std::vector<bool> changed(wanted.size(), false);
    for (int i = 0; i < 10; ++i) {
      const Bytes some = random_bytes(engine, engine() % (i == 0 ? 10000 : 300));
      const size_t at = engine() % (wanted.size() - some.size());
      image.write(static_cast<int64_t>(at), some);
      std::copy(some.begin(), some.end(), wanted.begin() + static_cast<std::ptrdiff_t>(at));
      std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(at), some.size(), true);
      Bytes back(engine() % 9000);
      const size_t from = engine() % (wanted.size() - back.size());
      image.read(static_cast<int64_t>(from), back);
      ASSERT_TRUE(std::equal(back.begin(), back.end(), wanted.begin() + static_cast<std::ptrdiff_t>(from)));
    }
    disk.resize(wanted.size());
    int64_t end = -1;
    image.write_out([&](int64_t at, std::span<const std::byte> bytes) {
      ASSERT_GT(at, end) << "what touches is written at once, in ascending order";
      end = at + std::ssize(bytes);
      for (size_t i = 0; i < bytes.size(); ++i) {
        ASSERT_TRUE(changed[static_cast<size_t>(at) + i]);
        disk[static_cast<size_t>(at) + i] = bytes[i];
      }
    });
    ASSERT_EQ(disk, wanted);
  }
  image.write_out([](int64_t, std::span<const std::byte>) { FAIL() << "nothing has changed"; });
}

TEST(MetadataImage, KeepsWhatCouldNotBeWrittenOut) {
  MetadataImage image(Bytes(100, std::byte{7}));
  EXPECT_THROW(image.write_out([](int64_t, std::span<const std::byte>) { throw 1; }), int);
  int64_t bytes = 0;
  image.write_out([&](int64_t, std::span<const std::byte> part) { bytes += std::ssize(part); });
  EXPECT_EQ(bytes, 100);
}

TEST(MetadataImage, GivesEachThingAPlaceOfItsOwn) {
  std::mt19937 engine(2);
  MetadataImage image(Bytes(1000));
  image.reserve(10000);
  EXPECT_EQ(image.end(), 12288) << "whole pages";
  std::map<int64_t, int64_t> taken{{0, 1000}};
  int64_t first_data = INT64_MAX;
  for (int i = 0; i < 3000; ++i) {
    const bool data = engine() % 3 == 0;
    const auto bytes = static_cast<int64_t>(1 + engine() % (i % 500 == 0 ? 2000000 : 2000));
    const int64_t place = data ? image.place_data(bytes) : image.place_metadata(bytes);
    if (data) first_data = std::min(first_data, place);
    const auto next = taken.upper_bound(place);
    ASSERT_TRUE(next == taken.end() || place + bytes <= next->first);
    ASSERT_LE(std::prev(next)->second, place);
    ASSERT_LE(place + bytes, image.end());
    taken.emplace(place, place + bytes);
  }
  EXPECT_EQ(first_data, 12288) << "data begin behind the reserve";
}

}  // namespace
}  // namespace sv
