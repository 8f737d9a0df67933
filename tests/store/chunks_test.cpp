// How variables of netCDF-4 files are cut into chunks.
#include "model/chunks.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace sv {
namespace {

struct Made {
  Schema schema;

  Made() {
    schema.format = Format::netcdf4;
    schema.dims = {{"time", 0, true}, {"lev", 50, false}, {"lat", 1080, false}, {"lon", 1441, false}};
    add("time", {0}, Type::float64);
    add("lat", {2}, Type::float64);
    add("depth", {2, 3}, Type::float32);
    add("temp", {0, 1, 2, 3}, Type::float32);
  }
  void add(const std::string &name, std::vector<int> dims, Type type) {
    Variable made{.name = name, .type = type, .dims = std::move(dims), .attributes = {}};
    made.has_records = !made.dims.empty() && made.dims.front() == 0;
    schema.variables.push_back(made);
  }
  Chunks chunks(const std::string &name, const ChunkRequest &request, int writers = 4) const {
    return chunks_of(schema, schema.variables[static_cast<size_t>(schema.find_variable(name))], request, writers);
  }
  int64_t stripe(const std::string &name, const Chunks &chunks) const {
    return chunk_stripe(schema, schema.variables[static_cast<size_t>(schema.find_variable(name))], chunks, 7);
  }
};

Quantization bits(int amount) { return {Quantization::Mode::bit_round, amount}; }

TEST(Chunks, OfTooManyRecordsAreRefused) {
  const Made made;
  for (const char *name : {"time", "temp"}) {
    try {
      made.chunks(name, {.records = INT32_MAX});
      FAIL() << name;
    } catch (const Error &error) {
      EXPECT_EQ(error.status(), Status::limit);
      EXPECT_NE(std::string(error.what()).find("'chunks.records'"), std::string::npos) << error.what();
    }
  }
}

TEST(Chunks, OnlyWhatMustHasThem) {
  const Made made;
  EXPECT_EQ(made.chunks("depth", {}).kind, Chunks::Kind::contiguous);
  EXPECT_EQ(made.chunks("lat", {.deflate = 5}).kind, Chunks::Kind::contiguous);
  EXPECT_EQ(made.chunks("temp", {}).kind, Chunks::Kind::shaped);
  EXPECT_EQ(made.chunks("temp", {.kind = ChunkRequest::Kind::library}).kind, Chunks::Kind::library);
}

TEST(Chunks, FollowTheWriters) {
  const Made made;
  const ChunkRequest followed{.kind = ChunkRequest::Kind::by_writers};
  const Chunks four = made.chunks("temp", followed);
  EXPECT_EQ(four.shape, (Index{1, 13, 1080, 1441}));
  EXPECT_EQ(made.stripe("temp", four), 13LL * 1080 * 1441 * 4);
  EXPECT_EQ(made.chunks("temp", followed, 1).shape, (Index{1, 25, 1080, 1441}));  // at most 256 MiB
  EXPECT_EQ(made.chunks("temp", followed, 100).shape, (Index{1, 1, 540, 1441}));
  EXPECT_EQ(made.chunks("depth", followed).shape, (Index{270, 1441}));
}

TEST(Chunks, AreGivenWithAndWithoutTheRecords) {
  const Made made;
  ChunkRequest given{.kind = ChunkRequest::Kind::given, .shape = {1, 270, 360}};
  EXPECT_EQ(made.chunks("temp", given).shape, (Index{1, 1, 270, 360}));
  EXPECT_EQ(made.chunks("depth", given).kind, Chunks::Kind::contiguous);  // it has two axes
  given.shape = {12, 5, 270, 360};
  EXPECT_EQ(made.chunks("temp", given).shape, (Index{12, 5, 270, 360}));
  given.one_record = true;
  EXPECT_EQ(made.chunks("temp", given).shape, (Index{1, 5, 270, 360}));
  given.shape = {3, 12, 5, 270, 360};
  EXPECT_EQ(made.chunks("temp", given).shape.n, 4);
  EXPECT_NE(made.chunks("temp", given).shape, (Index{1, 5, 270, 360}));
}

TEST(Chunks, AreSmallWhereCompressed) {
  const Made made;
  const Chunks compressed = made.chunks("temp", {.kind = ChunkRequest::Kind::by_writers, .deflate = 1});
  EXPECT_EQ(compressed.deflate, 1);
  EXPECT_TRUE(compressed.shuffle);
  int64_t bytes = 4;
  for (int d = 0; d < compressed.shape.n; ++d) bytes *= compressed.shape[d];
  EXPECT_LE(bytes, 4 << 20);
  EXPECT_GE(bytes, 1 << 20);
  EXPECT_EQ(made.stripe("temp", compressed), bytes);
}

TEST(Chunks, ALayoutHasSegmentsOfTheGlobalAxes) {
  const Made made;
  const Chunks by_layout = made.chunks("temp", {.cx = 4, .cy = 3});
  EXPECT_EQ(by_layout.shape, (Index{1, 50, 360, 361}));
  EXPECT_EQ(made.stripe("temp", by_layout), 7);  // no contiguous range
  EXPECT_EQ(made.chunks("temp", {.cx = 1, .cy = 1}).shape, (Index{1, 50, 1080, 1441}));
  EXPECT_EQ(made.chunks("lat", {.cx = 4, .cy = 3}).kind, Chunks::Kind::contiguous);
  EXPECT_THROW(made.chunks("depth", {.cx = 1442, .cy = 1}), Error);
}

TEST(Chunks, Of4GiBAreRefused) {
  Made made;
  made.schema.dims[1].length = 1 << 14;
  try {
    made.chunks("temp", {.cx = 1, .cy = 1});
    FAIL();
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::limit);
    EXPECT_NE(std::string(error.what()).find("'temp'"), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(made.chunks("temp", {.cx = 100, .cy = 1}));
  EXPECT_THROW(made.chunks("temp", {.kind = ChunkRequest::Kind::contiguous, .deflate = 1}), Error);
}

TEST(Chunks, SmallRecordsShareOne) {
  const Made made;
  const Chunks time = made.chunks("time", {.deflate = 3, .quantization = bits(10), .one_record = true});
  EXPECT_EQ(time.shape, (Index{8192}));
  EXPECT_EQ(time.deflate, 0);
  EXPECT_EQ(time.quantization.amount, 0);
  Made other;  // no coordinate
  other.add("level", {0, 1}, Type::float32);
  EXPECT_EQ(quantization_of(other.schema, other.schema.variables.back(), {.quantization = bits(10)}).amount, 0);
  const Chunks waits = made.chunks("time", {.deflate = 3});
  EXPECT_EQ(waits.shape, (Index{65536}));
  EXPECT_EQ(waits.deflate, 3);
}

int64_t bytes_of(const Chunks &chunks) { return shape_bytes(chunks.shape, 4); }

/// Of records of many sizes, with a few writers and with many: 4 to 16 MiB, within the writers' memory.
TEST(Chunks, OfAutoSuitMapsAndSeries) {
  for (const int64_t levels : {1, 2, 7, 40, 600})
    for (const int64_t rows : {9, 64, 180, 1080, 5000})
      for (const int writers : {1, 5, 16, 512})
        for (const bool one_record : {false, true}) {
          Made made;
          made.schema.dims[1].length = levels;
          made.schema.dims[2].length = rows;
          const ChunkRequest request{.deflate = 1, .one_record = one_record};
          const Chunks chunks = made.chunks("temp", request, writers);
          const int64_t record = levels * rows * 1441 * 4, waiting = chunks.shape[0] * record;
          const std::string description = std::to_string(levels) + " x " + std::to_string(rows) + ", " +
                                          std::to_string(writers) + " writers: " + std::to_string(chunks.shape[0]) +
                                          " records of " + std::to_string(bytes_of(chunks)) + " bytes in all";
          EXPECT_LE(bytes_of(chunks), 16 << 20) << description;
          const bool can_be_large = !one_record || record >= 4 << 20;
          EXPECT_GE(bytes_of(chunks), can_be_large ? 4 << 20 : 0) << description;
          EXPECT_LE(chunks.shape[0], one_record ? 1 : INT64_MAX) << description;
          EXPECT_TRUE(chunks.shape[0] == 1 || waiting <= (int64_t{64} << 20) * writers) << description;
        }
}

/// Uncompressed chunks are in the file, with or without a put.
TEST(Chunks, OfAutoLeaveLittleRoomUnused) {
  Made made;
  made.schema.dims[1].length = 1;
  made.schema.dims[2].length = 9;
  EXPECT_EQ(made.chunks("temp", {}).shape, (Index{16, 1, 9, 1441}));
  made.schema.dims[2].length = 1000;
  EXPECT_EQ(made.chunks("temp", {}).shape, (Index{1, 1, 1000, 1441}));
}

/// The memory is shared by all variables.
TEST(Chunks, OfManyVariablesHaveFewerRecords) {
  Made made;
  made.schema.dims[1].length = 2;
  const int64_t alone = made.chunks("temp", {.deflate = 1}, 1).shape[0];
  for (int i = 0; i < 40; ++i) made.add("other" + std::to_string(i), {0, 1, 2, 3}, Type::float32);
  EXPECT_GT(alone, 1);
  EXPECT_EQ(made.chunks("temp", {.deflate = 1}, 1).shape[0], 1);
  EXPECT_GT(made.chunks("temp", {.deflate = 1}, 64).shape[0], 1);
}

TEST(Chunks, HaveOneKindOfCompression) {
  const Made made;
  EXPECT_THROW(made.chunks("temp", {.deflate = 1, .zstd = 1}), Error);
  EXPECT_THROW(made.chunks("depth", {.kind = ChunkRequest::Kind::contiguous, .fletcher32 = true}), Error);
  const Chunks summed = made.chunks("depth", {.fletcher32 = true});
  EXPECT_EQ(summed.kind, Chunks::Kind::shaped);
  EXPECT_TRUE(summed.fletcher32 && !summed.shuffle);
}

TEST(Chunks, CoordinatesAreNotQuantized) {
  Made made;
  EXPECT_EQ(made.chunks("depth", {.deflate = 1, .quantization = bits(9)}).quantization.amount, 9);
  made.schema.variables.back().attributes.push_back(text_attribute("coordinates", "depth other"));
  EXPECT_EQ(made.chunks("depth", {.deflate = 1, .quantization = bits(9)}).quantization.amount, 0);
  EXPECT_EQ(made.chunks("temp", {.deflate = 1, .quantization = bits(9)}).quantization.amount, 9);
}

}  // namespace
}  // namespace sv
