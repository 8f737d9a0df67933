// Serial files: puts, fills and moves while a thread writes, compared with the final file.
#include "serial/serial_file.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "store/read_schema.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
const std::string path = "serial.nc";

Attribute fill_of(int value) {
  Attribute fill{"_FillValue", Type::int8, 1, SmallBytes(1)};
  *fill.values.begin() = static_cast<std::byte>(value);
  return fill;
}

/// Bytes: `fixed` of 5, `record` of 3 in each record, both with a fill value, and `wide`, of doubles.
std::unique_ptr<SerialFile> made() {
  fs::remove(path);
  auto file = SerialFile::make(path, Format::cdf2, false);
  PlacedSchema &schema = file->schema();
  schema.dims = {{"t", 0, true}, {"x", 5, false}, {"y", 3, false}};
  schema.variables = {{"fixed", Type::int8, {1}, {fill_of(1)}, false},
                      {"record", Type::int8, {0, 2}, {fill_of(2)}, true},
                      {"wide", Type::float64, {0, 1}, {}, true}};
  file->filling().variables.assign(3, true);
  return file;
}

int64_t place_of(SerialFile &file, int variable, int64_t record) {
  return file.schema().place(variable).of_record(record);
}

void put(SerialFile &file, int variable, int64_t record, int64_t at, const std::vector<int> &values) {
  const auto n = static_cast<int64_t>(values.size());
  if (file.schema().variables[static_cast<size_t>(variable)].has_records) file.grow(record + 1);
  file.put(place_of(file, variable, record) + at, n, 1, [&](std::byte *to, int64_t from, int64_t bytes) {
    for (int64_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(values[static_cast<size_t>(from + i)]);
  });
}

/// From the file itself, padding included.
std::vector<int> content(int variable, int64_t record, int64_t bytes) {
  const PlacedSchema schema = read_schema(path);
  std::ifstream file(path, std::ios::binary);
  file.seekg(schema.place(variable).of_record(record));
  std::vector<int> found;
  for (int64_t i = 0; i < bytes; ++i) found.push_back(file.get());
  return found;
}

void add_variable(SerialFile &file, const std::string &name) {
  file.schema().variables.push_back({name, Type::float64, {1}, {}, false});
  file.filling().variables.push_back(true);
}

TEST(SerialFile, HasItsHeaderWhenDefinitionsEnd) {
  for (int round = 0; round < 200; ++round) {
    auto file = made();
    file->end_definitions({});
    ASSERT_EQ(read_schema(path).variables.size(), 3U) << "in round " << round;
    put(*file, 1, 1, 0, {9});
    file->define();
    add_variable(*file, "late");
    file->end_definitions({});
    ASSERT_EQ(read_schema(path).variables.size(), 4U) << "in round " << round;
    file->abort();
  }
}

TEST(SerialFile, IsSettledForWhoeverOpensItOnceMore) {
  auto file = made();
  file->settle();
  EXPECT_TRUE(read_schema(path).variables.empty());
  file->end_definitions({});
  put(*file, 1, 1, 0, {9});
  file->settle();
  EXPECT_EQ(read_schema(path).records, 2);
  EXPECT_EQ(content(1, 1, 4), (std::vector<int>{9, 2, 2, 2}));
  file->define();
  add_variable(*file, "late");
  put(*file, 1, 1, 1, {8});
  file->settle();
  EXPECT_EQ(read_schema(path).variables.size(), 3U);
  EXPECT_EQ(content(1, 1, 4), (std::vector<int>{9, 8, 2, 2}));
  file->end_definitions({});
  file->close();
  EXPECT_EQ(content(1, 1, 4), (std::vector<int>{9, 8, 2, 2}));
}

TEST(SerialFile, FillsWhatNobodyPut) {
  auto file = made();
  file->end_definitions({});
  put(*file, 0, 0, 1, {7, 8});
  put(*file, 1, 1, 0, {9});
  file->close();
  EXPECT_EQ(content(0, 0, 8), (std::vector<int>{1, 7, 8, 1, 1, 1, 1, 1}));
  EXPECT_EQ(content(1, 0, 4), (std::vector<int>{2, 2, 2, 2}));
  EXPECT_EQ(content(1, 1, 4), (std::vector<int>{9, 2, 2, 2}));
}

/// `synced`: the values have been written when they move; otherwise most of them wait.
void grow_definitions(bool synced) {
  auto file = made();
  file->end_definitions({});
  put(*file, 0, 0, 2, {7});
  for (int record = 0; record < 50; ++record) put(*file, 1, record, 0, {record, record + 1, record + 2});
  if (synced) file->sync();
  for (const char *name : {"a", "b", "c"}) {
    file->define();
    add_variable(*file, name);
    file->end_definitions({});
    put(*file, 0, 0, 4, {8});
  }
  std::array<std::byte, 3> got{};
  file->get(place_of(*file, 1, 41), got);
  EXPECT_EQ(got[2], std::byte{43});
  file->close();
  EXPECT_EQ(content(0, 0, 5), (std::vector<int>{1, 1, 7, 1, 8}));
  for (int record = 0; record < 50; ++record)
    EXPECT_EQ(content(1, record, 3), (std::vector<int>{record, record + 1, record + 2}));
  EXPECT_EQ(content(2, 3, 2), (std::vector<int>{0x47, 0x9e}));  // netCDF's own fill value, 9.97e36
}

TEST(SerialFile, MovesWhatWaits) { grow_definitions(false); }
TEST(SerialFile, MovesWhatIsWritten) { grow_definitions(true); }

TEST(SerialFile, KeepsTheFillValuesOfItsTime) {
  auto file = made();
  file->end_definitions({});
  put(*file, 0, 0, 0, {7});
  put(*file, 1, 0, 0, {9});
  file->define();
  file->schema().variables[0].attributes = {fill_of(3)};
  file->schema().variables[1].attributes = {fill_of(4)};
  add_variable(*file, "last");  // all move
  file->end_definitions({});
  put(*file, 1, 1, 0, {9});
  file->schema().variables[1].attributes = {fill_of(5)};
  file->change_header(true);
  put(*file, 1, 2, 0, {9});
  file->define();
  add_variable(*file, "very last");
  file->end_definitions({});
  file->close();
  EXPECT_EQ(content(0, 0, 5), (std::vector<int>{7, 1, 1, 1, 1}));
  EXPECT_EQ(content(1, 0, 3), (std::vector<int>{9, 2, 2}));
  EXPECT_EQ(content(1, 1, 3), (std::vector<int>{9, 4, 4}));
  EXPECT_EQ(content(1, 2, 3), (std::vector<int>{9, 5, 5}));
}

TEST(SerialFile, IsGoneWhenItWasNeverDefined) {
  for (int i = 0; i < 200; ++i) {  // the thread is writing its header, or is about to
    auto file = made();
    if (i % 2 == 0) file->abort();
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(SerialFile, RemovesNothingElse) {
  const fs::path here = fs::current_path();
  auto file = made();
  fs::create_directories("elsewhere");
  fs::current_path("elsewhere");
  std::ofstream(path) << "of another program";
  file->abort();
  EXPECT_TRUE(fs::exists(path));
  fs::current_path(here);
  EXPECT_FALSE(fs::exists(path));
  file = made();
  fs::rename(path, "moved.nc");
  std::ofstream(path) << "of another program";
  file->abort();
  EXPECT_TRUE(fs::exists(path));
}

TEST(SerialFile, LosesDefinitionsThatWereNotEnded) {
  {
    auto file = made();
    file->end_definitions({});
    put(*file, 0, 0, 0, {7});
    file->define();
    add_variable(*file, "last");
  }
  EXPECT_EQ(read_schema(path).variables.size(), 3U);
  EXPECT_EQ(content(0, 0, 2), (std::vector<int>{7, 1}));
}

TEST(SerialFile, SeesWhatOthersDefine) {
  auto file = made();
  file->end_definitions({});
  file->sync();
  auto reader = SerialFile::open(path, false);
  file->define();
  add_variable(*file, "last");
  file->end_definitions({});
  file->sync();
  reader->sync();
  EXPECT_EQ(reader->schema().variables.size(), 4U);
  EXPECT_EQ(reader->filling().variables.size(), 4U);
}

TEST(SerialFile, NamesAFileThatEndsTooEarly) {
  made()->end_definitions({});
  fs::resize_file(path, 40);
  try {
    SerialFile::open(path, false);
    FAIL() << "it was opened";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::format);
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
  }
}

/// A file of some MB, in a process that was forked, which has no thread that writes.
int written_after_fork(bool threads) {
  if (!threads) {  // there is no room for their stacks
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, size_t{1} << 46);
    if (pthread_setattr_default_np(&attributes) != 0) return 2;
  }
  auto file = made();
  file->end_definitions({});
  const std::vector<int> values(5 * 8, 6);
  file->grow(20000);
  for (int record = 0; record < 20000; ++record) put(*file, 2, record, 0, values);
  file->close();
  return content(2, 19999, 40) == values ? 0 : 1;
}

TEST(SerialFile, IsWrittenAfterAForkAndWithoutThreads) {
  auto file = made();  // the thread of this process runs
  file->end_definitions({});
  file->close();
  EXPECT_EXIT(std::_Exit(written_after_fork(true)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(written_after_fork(false)), ::testing::ExitedWithCode(0), "");
}

TEST(SerialFile, IsWrittenByTheThreadWhileOthersAreForked) {
  auto file = made();
  file->end_definitions({});
  file->grow(20000);
  std::thread forks([] {
    for (int i = 0; i < 20; ++i) {
      const pid_t child = fork();
      if (child == 0) std::_Exit(0);
      waitpid(child, nullptr, 0);
    }
  });
  const std::vector<int> values(5 * 8, 6);
  for (int record = 0; record < 20000; ++record) put(*file, 2, record, 0, values);
  forks.join();
  file->close();
  EXPECT_EQ(content(2, 19999, 40), values);
}

}  // namespace
}  // namespace sv
