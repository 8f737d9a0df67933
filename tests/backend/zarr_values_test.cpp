// Chunks of a Zarr group over every kind of Objects: put together from parts, in files and in shards, cut and read.
#include "backend/zarr/values.hpp"

#include <numeric>

#include "kinds_of_objects.hpp"
#include "store/schema_builder.hpp"

namespace sv {
namespace {

class ZarrValues : public testing::ObjectsTest {
 protected:
  static constexpr int64_t records = 3, rows = 5, columns = 7;

  ChunkRequest request(bool sharded) const {
    ChunkRequest made;
    made.only_chunks = made.one_record = true;
    made.kind = ChunkRequest::Kind::given;
    made.shape.push(2);
    made.shape.push(4);
    made.deflate = 1;
    made.deflate_library = "zlib";
    if (sharded) {
      made.shards = ChunkRequest::Shards::given;
      made.shard_shape.push(4);
      made.shard_shape.push(8);
    }
    return made;
  }
  std::unique_ptr<zarr::Values> opened(const ChunkRequest &request, bool writing) const {
    auto values = std::make_unique<zarr::Values>(schema_, request, Progress());
    values->stored_as({zarr::array_of(schema_, schema_.variables[0], request, 1)});
    values->open(objects(), writing);
    return values;
  }
  static SubArray part(int64_t record, int64_t row, int64_t count) {
    return {{static_cast<size_t>(record), static_cast<size_t>(row), 0},
            {1, static_cast<size_t>(count), columns},
            0,
            count * columns};
  }
  /// Rows in turn, so that all chunks of a record come in parts.
  void write(zarr::Values &values, int64_t record) const {
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int32_t> numbers(columns);
      std::iota(numbers.begin(), numbers.end(), static_cast<int32_t>(100 * record + 10 * row));
      values.write(0, part(record, row, 1), reinterpret_cast<const std::byte *>(numbers.data()));
    }
  }
  static std::vector<int32_t> read(zarr::Values &values, int64_t record) {
    std::vector<int32_t> numbers(rows * columns);
    values.read(0, part(record, 0, rows), reinterpret_cast<std::byte *>(numbers.data()));
    return numbers;
  }
  static std::vector<int32_t> expected(int64_t record) {
    std::vector<int32_t> numbers;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column)
        numbers.push_back(static_cast<int32_t>(100 * record + 10 * row + column));
    return numbers;
  }
  Schema schema_ = [] {
    Schema made = testing::SchemaBuilder(Format::zarr)
                      .record_dim("time")
                      .dim("y", rows)
                      .dim("x", columns)
                      .variable("v", Type::int32, {0, 1, 2})
                      .schema();
    made.mark_records();
    return made;
  }();
};

INSTANTIATE_TEST_SUITE_P(Kinds, ZarrValues, testing::all_kinds, testing::name_of);

TEST_P(ZarrValues, PartsBecomeChunksThatAreReadBack) {
  for (const bool sharded : {false, true}) {
    SetUp();
    const auto writer = opened(request(sharded), true);
    for (int64_t record = 0; record < records; ++record) write(*writer, record);
    EXPECT_EQ(read(*writer, 1), expected(1)) << "before the chunks are complete";
    writer->complete();
    for (int64_t record = 0; record < records; ++record)
      EXPECT_EQ(read(*opened(request(sharded), false), record), expected(record));
  }
}

TEST_P(ZarrValues, AChunkWrittenAgainKeepsItsOtherCells) {
  const auto writer = opened(request(false), true);
  write(*writer, 0);
  writer->complete();
  writer->committed(1);
  const std::vector<int32_t> ones(columns, 1);
  writer->write(0, part(0, 2, 1), reinterpret_cast<const std::byte *>(ones.data()));
  std::vector<int32_t> now = expected(0);
  std::copy(ones.begin(), ones.end(), now.begin() + 2 * columns);
  EXPECT_EQ(read(*writer, 0), now) << "of a chunk that is open";
  EXPECT_EQ(read(*opened(request(false), false), 0), expected(0)) << "before it is complete";
  writer->complete();
  EXPECT_EQ(read(*opened(request(false), false), 0), now);
}

TEST_P(ZarrValues, RecordsThatDoNotCountAreCut) {
  const auto writer = opened(request(false), true);
  for (int64_t record = 0; record < records; ++record) write(*writer, record);
  writer->complete();
  writer->cut(1);
  EXPECT_EQ(objects()->list("v/c").size(), 1U);
  EXPECT_EQ(read(*writer, 0), expected(0));
}

}  // namespace
}  // namespace sv
