// The owners of chunks from record to record: all data of a chunk belong to one owner, and owners take turns.
#include "file/places.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plan/chunk_grid.hpp"

namespace sv {
namespace {

constexpr int owners = 3, records = 6;

PlacedSchema schema_of_records(int variables) {
  PlacedSchema schema;
  schema.format = Format::netcdf4;
  schema.dims = {{"time", 0, true}, {"y", 4, false}, {"x", 6, false}};
  for (int v = 0; v < variables; ++v)
    schema.variables.push_back(
        {.name = "v" + std::to_string(v), .dims = {0, 1, 2}, .attributes = {}, .has_records = true});
  return schema;
}

/// The owner of each chunk of a record, record after record.
std::vector<int> owners_of(const Places &places, int variable) {
  std::vector<int> all;
  for (int64_t record = 0; record < records; ++record) {
    const ChunkGrid grid(places.field(variable, record));
    for (int64_t chunk = 0; chunk < grid.chunks(); ++chunk) all.push_back(grid.owner(chunk, owners));
  }
  return all;
}

TEST(Places, LetOwnersTakeTurnsWithChunks) {
  const PlacedSchema schema = schema_of_records(5);
  const auto shaped = [](Index shape) { return Chunks{.kind = Chunks::Kind::shaped, .shape = shape, .inside = {}}; };
  const Places places(schema, {.placing = Placing::by_chunk,
                               .stripe_bytes = 4096,
                               .chunks = {},
                               .owners = owners,
                               .found = {shaped({1, 4, 6}), shaped({1, 2, 6}), shaped({3, 4, 6}), shaped({2, 3, 2}),
                                         Chunks{.kind = Chunks::Kind::library, .shape = {}, .inside = {}}}});
  EXPECT_EQ(owners_of(places, 0), (std::vector{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(owners_of(places, 1), (std::vector{1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}));
  EXPECT_EQ(owners_of(places, 2), (std::vector{2, 2, 2, 0, 0, 0}));
  std::vector<int> many;  // six chunks a record, which are the same ones in two records
  for (int i = 0; i < 6 * records; ++i) many.push_back(i % owners);
  EXPECT_EQ(owners_of(places, 3), many);
  EXPECT_EQ(owners_of(places, 4), std::vector<int>(records, 1)) << "the library may put records into one chunk";
}

}  // namespace
}  // namespace sv
