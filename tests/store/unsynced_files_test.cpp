#include "store/unsynced_files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "status_of.hpp"

namespace sv {
namespace {

using testing::status_of;

void make(const std::string &path) { std::ofstream(path) << "values"; }

TEST(UnsyncedFiles, AreForgottenOnceBothAreOnTheDisk) {
  UnsyncedFiles files;
  make("unsynced_a.nc");
  make("unsynced_b.nc");
  files.remember("unsynced_a.nc", true);
  files.remember("unsynced_a.nc", true);  // written again under the same name
  files.remember("./unsynced_b.nc", false);
  EXPECT_EQ(files.size(), 2U);
  files.sync();
  EXPECT_EQ(files.size(), 2U);
  files.sync_names();
  EXPECT_EQ(files.size(), 0U);
}

TEST(UnsyncedFiles, LeavesOutWhatIsNoLongerThere) {
  UnsyncedFiles files;
  make("unsynced_removed.nc");
  files.remember("unsynced_removed.nc", true);
  std::filesystem::remove("unsynced_removed.nc");
  ASSERT_EQ(mkfifo("unsynced_pipe", 0600), 0);
  files.remember("unsynced_pipe", true);
  EXPECT_NO_THROW(files.sync());
  EXPECT_NO_THROW(files.sync_names());
  EXPECT_EQ(files.size(), 0U);
  std::filesystem::remove("unsynced_pipe");
}

TEST(UnsyncedFiles, GoesByTheFolderInWhichTheyWereWritten) {
  UnsyncedFiles files;
  std::filesystem::create_directory("unsynced_folder");
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path("unsynced_folder");
  std::filesystem::create_symlink("loop", "loop");
  files.remember("loop/a.nc", true);
  std::filesystem::current_path(here);
  EXPECT_NE(status_of([&] { files.sync(); }), Status::ok);  // it is looked for there, and cannot be opened
  std::filesystem::remove_all("unsynced_folder");
}

/// What the system has failed to write it takes for written from then on: asking again would succeed.
TEST(UnsyncedFiles, TellsAFailureAgain) {
  UnsyncedFiles files;
  std::filesystem::create_symlink("unsynced_loop", "unsynced_loop");
  make("unsynced_good.nc");
  files.remember("unsynced_good.nc", true);
  files.remember("unsynced_loop/a.nc", true);
  EXPECT_NE(status_of([&] { files.sync(); }), Status::ok);
  EXPECT_NE(status_of([&] { files.sync_names(); }), Status::ok);
  EXPECT_EQ(files.size(), 1U);
  std::filesystem::remove("unsynced_loop");
  EXPECT_NE(status_of([&] { files.sync(); }), Status::ok);
  std::filesystem::create_directory("unsynced_loop");
  make("unsynced_loop/a.nc");
  files.remember("unsynced_loop/a.nc", true);  // written again, which makes good
  EXPECT_EQ(status_of([&] { files.sync(); }), Status::ok);
  std::filesystem::remove_all("unsynced_loop");
}

TEST(UnsyncedFiles, OfTooManyThoseSoFarAreSynchronised) {
  UnsyncedFiles files(3);
  for (int i = 0; i < 10; ++i) {
    const std::string path = "unsynced_" + std::to_string(i) + ".nc";
    make(path);
    files.remember(path, true);
    EXPECT_LE(files.size(), 3U);
  }
  EXPECT_EQ(files.size(), 1U);
}

}  // namespace
}  // namespace sv
