// Definitions that change: the data that stay in place, and the results of stores.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "schema_builder.hpp"
#include "status_of.hpp"
#include "store/cdf_store.hpp"
#include "store/read_schema.hpp"
#include "support/memory_store.hpp"

namespace sv {
namespace {

using testing::mixed;
using testing::SchemaBuilder;

std::vector<int64_t> begins(const PlacedSchema &schema) {
  std::vector<int64_t> all;
  for (const CdfPlaces::Place &each : schema.places->variables) all.push_back(each.begin);
  return all;
}

void comment(PlacedSchema &schema, size_t length) {
  schema.attributes.push_back(text_attribute("comment", std::string(length, 'c')));
}

void add(PlacedSchema &schema, const std::string &name, const std::vector<int> &dims) {
  schema.variables.push_back({.name = name, .type = Type::int16, .dims = dims, .attributes = {}});
}

TEST(PlaceAgain, KeepsWhatHasRecordsWithinTheReserve) {
  PlacedSchema before = mixed(Format::cdf2).placed();
  before.records = 3;
  PlacedSchema after = before;
  comment(after, 2000);
  EXPECT_TRUE(place_again(after, before, {}));
  EXPECT_EQ(begins(after), begins(before));
  EXPECT_EQ(after.places->record_begin, before.places->record_begin);
  EXPECT_GT(after.places->header_bytes, before.places->header_bytes);
  comment(after, 1);
  EXPECT_THROW(place_again(after, before, {}), Error);  // two attributes of one name
}

/// Where it is said where each variable begins.
TEST(PlaceAgain, PutsVariablesWhereTheyAreWanted) {
  PlacedSchema before = mixed(Format::cdf2).placed();
  std::vector<int64_t> wanted = begins(before);
  for (int64_t &begin : wanted) begin += 100;
  Placement placement;
  placement.begins = wanted;
  PlacedSchema moved = before;
  EXPECT_FALSE(place_again(moved, before, placement));
  EXPECT_EQ(begins(moved), wanted);
  PlacedSchema same = moved;
  comment(same, 100);
  EXPECT_TRUE(place_again(same, moved, placement));
  EXPECT_EQ(begins(same), wanted);
  add(same, "more", {1, 2});
  EXPECT_THROW(place_again(same, moved, placement), Error);  // its begin is unknown
  placement.begins.front() = 4;                              // within the header
  PlacedSchema wrong = before;
  EXPECT_EQ(testing::status_of([&] { place_variables(wrong, placement); }), Status::define);
}

TEST(PlaceAgain, MovesWhenTheReserveIsSpentOrRecordsAreInTheWay) {
  PlacedSchema before = mixed(Format::cdf2).placed();
  before.records = 3;
  PlacedSchema longer = before, fixed = before, record = before;
  comment(longer, 9000);
  add(fixed, "more", {1, 2});
  add(record, "series", {0, 2});
  for (PlacedSchema *after : {&longer, &fixed, &record}) EXPECT_FALSE(place_again(*after, before, {}));
  EXPECT_EQ(longer.places->data_begin % 4096, 0);
  EXPECT_GT(longer.places->data_begin, longer.places->header_bytes);
  EXPECT_EQ(record.places->record_bytes, before.places->record_bytes + 12);
  PlacedSchema without_reserve = before;
  add(without_reserve, "more", {1, 2});
  EXPECT_FALSE(place_again(without_reserve, before, {.header_reserve = 0, .data_alignment = 4}));
  EXPECT_EQ(without_reserve.places->data_begin, before.places->data_begin);  // where the header still fits
}

TEST(PlaceAgain, AddsBehindWhatIsThereWhileThereAreNoRecords) {
  const PlacedSchema before = mixed(Format::cdf2).placed();
  PlacedSchema after = before;
  add(after, "more", {1, 2});
  add(after, "series", {0, 2});
  EXPECT_TRUE(place_again(after, before, {}));
  EXPECT_EQ(after.places->variables[0].begin, before.places->variables[0].begin);
  EXPECT_EQ(after.places->variables[1].begin, before.places->variables[1].begin);
  EXPECT_EQ(after.places->variables[5].begin, before.places->variables[1].begin + 16);
  EXPECT_EQ(after.places->record_begin, after.places->variables[5].begin + 32);
  EXPECT_EQ(after.places->variables[2].begin, after.places->record_begin);
  EXPECT_EQ(after.places->variables[6].begin, after.places->record_begin + before.places->record_bytes);
}

std::vector<std::byte> bytes_of(const std::string &path) {
  std::vector<std::byte> all(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char *>(all.data()), static_cast<std::streamsize>(all.size()));
  return all;
}

void write_redefined(Store &store) {
  PlacedSchema schema =
      SchemaBuilder(Format::cdf2).record_dim("t").dim("x", 4).variable("a", Type::int16, {1}).placed();
  const std::vector<std::byte> values(8, std::byte{7});
  const Slab slab{0, 0, Box::whole({4}), 0, 4};
  store.create(schema, false);
  store.write(slab, values);
  store.commit(0);
  const PlacedSchema before = schema;
  comment(schema, 100);
  add(schema, "series", {0, 1});
  ASSERT_TRUE(place_again(schema, before, {}));
  store.redefine(schema);
  for (int64_t record = 0; record < 2; ++record) store.write({1, record, Box::whole({4}), 0, 4}, values);
  store.commit(2);
  store.detach();
  store.finish();
}

TEST(Redefine, TheHeaderIsWrittenByTheNextCommit) {
  const auto memory = std::make_shared<MemoryFiles>();
  write_redefined(*make_cdf_store("redefined.nc", Kind::growing));
  write_redefined(*make_memory_store(memory, "redefined.nc", Kind::growing));
  EXPECT_EQ(bytes_of("redefined.nc"), *memory->files.at("redefined.nc"));
  const PlacedSchema found = read_schema("redefined.nc");
  EXPECT_EQ(found.records, 2);
  EXPECT_EQ(found.variables.size(), 2U);
  EXPECT_NE(find_attribute(found.attributes, "comment"), nullptr);
}

}  // namespace
}  // namespace sv
