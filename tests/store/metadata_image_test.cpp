// A library's metadata in memory: reads return the writes, only changes are written out, and no two objects share
// a place.
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
    for (const Change &each : image.changes()) {
      ASSERT_GT(each.offset_bytes, end) << "what touches is written at once, in ascending order";
      end = each.offset_bytes + std::ssize(each.bytes);
      for (size_t i = 0; i < each.bytes.size(); ++i) {
        ASSERT_TRUE(changed[static_cast<size_t>(each.offset_bytes) + i]);
        disk[static_cast<size_t>(each.offset_bytes) + i] = each.bytes[i];
      }
    }
    image.committed();
    ASSERT_EQ(disk, wanted);
  }
  EXPECT_TRUE(image.changes().empty());
}

TEST(MetadataImage, KeepsWhatWasNotCommitted) {
  MetadataImage image(Bytes(100, std::byte{7}));
  for (int time = 0; time < 2; ++time) {
    ASSERT_EQ(image.changes().size(), 1U);
    EXPECT_EQ(image.changes().front().bytes, Bytes(100, std::byte{7}));
  }
}

TEST(MetadataImage, ChangesInTurns) {
  MetadataImage image(Bytes(8192));
  image.reserve(20000);
  image.committed();
  const int64_t old_node = 1000, header = 2000, fresh = image.place_metadata(100);
  image.write(header, Bytes(10, std::byte{1}), 18);
  image.write(old_node, Bytes(10, std::byte{1}), 17);
  image.write(fresh, Bytes(10, std::byte{1}), 17);
  image.write(0, Bytes(10, std::byte{1}), 1);
  image.write(old_node, Bytes(10, std::byte{2}), 16);  // it is higher in its tree now
  std::vector<int64_t> order;
  for (const Change &each : image.changes()) order.push_back(each.offset_bytes);
  EXPECT_EQ(order, (std::vector<int64_t>{fresh, 0, old_node, header}));
}

TEST(MetadataImage, KeepsTheEndThatWasCommitted) {
  MetadataImage image(Bytes(1000));
  const int64_t data = image.place_data(500);
  image.set_end(data);
  EXPECT_EQ(image.place_data(300), data) << "nothing refers to it yet";
  image.committed();
  image.set_end(data);
  EXPECT_EQ(image.place_data(300), data + 300);
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
    ASSERT_TRUE(data || bytes > 4096 || place / 4096 == (place + bytes - 1) / 4096) << "a page is written as a whole";
    taken.emplace(place, place + bytes);
  }
  EXPECT_EQ(first_data, 12288) << "data begin behind the reserve";
}

}  // namespace
}  // namespace sv
