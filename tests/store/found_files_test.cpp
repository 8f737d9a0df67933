// Which file was opened: a name that leads to another file, or to none, is noticed; a descriptor that was kept reads
// the old one. And names stay those of the directory in which they were given.
#include "store/found_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "store/name_set.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;

void write(const std::string &path, const std::string &text) { std::ofstream(path) << text; }

void replace(const std::string &path, const std::string &text) {
  write(path + ".new", text);
  fs::rename(path + ".new", path);
}

std::string text_of(PositionalFile file) {
  std::string text(16, '\0');
  StoreCounters counters;
  text.resize(static_cast<size_t>(file.read(0, std::as_writable_bytes(std::span(text)), counters)));
  return text;
}

template <class Action>
Status failed(Action action) {
  try {
    action();
  } catch (const Error &error) {
    return error.status();
  }
  return Status::ok;
}

TEST(FoundFiles, KeepTheFileThatWasLookedAt) {
  const std::string path = "found.nc";
  write(path, "old");
  FoundFiles found;
  found.look(path, true);
  EXPECT_TRUE(found.are_there());
  FoundFiles on_another_rank;
  on_another_rank.decode(found.encoded());
  EXPECT_EQ(failed([&] { on_another_rank.check("./" + path); }), Status::ok);
  replace(path, "new");
  EXPECT_FALSE(found.are_there());
  EXPECT_EQ(text_of(found.reading(path)), "old");
  EXPECT_EQ(failed([&] { found.reading(path); }), Status::access);  // the descriptor is given away
  EXPECT_EQ(failed([&] { found.check(path); }), Status::access);
  FoundFiles later;
  later.look(path);
  EXPECT_EQ(failed([&] { later.check_against(found); }), Status::access);
  fs::remove(path);
  EXPECT_EQ(failed([&] { later.reading(path); }), Status::not_found);
  EXPECT_EQ(failed([&] { later.check(path); }), Status::not_found);
  later.forget();
  EXPECT_EQ(failed([&] { later.check(path); }), Status::ok);
}

TEST(FoundFiles, SeeThatANumberWasGivenAgain) {
  const std::string path = "again.nc";
  for (int i = 0; i < 100; ++i) {
    fs::remove(path);
    write(path, "old");
    const FileIdentity old = identity_at(path);
    fs::remove(path);
    write(path, "new");
    if (old.born_ns == 0) GTEST_SKIP() << "the file system keeps no time of birth";
    if (identity_at(path).number != old.number) continue;
    EXPECT_FALSE(identity_at(path).is_of_file(old));
    return;
  }
}

TEST(FoundFiles, CompareDevicesOfOneHost) {
  const FileIdentity one{7, 1, 5, 3, 11};
  FileIdentity other = one;
  other.device = 2;
  EXPECT_FALSE(other.is_of_file(one));
  other.host = 12;
  EXPECT_TRUE(other.is_of_file(one));
  other.number = 8;  // as hosts that number files by themselves have it
  EXPECT_TRUE(other.is_of_file(one));
  other.modified_ns = 4;
  EXPECT_FALSE(other.is_of_file(one));
}

TEST(FileName, StaysWhereItWasGiven) {
  const fs::path here = fs::current_path();
  const FileName name("a.nc");
  fs::create_directories("elsewhere");
  fs::current_path("elsewhere");
  EXPECT_EQ(name.path(), "a.nc");
  EXPECT_EQ(name.place(), (here / "a.nc").string());
  EXPECT_EQ(FileName("b.nc", name).place(), (here / "b.nc").string());
  EXPECT_EQ(FileName("/b.nc", name).place(), "/b.nc");
  EXPECT_EQ(FileName::given_elsewhere("a.nc", "/there/a.nc").place(), "/there/a.nc");
  EXPECT_FALSE(FileName("a.nc").is_of_file(name));
  Error error = Error(Status::io, "'" + name.place() + ".part' is full").in_file(name.place());
  EXPECT_STREQ(error.relative_to(name.directory()).what(), "file 'a.nc': 'a.nc.part' is full");
  fs::current_path(here);
}

}  // namespace
}  // namespace sv
