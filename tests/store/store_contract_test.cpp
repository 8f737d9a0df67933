// What every store must do, whatever is behind it. The memory store is the reference.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "base/error.hpp"
#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"
#include "support/memory_store.hpp"
#include "tiny_store/tiny_store.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
using testing::mixed;
using testing::SchemaBuilder;
using testing::status_of;
using Bytes = std::vector<std::byte>;

// Makes stores and looks at their files from outside.
struct Backend {
  virtual ~Backend() = default;
  virtual std::unique_ptr<Store> store(const std::string &path, Kind kind) = 0;
  virtual bool exists(const std::string &path) = 0;
  virtual Bytes bytes(const std::string &path) = 0;
  virtual void put(const std::string &path, const Bytes &bytes) = 0;
};

struct CdfBackend : Backend {
  CdfBackend() {
    fs::remove_all("contract");
    fs::create_directory("contract");
  }
  std::unique_ptr<Store> store(const std::string &path, Kind kind) override { return make_cdf_store(name(path), kind); }
  bool exists(const std::string &path) override { return fs::exists(name(path)); }
  Bytes bytes(const std::string &path) override {
    Bytes all(fs::file_size(name(path)));
    std::ifstream(name(path), std::ios::binary)
        .read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
    return all;
  }
  void put(const std::string &path, const Bytes &bytes) override {
    std::ofstream(name(path), std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  static std::string name(const std::string &path) { return "contract/" + path; }
};

struct MemoryBackend final : Backend {
  std::shared_ptr<MemoryFiles> memory = std::make_shared<MemoryFiles>();
  std::unique_ptr<Store> store(const std::string &path, Kind kind) override {
    return make_memory_store(memory, path, kind);
  }
  bool exists(const std::string &path) override { return memory->files.count(path) > 0; }
  Bytes bytes(const std::string &path) override { return *memory->files.at(path); }
  void put(const std::string &path, const Bytes &bytes) override {
    memory->files[path] = std::make_shared<FileBytes>(bytes);
  }
};

// The tests' own store, whose files are directories: from outside, they are the CDF file that would have the same
// values in the same places.
struct TinyBackend final : CdfBackend {
  std::unique_ptr<Store> store(const std::string &path, Kind kind) override {
    return tiny::make_store(name(path), kind);
  }
  static int64_t offset_of(const CdfPlaces::Place &place, int64_t byte) {
    return place.of_record(byte / place.slab_bytes) + byte % place.slab_bytes;
  }
  Bytes bytes(const std::string &path) override {
    if (!fs::is_directory(name(path))) return CdfBackend::bytes(path);
    Bytes all = CdfBackend::bytes(tiny::definitions_of(path));
    const PlacedSchema schema = decode_header(all.data(), std::ssize(all), -1);
    if (!schema.variables.empty()) all.resize(static_cast<size_t>(schema.places->end_of_data(0)));
    for (int v = 0; v < std::ssize(schema.variables); ++v) {
      const Bytes own = CdfBackend::bytes(tiny::variable_of(path, v));
      for (int64_t i = 0; i < std::ssize(own); ++i) {
        const auto at = static_cast<size_t>(offset_of(schema.place(v), i));
        if (at >= all.size()) all.resize(at + 1);
        all[at] = own[static_cast<size_t>(i)];
      }
    }
    return all;
  }
  void put(const std::string &path, const Bytes &bytes) override {
    if (!fs::is_directory(name(path))) return CdfBackend::put(path, bytes);
    const PlacedSchema schema = decode_header(bytes.data(), std::ssize(bytes), -1);
    CdfBackend::put(tiny::definitions_of(path), Bytes(bytes.begin(), bytes.begin() + schema.places->header_bytes));
    for (int v = 0; v < std::ssize(schema.variables); ++v) {
      const CdfPlaces::Place &place = schema.place(v);
      Bytes own;
      for (int64_t i = 0; schema.variables[v].has_records || i < place.slab_bytes; ++i) {
        const int64_t at = offset_of(place, i);
        if (at >= std::ssize(bytes)) break;
        own.push_back(bytes[static_cast<size_t>(at)]);
      }
      CdfBackend::put(tiny::variable_of(path, v), own);
    }
  }
};

std::unique_ptr<Backend> make_backend(const std::string &name) {
  if (name == "cdf") return std::make_unique<CdfBackend>();
  if (name == "tiny") return std::make_unique<TinyBackend>();
  return std::make_unique<MemoryBackend>();
}

Bytes pattern(int64_t bytes, int seed) {
  Bytes values(static_cast<size_t>(bytes));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::byte>(static_cast<size_t>(seed) * 31 + i * 7 + 1);
  return values;
}

Slab whole(const PlacedSchema &schema, int variable, int64_t record) {
  const Box box = Box::whole(schema.slab_shape(schema.variables[variable]));
  return {variable, record, box, 0, box.elements()};
}

int64_t size_of_slab(const PlacedSchema &schema, const Slab &slab) {
  return (slab.last - slab.first) * size_of(schema.variables[slab.variable].type);
}

class Contract : public ::testing::TestWithParam<std::tuple<const char *, Format>> {
 protected:
  PlacedSchema schema_ = mixed(std::get<1>(GetParam())).placed();
  std::unique_ptr<Backend> backend_ = make_backend(std::get<0>(GetParam()));

  std::unique_ptr<Store> created(Kind kind) {
    auto store = backend_->store("a.nc", kind);
    store->create(schema_, false);
    return store;
  }
  void write(Store &store, int variable, int64_t record, int seed) {
    const Slab slab = whole(schema_, variable, record);
    store.write(slab, pattern(size_of_slab(schema_, slab), seed));
  }
  void write_record(Store &store, int64_t record) {
    for (const int variable : {2, 3, 4}) write(store, variable, record, static_cast<int>(10 * record) + variable);
  }
  Bytes read(Store &store, int variable, int64_t record) {
    const Slab slab = whole(schema_, variable, record);
    Bytes values(static_cast<size_t>(size_of_slab(schema_, slab)));
    store.read(slab, values);
    return values;
  }
  void expect(Store &store, int variable, int64_t record, int seed) {
    EXPECT_EQ(read(store, variable, record), pattern(size_of_slab(schema_, whole(schema_, variable, record)), seed));
  }
  std::unique_ptr<Store> reader(const std::string &path = "a.nc") {
    auto store = backend_->store(path, Kind::published);
    store->attach(header(path), false);
    return store;
  }
  PlacedSchema header(const std::string &path) {
    const Bytes bytes = backend_->bytes(path);
    return decode_header(bytes.data(), static_cast<int64_t>(bytes.size()), static_cast<int64_t>(bytes.size()));
  }
  void make_growing(int64_t records) {
    auto store = created(Kind::growing);
    for (const int variable : {0, 1}) write(*store, variable, 0, variable);
    for (int64_t r = 0; r < records; ++r) write_record(*store, r);
    store->commit(records);
    store->detach();
    store->finish();
  }
};

INSTANTIATE_TEST_SUITE_P(Stores, Contract,
                         ::testing::Combine(::testing::Values("cdf", "memory", "tiny"),
                                            ::testing::Values(Format::cdf1, Format::cdf2, Format::cdf5)),
                         [](const auto &tested) {
                           return std::get<0>(tested.param) + std::string("_cdf") +
                                  std::to_string(static_cast<int>(std::get<1>(tested.param)));
                         });

TEST_P(Contract, PublishedFileAppearsWhenFinished) {
  auto store = created(Kind::published);
  write(*store, 0, 0, 1);
  write_record(*store, 0);
  write_record(*store, 1);
  store->commit(2);
  store->detach();
  EXPECT_FALSE(backend_->exists("a.nc"));
  EXPECT_TRUE(backend_->exists("a.nc.part"));
  store->finish();
  EXPECT_TRUE(backend_->exists("a.nc"));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
  EXPECT_FALSE(backend_->exists("a.nc.complete"));
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()),
            schema_.places->record_begin + 2 * schema_.places->record_bytes);
  EXPECT_EQ(header("a.nc").records, 2);
  auto back = reader();
  expect(*back, 0, 0, 1);
  expect(*back, 2, 1, 12);
  expect(*back, 4, 0, 4);
  EXPECT_EQ(read(*back, 1, 0), Bytes(15)) << "what nobody wrote reads as zeros";
}

TEST_P(Contract, ManySlabsAtOnceAreThoseOneByOne) {
  auto store = created(Kind::growing);
  // A whole record, whose slabs touch; then parts of one slab, which do not.
  Bytes values;
  std::vector<SlabPart> parts;
  std::vector<size_t> begins;
  for (const int variable : {2, 3, 4}) {
    const Slab slab = whole(schema_, variable, 0);
    begins.push_back(values.size());
    const Bytes more = pattern(size_of_slab(schema_, slab), variable);
    values.insert(values.end(), more.begin(), more.end());
    if (variable < 4)
      values.resize(begins.back() + static_cast<size_t>(schema_.places->variables[variable].slab_bytes));
    parts.push_back({slab, {}, variable > 2});
  }
  for (size_t i = 0; i < parts.size(); ++i)
    parts[i].values = std::span(values).subspan(begins[i], static_cast<size_t>(size_of_slab(schema_, parts[i].slab)));
  const StoreCounters before = store->counters();
  store->write_many(parts);
  EXPECT_EQ(store->counters().writes - before.writes, std::get<0>(GetParam()) == std::string("cdf") ? 1 : 3);
  Slab slab = whole(schema_, 2, 1);
  const Bytes all = pattern(size_of_slab(schema_, slab), 5);
  const auto size = static_cast<size_t>(size_of(schema_.variables[2].type));
  Bytes first(all.begin(), all.begin() + size), rest(all.begin() + size, all.end());
  Slab one = slab, others = slab;
  one.last = others.first = 1;
  store->write_many(std::vector<SlabPart>{{one, first, false}, {others, rest, false}});
  store->commit(2);
  for (const int variable : {2, 3, 4}) expect(*store, variable, 0, variable);
  expect(*store, 2, 1, 5);
  Bytes read_first(first.size()), read_rest(rest.size());
  store->read_many(std::vector<SlabPart>{{others, read_rest, false}, {one, read_first, false}});
  EXPECT_EQ(read_first, first);
  EXPECT_EQ(read_rest, rest);
  std::fill(values.begin(), values.end(), std::byte{});
  store->read_many(parts);
  for (size_t i = 0; i < parts.size(); ++i)
    EXPECT_EQ(Bytes(parts[i].values.begin(), parts[i].values.end()),
              pattern(size_of_slab(schema_, parts[i].slab), static_cast<int>(i) + 2));
  store->write_many({});
  store->read_many({});
  store->detach();
  store->finish();
}

TEST_P(Contract, OldFileStandsUntilTheNewOneIsPublished) {
  backend_->put("a.nc", pattern(10, 3));
  backend_->put("a.nc.part", pattern(100000, 4));
  backend_->put("a.nc.complete", {});
  auto store = created(Kind::published);
  EXPECT_EQ(backend_->bytes("a.nc"), pattern(10, 3));
  EXPECT_FALSE(backend_->exists("a.nc.complete"));
  store->detach();
  store->finish();
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()), schema_.places->record_begin);
}

TEST_P(Contract, ExclusiveRefusesWhatExists) {
  backend_->put("a.nc", pattern(10, 3));
  auto store = backend_->store("a.nc", Kind::published);
  EXPECT_EQ(status_of([&] { store->create(schema_, true); }), Status::exists);
  store->abandon();
  EXPECT_EQ(backend_->bytes("a.nc"), pattern(10, 3));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
}

TEST_P(Contract, GrowingFileAppearsWithItsFirstCommit) {
  auto store = created(Kind::growing);
  for (const int variable : {0, 1}) write(*store, variable, 0, variable);
  write_record(*store, 0);
  EXPECT_FALSE(backend_->exists("a.nc"));
  store->commit(1);
  EXPECT_TRUE(backend_->exists("a.nc"));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
  write_record(*store, 1);
  auto early = reader();
  expect(*early, 2, 0, 2);
  EXPECT_EQ(status_of([&] { read(*early, 2, 1); }), Status::not_found);
  store->commit(2);
  expect(*early, 2, 1, 12);
  EXPECT_FALSE(backend_->exists("a.nc.complete"));
  store->detach();
  store->finish();
  EXPECT_TRUE(backend_->exists("a.nc.complete"));
  EXPECT_EQ(header("a.nc").records, 2);
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()), schema_.places->end_of_data(2));
}

TEST_P(Contract, OtherWritersShareTheFile) {
  for (const Kind kind : {Kind::published, Kind::growing}) {
    auto owner = created(kind);
    auto other = backend_->store("a.nc", kind);
    other->attach(schema_, true);
    write(*owner, 2, 0, 5);
    owner->commit(1);
    write(*other, 3, 0, 6);  // after the first commit, which gives a growing file another name
    write(*other, 0, 0, 7);
    write(*owner, 4, 0, 8);
    expect(*other, 2, 0, 5);
    other->detach();
    owner->detach();
    owner->finish();
    auto back = reader();
    expect(*back, 0, 0, 7);
    expect(*back, 3, 0, 6);
    expect(*back, 4, 0, 8);
  }
}

TEST_P(Contract, AbandonedPublishedFileLeavesNothing) {
  auto store = created(Kind::published);
  write_record(*store, 0);
  store->commit(1);
  store->abandon();
  EXPECT_FALSE(backend_->exists("a.nc"));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
}

TEST_P(Contract, AbandonedGrowingFileKeepsItsCommittedRecords) {
  auto store = created(Kind::growing);
  write_record(*store, 0);
  store->commit(1);
  write_record(*store, 1);
  store->detach();
  store->abandon();
  EXPECT_EQ(header("a.nc").records, 1);
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()), schema_.places->end_of_data(1));
  EXPECT_FALSE(backend_->exists("a.nc.complete"));
  expect(*reader(), 3, 0, 3);
}

TEST_P(Contract, AbandonedGrowingFileWithoutCommitLeavesNothing) {
  auto store = created(Kind::growing);
  write_record(*store, 0);
  store->abandon();
  EXPECT_FALSE(backend_->exists("a.nc"));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
}

TEST_P(Contract, ReopeningCutsWhatWasNotCommittedAndAppends) {
  make_growing(2);
  Bytes longer = backend_->bytes("a.nc");
  longer.resize(longer.size() + 1000, std::byte{0x77});
  backend_->put("a.nc", longer);
  backend_->put("a.nc.part", pattern(100, 1));
  auto store = backend_->store("a.nc", Kind::growing);
  store->reopen(header("a.nc"));
  EXPECT_FALSE(backend_->exists("a.nc.complete"));
  EXPECT_FALSE(backend_->exists("a.nc.part"));
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()), schema_.places->end_of_data(2));
  auto other = backend_->store("a.nc", Kind::growing);
  other->attach(header("a.nc"), true);
  write(*other, 2, 2, 22);
  other->detach();
  store->commit(3);
  store->detach();
  store->finish();
  EXPECT_TRUE(backend_->exists("a.nc.complete"));
  auto back = reader();
  expect(*back, 1, 0, 1);
  expect(*back, 4, 1, 14);
  expect(*back, 2, 2, 22);
  EXPECT_EQ(read(*back, 3, 2), Bytes(10));
}

TEST_P(Contract, AbandonedReopenedFileIsAsItWas) {
  make_growing(2);
  const Bytes before = backend_->bytes("a.nc");
  auto store = backend_->store("a.nc", Kind::growing);
  store->reopen(header("a.nc"));
  write_record(*store, 2);
  store->abandon();
  EXPECT_EQ(backend_->bytes("a.nc"), before);
}

TEST_P(Contract, TruncatedFilesAreFormatErrors) {
  make_growing(2);
  Bytes shorter = backend_->bytes("a.nc");
  shorter.resize(shorter.size() - 5);
  backend_->put("a.nc", shorter);
  auto back = reader();
  expect(*back, 2, 1, 12);
  EXPECT_EQ(status_of([&] { read(*back, 4, 1); }), Status::format);
  auto store = backend_->store("a.nc", Kind::growing);
  EXPECT_EQ(status_of([&] { store->reopen(header("a.nc")); }), Status::format);
  store->abandon();
  EXPECT_EQ(backend_->bytes("a.nc"), shorter);
}

TEST_P(Contract, MissingFilesAreNotFound) {
  auto store = backend_->store("none.nc", Kind::published);
  EXPECT_EQ(status_of([&] { store->reopen(schema_); }), Status::not_found);
  EXPECT_EQ(status_of([&] { store->attach(schema_, true); }), Status::not_found);
  EXPECT_EQ(status_of([&] { store->attach(schema_, false); }), Status::not_found);
  store->abandon();
  EXPECT_FALSE(backend_->exists("none.nc"));
}

TEST_P(Contract, ReadersDoNotWrite) {
  make_growing(1);
  auto back = reader();
  EXPECT_NE(status_of([&] { write(*back, 2, 0, 1); }), Status::ok);
  expect(*back, 2, 0, 2);
  EXPECT_NO_THROW(back->detach());
}

TEST_P(Contract, CallsOutOfOrderAreErrors) {
  auto unopened = backend_->store("a.nc", Kind::published);
  EXPECT_EQ(status_of([&] { write(*unopened, 0, 0, 1); }), Status::internal);
  EXPECT_EQ(status_of([&] { read(*unopened, 0, 0); }), Status::internal);
  EXPECT_EQ(status_of([&] { unopened->sync(); }), Status::internal);
  EXPECT_EQ(status_of([&] { unopened->finish(); }), Status::internal);
  auto owner = created(Kind::published);
  auto other = backend_->store("a.nc", Kind::published);
  other->attach(schema_, true);
  EXPECT_EQ(status_of([&] { other->commit(1); }), Status::internal);
  owner->commit(2);
  EXPECT_EQ(status_of([&] { owner->commit(1); }), Status::internal);
  const Box outside{Index{1, 0}, Index{3, 5}};
  const Bytes values = pattern(8 * 15, 0);
  EXPECT_EQ(status_of([&] { owner->write({0, 0, outside, 0, 15}, values); }), Status::internal);
  EXPECT_EQ(status_of([&] { owner->write(whole(schema_, 0, 1), values); }), Status::internal);
  EXPECT_EQ(status_of([&] { owner->write(whole(schema_, 1, 0), values); }), Status::internal);
  EXPECT_EQ(status_of([&] { owner->write({9, 0, outside, 0, 15}, values); }), Status::internal);
  owner->abandon();
}

TEST_P(Contract, OnlyRecordVariableOfShortsIsDense) {
  schema_ =
      SchemaBuilder(std::get<1>(GetParam())).record_dim("t").dim("x", 3).variable("v", Type::int16, {0, 1}).placed();
  auto store = created(Kind::published);
  for (int64_t r = 0; r < 5; ++r) write(*store, 0, r, static_cast<int>(r));
  store->commit(5);
  store->sync();
  store->detach();
  store->finish();
  EXPECT_EQ(static_cast<int64_t>(backend_->bytes("a.nc").size()), schema_.places->record_begin + 5 * 6);
  auto back = reader();
  for (int64_t r = 0; r < 5; ++r) expect(*back, 0, r, static_cast<int>(r));
}

TEST_P(Contract, FileWithoutVariablesIsItsHeader) {
  schema_ = SchemaBuilder(std::get<1>(GetParam())).dim("x", 3).text("title", "empty").placed();
  auto store = created(Kind::published);
  store->commit(0);
  store->detach();
  store->finish();
  EXPECT_EQ(backend_->bytes("a.nc"), encode_header(schema_));
}

// ---- any slabs: both stores make the same bytes and read the same values
// -----------------------------------------------

Slab random_slab(const PlacedSchema &schema, std::mt19937 &random, int64_t records) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const int variable = static_cast<int>(below(static_cast<int64_t>(schema.variables.size())));
  const Index shape = schema.slab_shape(schema.variables[variable]);
  Box box = Box::whole(shape);
  for (int d = 0; d < shape.n; ++d) {
    if (below(3) == 0) continue;
    box.start[d] = below(shape[d]);
    box.count[d] = below(shape[d] - box.start[d] + 1);
  }
  const int64_t first = below(box.elements() + 1), last = first + below(box.elements() - first + 1);
  return {variable, schema.variables[variable].has_records ? below(records) : 0, box, first, last};
}

class AnySlabs : public ::testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, AnySlabs, ::testing::Values(Format::cdf1, Format::cdf2, Format::cdf5),
                         [](const auto &tested) { return "cdf" + std::to_string(static_cast<int>(tested.param)); });

TEST_P(AnySlabs, AreWrittenAndReadAsByTheReference) {
  const PlacedSchema schema = SchemaBuilder(GetParam())
                                  .record_dim("t")
                                  .dim("z", 4)
                                  .dim("y", 5)
                                  .dim("x", 6)
                                  .dim("wide", 9000)
                                  .dim("one", 1)
                                  .variable("volume", Type::float64, {1, 2, 3})
                                  .variable("scalar", Type::int32, {})
                                  .variable("rows", Type::int16, {2, 4})
                                  .variable("record", Type::float32, {0, 1, 2, 3})
                                  .variable("thin", Type::int8, {0, 5, 3, 5})
                                  .placed();
  MemoryBackend memory;
  CdfBackend cdf;
  std::mt19937 random(7);
  auto expected = memory.store("a.nc", Kind::published), store = cdf.store("a.nc", Kind::published);
  for (Store *one : {expected.get(), store.get()}) one->create(schema, true);
  for (int i = 0; i < 2000; ++i) {
    const Slab slab = random_slab(schema, random, 4);
    const Bytes values = pattern(size_of_slab(schema, slab), i);
    for (Store *one : {expected.get(), store.get()}) one->write(slab, values);
  }
  for (Store *one : {expected.get(), store.get()}) {
    one->commit(4);
    one->detach();
    one->finish();
    one->attach(schema, false);
  }
  EXPECT_EQ(memory.bytes("a.nc"), cdf.bytes("a.nc"));
  for (int i = 0; i < 2000; ++i) {
    const Slab slab = random_slab(schema, random, 4);
    Bytes wanted(static_cast<size_t>(size_of_slab(schema, slab))), values(wanted.size());
    expected->read(slab, wanted);
    store->read(slab, values);
    ASSERT_EQ(values, wanted) << "slab " << i;
  }
}

}  // namespace
}  // namespace sv
