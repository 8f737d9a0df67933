// The bytes of CDF files: the same calls on our own store and on the memory store, the reference, make the same bytes,
// which have the lengths that the format says. The contract (tests/backend) tests the functions of every store.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"
#include "support/memory_store.hpp"

namespace sv {
namespace {

namespace fs = std::filesystem;
using testing::mixed;
using testing::SchemaBuilder;
using testing::status_of;

FileBytes pattern(int64_t bytes, int seed) {
  FileBytes values(static_cast<size_t>(bytes));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::byte>(static_cast<size_t>(seed) * 31 + i * 7 + 1);
  return values;
}

/// One file of each store, under the same name.
class CdfBytes : public ::testing::TestWithParam<Format> {
 protected:
  void open(Kind kind) {
    stores_[0] = make_cdf_store(path_, kind);
    stores_[1] = make_memory_store(memory_, path_, kind);
  }
  template <class Action>
  void each(Action action) {
    for (const auto &store : stores_) action(*store);
  }
  /// All that both files have; they are equal.
  FileBytes bytes() {
    FileBytes all(fs::file_size(path_));
    std::ifstream(path_, std::ios::binary)
        .read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
    EXPECT_EQ(all, *memory_->files.at(path_));
    return all;
  }
  int64_t size() { return std::ssize(bytes()); }
  void resize(int64_t more) {
    const auto length = static_cast<size_t>(std::ssize(bytes()) + more);
    fs::resize_file(path_, length);
    memory_->files.at(path_)->resize(length);
  }
  PlacedSchema header() {
    const FileBytes all = bytes();
    return decode_header(all.data(), std::ssize(all), std::ssize(all));
  }

  Slab whole(int variable, int64_t record) const {
    const Box box = Box::whole(schema_.slab_shape(schema_.variables[static_cast<size_t>(variable)]));
    return {variable, record, box, 0, box.elements()};
  }
  int64_t bytes_of(const Slab &slab) const {
    return (slab.last - slab.first) * size_of(schema_.variables[static_cast<size_t>(slab.variable)].type);
  }
  void write(Writer &store, const Slab &slab, int seed) { store.write(slab, pattern(bytes_of(slab), seed)); }
  void write_record(Writer &store, int64_t record) {
    for (const int variable : {2, 3, 4})
      write(store, whole(variable, record), static_cast<int>(10 * record) + variable);
  }
  FileBytes read(Reader &store, const Slab &slab) {
    FileBytes values(static_cast<size_t>(bytes_of(slab)));
    store.read(slab, values);
    return values;
  }
  void finish(int64_t records) {
    each([&](Store &store) {
      store.commit(records);
      store.detach();
      store.finish();
    });
  }
  void make_growing(int64_t records) {
    open(Kind::growing);
    each([&](Store &store) {
      store.create(schema_, false);
      for (int64_t record = 0; record < records; ++record) write_record(store, record);
    });
    finish(records);
  }

  const std::string path_ = "cdf_bytes.nc";
  PlacedSchema schema_ = mixed(GetParam()).placed();
  const std::shared_ptr<MemoryFiles> memory_ = std::make_shared<MemoryFiles>();
  std::array<std::unique_ptr<Store>, 2> stores_;
};

INSTANTIATE_TEST_SUITE_P(Formats, CdfBytes, ::testing::Values(Format::cdf1, Format::cdf2, Format::cdf5),
                         [](const auto &tested) { return "cdf" + std::to_string(static_cast<int>(tested.param)); });

TEST_P(CdfBytes, FilesEndWithTheirCommittedRecords) {
  make_growing(2);
  EXPECT_EQ(size(), schema_.places->record_begin + 2 * schema_.places->record_bytes);
  EXPECT_EQ(header().records, 2);
  make_growing(0);
  EXPECT_EQ(size(), schema_.places->end_of_data(0));
}

TEST_P(CdfBytes, AbandonedFilesEndWithTheirCommittedRecords) {
  open(Kind::growing);
  each([&](Store &store) {
    store.create(schema_, false);
    write_record(store, 0);
    store.commit(1);
    write_record(store, 1);
    store.detach();
    store.abandon();
  });
  EXPECT_EQ(size(), schema_.places->end_of_data(1));
}

TEST_P(CdfBytes, ReopeningCutsWhatWasNotCommitted) {
  make_growing(2);
  const FileBytes before = bytes();
  resize(1000);
  open(Kind::growing);
  each([&, found = header()](Store &store) { store.reopen(found); });
  EXPECT_EQ(bytes(), before);
  each([&](Store &store) {
    write_record(store, 2);
    store.abandon();
  });
  EXPECT_EQ(bytes(), before);
}

TEST_P(CdfBytes, TruncatedFilesAreFormatErrors) {
  make_growing(2);
  resize(-5);
  const FileBytes before = bytes();
  each([&, found = header()](Store &store) {
    store.attach(found, false);
    EXPECT_EQ(read(store, whole(2, 1)), pattern(bytes_of(whole(2, 1)), 12));
    EXPECT_EQ(status_of([&] { read(store, whole(4, 1)); }), Status::format);
    store.detach();
    EXPECT_EQ(status_of([&] { store.reopen(found); }), Status::format);
    store.abandon();
  });
  EXPECT_EQ(bytes(), before);
}

TEST_P(CdfBytes, CallsOutOfOrderAreErrors) {
  open(Kind::published);
  const auto others = std::move(stores_);
  open(Kind::published);
  each([&](Store &store) {
    EXPECT_EQ(status_of([&] { write(store, whole(0, 0), 1); }), Status::internal);
    EXPECT_EQ(status_of([&] { read(store, whole(0, 0)); }), Status::internal);
    EXPECT_EQ(status_of([&] { store.sync(); }), Status::internal);
    EXPECT_EQ(status_of([&] { store.finish(); }), Status::internal);
    store.create(schema_, false);
    store.commit(2);
    EXPECT_EQ(status_of([&] { store.commit(1); }), Status::internal);
    const Box outside{Index{1, 0}, Index{3, 5}};
    const FileBytes values = pattern(8 * 15, 0);
    EXPECT_EQ(status_of([&] { store.write({0, 0, outside, 0, 15}, values); }), Status::internal);
    EXPECT_EQ(status_of([&] { store.write(whole(0, 1), values); }), Status::internal);
    EXPECT_EQ(status_of([&] { store.write(whole(1, 0), values); }), Status::internal);
    EXPECT_EQ(status_of([&] { store.write({9, 0, outside, 0, 15}, values); }), Status::internal);
  });
  for (const auto &other : others) {
    other->attach(schema_, true);
    EXPECT_EQ(status_of([&] { other->commit(1); }), Status::internal);
  }
  each([](Store &store) { store.abandon(); });
}

TEST_P(CdfBytes, OnlyRecordVariableOfShortsIsDense) {
  schema_ = SchemaBuilder(GetParam()).record_dim("t").dim("x", 3).variable("v", Type::int16, {0, 1}).placed();
  open(Kind::published);
  each([&](Store &store) {
    store.create(schema_, false);
    for (int record = 0; record < 5; ++record) write(store, whole(0, record), record);
    store.sync();
  });
  finish(5);
  EXPECT_EQ(size(), schema_.places->record_begin + 5 * 6);
  each([&](Store &store) {
    store.attach(header(), false);
    for (int record = 0; record < 5; ++record) EXPECT_EQ(read(store, whole(0, record)), pattern(6, record));
  });
}

TEST_P(CdfBytes, FileWithoutVariablesIsItsHeader) {
  schema_ = SchemaBuilder(GetParam()).dim("x", 3).text("title", "empty").placed();
  open(Kind::published);
  each([&](Store &store) { store.create(schema_, false); });
  finish(0);
  EXPECT_EQ(bytes(), encode_header(schema_));
}

/// Slabs of a whole record touch, with padding between them; parts of one slab do not.
TEST_P(CdfBytes, TouchingSlabsAreOneWrite) {
  const auto store = make_cdf_store(path_, Kind::published);
  store->create(schema_, false);
  FileBytes values(static_cast<size_t>(schema_.places->record_bytes));
  std::vector<SlabPart> parts;
  for (const int variable : {2, 3, 4}) {
    const Slab slab = whole(variable, 0);
    const auto begin = static_cast<size_t>(schema_.place(variable).begin - schema_.places->record_begin);
    parts.push_back({slab, std::span(values).subspan(begin, static_cast<size_t>(bytes_of(slab))), variable > 2});
  }
  const int64_t before = store->counters().writes;
  store->write_many(parts);
  EXPECT_EQ(store->counters().writes - before, 1);
  store->abandon();
}

Slab random_slab(const PlacedSchema &schema, std::mt19937 &random, int64_t records) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  const int variable = static_cast<int>(below(static_cast<int64_t>(schema.variables.size())));
  const Index shape = schema.slab_shape(schema.variables[static_cast<size_t>(variable)]);
  Box box = Box::whole(shape);
  for (int d = 0; d < shape.n; ++d) {
    if (below(3) == 0) continue;
    box.start[d] = below(shape[d]);
    box.count[d] = below(shape[d] - box.start[d] + 1);
  }
  const int64_t first = below(box.elements() + 1), last = first + below(box.elements() - first + 1);
  return {variable, schema.variables[static_cast<size_t>(variable)].has_records ? below(records) : 0, box, first, last};
}

TEST_P(CdfBytes, AnySlabsAreWrittenAndReadAsByTheReference) {
  schema_ = SchemaBuilder(GetParam())
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
  std::mt19937 random(7);
  open(Kind::published);
  each([&](Store &store) { store.create(schema_, false); });
  for (int i = 0; i < 2000; ++i)
    each([&, slab = random_slab(schema_, random, 4)](Store &store) { write(store, slab, i); });
  finish(4);
  bytes();
  each([&](Store &store) { store.attach(schema_, false); });
  for (int i = 0; i < 2000; ++i) {
    const Slab slab = random_slab(schema_, random, 4);
    ASSERT_EQ(read(*stores_[0], slab), read(*stores_[1], slab)) << "slab " << i;
  }
}

}  // namespace
}  // namespace sv
