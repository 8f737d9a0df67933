#include "store/name_set.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace sv {
namespace {

namespace fs = std::filesystem;

class NamesOfFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "run");
    fs::create_directory_symlink("run", folder_ / "same_run");
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string in(const std::string &name) const { return folder_ / name; }
  void make(const std::string &name) const { std::ofstream(in(name)) << "a file"; }

  const fs::path folder_ = fs::temp_directory_path() / ("names." + std::to_string(getpid()));
  NameSet names_;
};

TEST_F(NamesOfFiles, AreAllOfTheFile) {
  names_.add(in("run/a.nc"));  // is not there yet
  EXPECT_TRUE(names_.has(in("run/a.nc")));
  EXPECT_TRUE(names_.has_file_of(in("run/a.nc")));
  EXPECT_FALSE(names_.has(in("run/../run/a.nc")));
  fs::create_symlink("run/a.nc", folder_ / "latest.nc");
  const std::vector<std::string> others{in("run/../run/a.nc"), in("same_run/a.nc"), fs::relative(in("same_run/a.nc")),
                                        in("latest.nc")};
  for (const bool is_there : {false, true}) {
    if (is_there) make("run/a.nc");
    for (const std::string &other : others) {
      EXPECT_TRUE(names_.has_file_of(other)) << other;
      EXPECT_TRUE(FileName(other).is_of_file(FileName(in("run/a.nc")))) << other;
    }
  }
  fs::create_hard_link(in("run/a.nc"), in("kept.nc"));
  EXPECT_TRUE(names_.has_file_of(in("kept.nc")));
  EXPECT_TRUE(FileName(in("kept.nc")).is_of_file(FileName(in("run/a.nc"))));
}

TEST_F(NamesOfFiles, AreNotThoseOfOthers) {
  make("run/a.nc");
  make("b.nc");
  fs::create_hard_link(in("b.nc"), in("c.nc"));
  fs::create_symlink("loop.nc", folder_ / "loop.nc");
  names_.add(in("run/a.nc"));
  for (const char *other : {"a.nc", "run/b.nc", "b.nc", "c.nc", "nowhere/a.nc", "loop.nc"}) {
    EXPECT_FALSE(names_.has_file_of(in(other))) << other;
    EXPECT_FALSE(FileName(in(other)).is_of_file(FileName(in("run/a.nc")))) << other;
  }
}

TEST_F(NamesOfFiles, ComeOneAfterTheOtherAndGoTogether) {
  EXPECT_TRUE(names_.is_empty());
  EXPECT_FALSE(names_.has_file_of(in("a.nc")));
  for (const char *each : {"a.nc", "b.nc"}) {
    names_.add(in(each));
    names_.add(in(each));
    EXPECT_TRUE(names_.has_file_of(in(std::string("./") + each)));
  }
  EXPECT_TRUE(names_.has_file_of(in("./a.nc")));
  names_.clear();
  EXPECT_TRUE(names_.is_empty());
  EXPECT_FALSE(names_.has_file_of(in("./a.nc")));
}

TEST_F(NamesOfFiles, MayBeInADirectoryThatIsGone) {
  names_.add(in("gone/a.nc"));
  EXPECT_TRUE(names_.has_file_of(in("gone/./a.nc")));
  EXPECT_FALSE(names_.has_file_of(in("gone/b.nc")));
}

}  // namespace
}  // namespace sv
