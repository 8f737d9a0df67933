// Promises of our own CDF store alone: numbers of system calls, errors of the file system, files that other tools
// accept.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "base/convert.hpp"
#include "base/error.hpp"
#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"
#include "store/positional_file.hpp"
#include "store/read_schema.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
using testing::mixed;
using testing::SchemaBuilder;
using testing::status_of;
using Bytes = std::vector<std::byte>;

Slab part(int variable, const Box &box) { return {variable, 0, box, 0, box.elements()}; }

// A file of one variable v[1000][2000] of doubles, each its own number in the file's order of bytes.
class Counted : public ::testing::Test {
 protected:
  void SetUp() override {
    schema_ = SchemaBuilder(Format::cdf2).dim("y", 1000).dim("x", 2000).variable("v", Type::float64, {0, 1}).placed();
    store_ = make_cdf_store("counted.nc", Kind::published);
    store_->create(schema_, false);
  }
  void TearDown() override { store_->abandon(); }
  int64_t writes_of(const Box &box) {
    const int64_t before = store_->counters().writes;
    store_->write(part(0, box), Bytes(static_cast<size_t>(8 * box.elements())));
    return store_->counters().writes - before;
  }
  int64_t reads_of(const Box &box) {
    const int64_t before = store_->counters().reads;
    Bytes values(static_cast<size_t>(8 * box.elements()));
    store_->read(part(0, box), values);
    return store_->counters().reads - before;
  }
  PlacedSchema schema_;
  std::unique_ptr<Store> store_;
};

TEST_F(Counted, OneWritePerContiguousRun) {
  EXPECT_EQ(store_->counters().writes, 1);
  EXPECT_EQ(store_->counters().written_bytes, schema_.places->header_bytes);
  EXPECT_EQ(writes_of({{0, 0}, {1000, 2000}}), 1);
  EXPECT_EQ(writes_of({{10, 0}, {20, 2000}}), 1);
  EXPECT_EQ(writes_of({{10, 5}, {20, 7}}), 20);
  EXPECT_EQ(writes_of({{10, 5}, {1, 7}}), 1);
  EXPECT_EQ(writes_of({{10, 5}, {0, 7}}), 0);
  const Box box{{0, 0}, {1000, 2000}};
  store_->write({0, 0, box, 1234, 1234567}, Bytes(8 * (1234567 - 1234)));
  EXPECT_EQ(store_->counters().writes, 1 + 1 + 1 + 20 + 1 + 1);
}

TEST_F(Counted, LongRowsAreReadOneByOne) {
  writes_of({{0, 0}, {1000, 2000}});
  EXPECT_EQ(reads_of({{0, 0}, {1000, 2000}}), 1);
  EXPECT_EQ(reads_of({{0, 200}, {200, 1800}}), 200);
}

TEST(Sieving, ShortRowsAreReadWithTheGapsBetween) {
  const PlacedSchema schema =
      SchemaBuilder(Format::cdf2).dim("y", 4000).dim("x", 300).variable("v", Type::float64, {0, 1}).placed();
  const auto store = make_cdf_store("short_rows.nc", Kind::published);
  store->create(schema, false);
  const Box whole{{0, 0}, {4000, 300}};
  store->write({0, 0, whole, 0, whole.elements()}, Bytes(static_cast<size_t>(8 * whole.elements())));
  const auto reads_of = [&](const Box &box) {
    const int64_t before = store->counters().reads;
    Bytes values(static_cast<size_t>(8 * box.elements()));
    store->read({0, 0, box, 0, box.elements()}, values);
    return store->counters().reads - before;
  };
  EXPECT_EQ(reads_of({{0, 100}, {200, 150}}), 1);   // 200 rows of 2,400 bytes, gaps of 1,200: 0.5 MB
  EXPECT_EQ(reads_of({{0, 100}, {4000, 150}}), 3);  // 9.6 MB in pieces of at most 4 MiB
  store->abandon();
}

TEST(Sieving, LargeGapsAreSkipped) {
  const PlacedSchema schema = SchemaBuilder(Format::cdf2)
                                  .dim("z", 10)
                                  .dim("y", 100)
                                  .dim("x", 200)
                                  .variable("v", Type::float64, {0, 1, 2})
                                  .placed();
  auto store = make_cdf_store("gaps.nc", Kind::published);
  store->create(schema, false);
  const Box all{{0, 0, 0}, {10, 100, 200}}, rows{{0, 5, 0}, {10, 1, 200}};  // 158,400 bytes apart
  store->write(part(0, all), Bytes(8 * 10 * 100 * 200));
  Bytes values(8 * 10 * 200);
  store->read(part(0, rows), values);
  EXPECT_EQ(store->counters().reads, 10);
  EXPECT_EQ(store->counters().read_bytes, 8 * 10 * 200);
  store->abandon();
}

TEST(Unwritable, PlacesAreAccessErrors) {
  std::ofstream("regular") << "x";
  const PlacedSchema schema = mixed(Format::cdf2).placed();
  const auto creating = [&](const std::string &path) {
    return status_of([&] {
      auto store = make_cdf_store(path, Kind::published);
      try {
        store->create(schema, false);
      } catch (const Error &error) {
        EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
        store->abandon();
        throw;
      }
    });
  };
  EXPECT_EQ(creating("regular/below.nc"), Status::access);
  EXPECT_EQ(creating("no/such/directory.nc"), Status::not_found);
  EXPECT_EQ(creating("."), Status::access);
  EXPECT_NE(creating("/proc/x.nc"), Status::ok);
}

TEST(Positional, FullDeviceIsNoSpace) {
  StoreCounters counters;
  PositionalFile file("/dev/full", PositionalFile::Mode::update);
  EXPECT_EQ(status_of([&] { file.write(0, Bytes(100), counters); }), Status::no_space);
  EXPECT_EQ(counters.writes, 0);
}

TEST(Positional, ReadsEndWithTheFile) {
  StoreCounters counters;
  remove_file("positional.bin");
  PositionalFile file("positional.bin", PositionalFile::Mode::make);
  file.write(10, Bytes(20, std::byte{5}), counters);
  Bytes back(100, std::byte{9});
  EXPECT_EQ(file.read(0, back, counters), 30);
  EXPECT_EQ(back[9], std::byte{0});
  EXPECT_EQ(back[29], std::byte{5});
  EXPECT_EQ(back[30], std::byte{9});
  file.resize(12);
  EXPECT_EQ(file.size(), 12);
  file.sync();
  file.close();
  EXPECT_FALSE(file.is_open());
  EXPECT_NO_THROW(file.close());
  rename_file("positional.bin", "renamed.bin");
  EXPECT_EQ(presence_of("positional.bin"), Presence::absent);
  EXPECT_EQ(presence_of("renamed.bin"), Presence::file);
  sync_directory_of("renamed.bin");
  remove_file("renamed.bin");
  EXPECT_NO_THROW(remove_file("renamed.bin"));
  EXPECT_EQ(status_of([] { rename_file("renamed.bin", "x.bin"); }), Status::not_found);
}

TEST(Publishing, FailsWhenTheNameWasTaken) {
  fs::remove_all("taken.nc");
  auto store = make_cdf_store("taken.nc", Kind::published);
  store->create(mixed(Format::cdf2).placed(), false);
  store->detach();
  fs::create_directory("taken.nc");
  EXPECT_EQ(status_of([&] { store->finish(); }), Status::access);
  store->abandon();
  EXPECT_FALSE(fs::exists("taken.nc.part"));
  fs::remove_all("taken.nc");
}

// ---- tools of others
// -----------------------------------------------------------------------------------------------------

bool have(const std::string &tool) { return std::system(("command -v " + tool + " >/dev/null 2>&1").c_str()) == 0; }

std::string output_of(const std::string &command) {
  std::string text;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return text;
  char piece[4096];
  while (const size_t n = fread(piece, 1, sizeof piece, pipe)) text.append(piece, n);
  text += "exit " + std::to_string(pclose(pipe));
  return text;
}

void put_doubles(Store &store, const Slab &slab, Type type) {
  std::vector<double> numbers(static_cast<size_t>(slab.last - slab.first));
  std::iota(numbers.begin(), numbers.end(), static_cast<double>(100 * slab.record));
  Bytes values(numbers.size() * static_cast<size_t>(size_of(type)));
  pack_row(Type::float64, type, ByteOrder::big)(reinterpret_cast<const std::byte *>(numbers.data()), 8, values.data(),
                                                slab.last - slab.first);
  store.write(slab, values);
}

// Fills every variable of `records` records with 0, 1, 2 ... + 100 * record.
void make_file(const std::string &path, const PlacedSchema &schema, int64_t records) {
  auto store = make_cdf_store(path, Kind::published);
  store->create(schema, false);
  for (int v = 0; v < static_cast<int>(schema.variables.size()); ++v) {
    const Variable &variable = schema.variables[v];
    const Box box = Box::whole(schema.slab_shape(variable));
    for (int64_t r = 0; r < (variable.has_records ? records : 1); ++r)
      put_doubles(*store, {v, r, box, 0, box.elements()}, variable.type);
  }
  store->commit(records);
  store->detach();
  store->finish();
}

class Tools : public ::testing::TestWithParam<Format> {
 protected:
  std::string path_ = "tools" + std::to_string(static_cast<int>(GetParam())) + ".nc";
  void expect_valid() {
    if (!have("ncvalidator")) GTEST_SKIP() << "ncvalidator (pnetcdf-bin) is not installed";
    const std::string reported = output_of("ncvalidator -q " + path_);
    EXPECT_EQ(reported, "exit 0") << output_of("ncvalidator " + path_);
  }
};
INSTANTIATE_TEST_SUITE_P(Formats, Tools, ::testing::Values(Format::cdf1, Format::cdf2, Format::cdf5),
                         [](const auto &tested) { return "cdf" + std::to_string(static_cast<int>(tested.param)); });

TEST_P(Tools, ValidatorAcceptsRecords) {
  make_file(path_, mixed(GetParam()).placed(), 3);
  expect_valid();
}

TEST_P(Tools, ValidatorAcceptsFilesWithoutRecords) {
  make_file(path_, mixed(GetParam()).placed(), 0);
  expect_valid();
  make_file(path_, SchemaBuilder(GetParam()).dim("x", 3).variable("a", Type::int8, {0}).placed(), 0);
  expect_valid();
  make_file(path_, SchemaBuilder(GetParam()).placed(), 0);
  expect_valid();
}

/// Parts of a file without data: fixed variables, variables with records, records.
TEST_P(Tools, ValidatorAcceptsEveryLength) {
  using Types = std::vector<Type>;
  const std::vector<Types> some{{}, {Type::int8}, {Type::int16, Type::int8}};
  for (const Placement &placement : {Placement{}, Placement{512, 512, 512, 100, 1024}})
    for (const Types &fixed : some)
      for (const Types &with_records : some)
        for (const int64_t records : {0, 1, 3}) {
          if (with_records.empty() && records > 0) continue;
          SchemaBuilder builder(GetParam());
          builder.record_dim("t").dim("x", 3);
          for (const Type type : fixed) builder.variable("f" + std::to_string(static_cast<int>(type)), type, {1});
          for (const Type type : with_records)
            builder.variable("r" + std::to_string(static_cast<int>(type)), type, {0, 1});
          make_file(path_, builder.placed(placement), records);
          SCOPED_TRACE(std::to_string(fixed.size()) + " fixed, " + std::to_string(with_records.size()) + " with " +
                       std::to_string(records) + " records, " + std::to_string(fs::file_size(path_)) + " bytes");
          expect_valid();
        }
}

/// As PnetCDF leaves one, which has nothing behind its header.
TEST_P(Tools, AFileWithoutRecordsIsAppendedTo) {
  const auto builder = SchemaBuilder(GetParam()).record_dim("t").variable("v", Type::int32, {0});
  make_file(path_, builder.placed(), 0);
  const PlacedSchema found = read_schema(path_);
  EXPECT_EQ(static_cast<int64_t>(fs::file_size(path_)), found.places->header_bytes);
  auto store = make_cdf_store(path_, Kind::growing);
  store->reopen(found);
  put_doubles(*store, {0, 0, Box::whole({}), 0, 1}, Type::int32);
  store->commit(1);
  store->detach();
  store->finish();
  EXPECT_EQ(read_schema(path_).records, 1);
  expect_valid();
}

TEST_P(Tools, ValidatorAcceptsOneVariableOfDenseRecords) {
  const auto builder = SchemaBuilder(GetParam()).record_dim("t").dim("x", 3).variable("v", Type::int16, {0, 1});
  make_file(path_, builder.placed(), 5);
  expect_valid();
}

TEST_P(Tools, DumpShowsWhatWasWritten) {
  if (!have("ncdump")) GTEST_SKIP() << "ncdump (netcdf-bin) is not installed";
  make_file(path_, mixed(GetParam()).placed(), 2);
  const std::string dump = output_of("ncdump " + path_);
  for (const char *line : {"time = UNLIMITED ; // (2 currently)", "lat = 3 ;", "double depth(lat, lon) ;",
                           "depth:units = \"m\" ;", "byte mask(lat, lon) ;", "sst:_FillValue = -1.e+20f ;",
                           "short flag(time, lon) ;", ":title = \"a test\" ;", ":version = 1.5, -2. ;",
                           "  100, 101, 102, 103, 104 ;", "  110, 111, 112, 113, 114 ;", " when = 0, 100 ;", "exit 0"})
    EXPECT_NE(dump.find(line), std::string::npos) << line << "\n" << dump;
}

TEST_P(Tools, CopyByNetcdfReadsBackTheSame) {
  if (!have("nccopy") || !have("cdfdiff")) GTEST_SKIP() << "nccopy or cdfdiff is not installed";
  make_file(path_, mixed(GetParam()).placed(), 2);
  EXPECT_EQ(output_of("nccopy " + path_ + " copy_" + path_), "exit 0");
  EXPECT_NE(output_of("cdfdiff " + path_ + " copy_" + path_).find("exit 0"), std::string::npos);
  const PlacedSchema copied = read_schema("copy_" + path_), own = read_schema(path_);
  EXPECT_EQ(copied.places->record_bytes, own.places->record_bytes);
  auto one = make_cdf_store(path_, Kind::published), two = make_cdf_store("copy_" + path_, Kind::published);
  one->attach(own, false);
  two->attach(copied, false);
  for (int v = 0; v < 5; ++v) {
    const Box box = Box::whole(own.slab_shape(own.variables[v]));
    const Slab slab{v, own.variables[v].has_records ? 1 : 0, box, 0, box.elements()};
    Bytes a(static_cast<size_t>(box.elements() * size_of(own.variables[v].type))), b(a.size());
    one->read(slab, a);
    two->read(slab, b);
    EXPECT_EQ(a, b) << own.variables[v].name;
  }
}

TEST(WideTypes, AreShownByDump) {
  if (!have("ncdump")) GTEST_SKIP() << "ncdump (netcdf-bin) is not installed";
  const auto builder = SchemaBuilder(Format::cdf5)
                           .dim("x", 2)
                           .variable("a", Type::uint8, {0})
                           .variable("b", Type::uint16, {0})
                           .variable("c", Type::uint32, {0})
                           .variable("d", Type::int64, {0})
                           .variable("e", Type::uint64, {0})
                           .numbers<uint64_t>("big", Type::uint64, {~uint64_t{0}});
  make_file("wide.nc", builder.placed(), 0);
  const std::string dump = output_of("ncdump wide.nc");
  for (const char *line : {"ubyte a(x)", "ushort b(x)", "uint c(x)", "int64 d(x)", "uint64 e(x)",
                           "e:big = 18446744073709551615ULL", " e = 0, 1 ;", "exit 0"})
    EXPECT_NE(dump.find(line), std::string::npos) << line << "\n" << dump;
}

/// A thread of the owner commits the first record, which gives the file its name, while another rank writes its first
/// slab.
TEST(CdfStore, AttachesToAGrowingFileThatIsGivenItsNameMeanwhile) {
  const PlacedSchema schema =
      SchemaBuilder(Format::cdf5).record_dim("t").dim("x", 4).variable("v", Type::float64, {0, 1}).placed();
  for (int turn = 0; turn < 300; ++turn) {
    const auto owner = make_cdf_store("named.nc", Kind::growing), other = make_cdf_store("named.nc", Kind::growing);
    owner->create(schema, false);
    std::atomic<bool> has_name{false};
    std::thread thread([&] {
      owner->commit(1);
      has_name = true;
    });
    // Again and again, so that one of them meets it.
    Status found = Status::ok;
    for (bool last = false; !last && found == Status::ok; other->detach()) {
      last = has_name;
      found = status_of([&] { other->attach(schema, true); });
    }
    thread.join();
    ASSERT_EQ(found, Status::ok) << "turn " << turn;
    owner->abandon();
  }
}

}  // namespace
}  // namespace sv
