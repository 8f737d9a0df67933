// Of a host that still finds the file that had a name before: the file system says that it is FUSE, and the file with
// the right lock or number gets the name a moment later.
#include "store/stale_names.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "store/positional_file.hpp"
#include "store/publication.hpp"
#include "store/said_storage.hpp"
#include "store/status_of.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
constexpr long fuse = 0x65735546;

class StaleNames : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    std::ofstream(name_) << "former";
    std::ofstream(next_) << "present";
    svtest::said_storage = fuse;
  }
  void TearDown() override {
    svtest::said_storage = 0;
    fs::remove_all(folder_);
  }
  /// As if this host's time for which it keeps the name had passed.
  std::jthread soon_found() {
    return std::jthread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      fs::rename(next_, name_);
    });
  }
  std::string text_of(PositionalFile &file) {
    StoreCounters counters;
    std::string text(static_cast<size_t>(file.size()), ' ');
    file.read(0, std::as_writable_bytes(std::span(text)), counters);
    return text;
  }
  PositionalFile opened() const { return {name_, PositionalFile::Mode::update}; }

  const std::string folder_ = "kept_names", name_ = folder_ + "/file.nc.part", next_ = folder_ + "/next";
};

TEST_F(StaleNames, OpensWhatItsOwnerHolds) {
  PositionalFile owner(next_, PositionalFile::Mode::update);
  ASSERT_TRUE(owner.lock());
  const std::jthread later = soon_found();
  PositionalFile found = opened_held(name_, [&] { return opened(); });
  EXPECT_EQ(text_of(found), "present");
}

TEST_F(StaleNames, AnotherRankOpensTheNewFileOfItsPublication) {
  PositionalFile owner(next_, PositionalFile::Mode::update);
  ASSERT_TRUE(owner.lock());
  const std::jthread later = soon_found();
  PositionalFile found = Publication(folder_ + "/file.nc", Kind::published).opened();
  EXPECT_EQ(text_of(found), "present");
}

TEST_F(StaleNames, RefusesWhatNobodyHolds) {
  EXPECT_EQ(testing::status_of([&] { opened_held(name_, [&] { return opened(); }); }), Status::access);
}

TEST_F(StaleNames, WaitsForTheFileOfANumber) {
  const int64_t number = number_where_names_are_kept(next_);
  ASSERT_NE(number, 0);
  const std::jthread later = soon_found();
  await_number(name_, number);
  PositionalFile found = opened();
  EXPECT_EQ(text_of(found), "present");
}

TEST_F(StaleNames, NothingElsewhere) {
  svtest::said_storage = 0;
  EXPECT_EQ(number_where_names_are_kept(name_), 0);
  PositionalFile found = opened_held(name_, [&] { return opened(); });
  EXPECT_EQ(text_of(found), "former");
}

}  // namespace
}  // namespace sv
