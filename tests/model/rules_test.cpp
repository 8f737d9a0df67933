// The rules of the formats, and the values that a schema derives from them, by tables.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/definition_checks.hpp"
#include "model/growth.hpp"
#include "model/rules/classic.hpp"
#include "model/rules/netcdf4.hpp"
#include "store/cdf_places.hpp"

namespace sv {
namespace {

constexpr int64_t unlimited = -1;

/// Dimensions named a, b, c ..., and variables named v0, v1 ... on them; unlimited dimensions have the length 5.
Schema schema_of(Format format, const std::vector<int64_t> &lengths, const std::vector<std::vector<int>> &variables) {
  Schema schema;
  schema.format = format;
  for (const int64_t length : lengths)
    schema.dims.push_back({std::string(1, static_cast<char>('a' + schema.dims.size())),
                           length == unlimited ? 5 : length, false, length == unlimited});
  for (const std::vector<int> &dims : variables)
    schema.variables.push_back({.name = "v" + std::to_string(schema.variables.size()), .dims = dims, .attributes = {}});
  return schema;
}

std::vector<int64_t> numbers(const Index &index) { return {index.begin(), index.end()}; }

struct Case {
  const char *what;
  std::vector<int64_t> lengths;
  std::vector<std::vector<int>> variables;
  int record_dim;
  std::vector<std::vector<int64_t>> slabs;  // shapes
  bool is_classic;
};

const std::vector<Case> cases{
    {"no unlimited dimension", {3, 4}, {{0, 1}}, -1, {{3, 4}}, true},
    {"one, in front", {unlimited, 4}, {{0, 1}, {1}, {0}}, 0, {{4}, {4}, {}}, true},
    {"one, behind", {3, unlimited}, {{0, 1}}, -1, {{3, 5}}, false},
    {"one, in front and behind", {unlimited, 4}, {{0, 1}, {1, 0}}, -1, {{5, 4}, {4, 5}}, false},
    {"two in one variable", {unlimited, unlimited, 2}, {{0, 1, 2}}, 0, {{5, 2}}, false},
    {"the second one in front", {unlimited, unlimited}, {{1, 0}}, 1, {{5}}, false},
    {"two, each in front", {unlimited, unlimited, 2}, {{0, 2}, {1, 2}}, 0, {{2}, {5, 2}}, false},
    {"two, the first one unused", {unlimited, unlimited, 2}, {{1, 2}}, 1, {{2}}, false},
    {"one that no variable has", {unlimited, 2}, {{1}}, 0, {{2}}, true},
    {"twice in one variable", {unlimited}, {{0, 0}}, -1, {{5, 5}}, false},
    {"a scalar", {unlimited}, {{}}, 0, {{}}, true},
};

TEST(RecordDimension, IsTheLeadingUnlimitedOne) {
  for (const Case &each : cases) {
    Schema schema = schema_of(Format::netcdf4, each.lengths, each.variables);
    enhanced::choose_record_dimension(schema);
    EXPECT_EQ(schema.record_dim(), each.record_dim) << each.what;
    EXPECT_EQ(schema.records, each.record_dim >= 0 ? 5 : 0) << each.what;
    for (size_t v = 0; v < each.slabs.size(); ++v) {
      const Variable &variable = schema.variables[v];
      EXPECT_EQ(numbers(schema.slab_shape(variable)), each.slabs[v]) << each.what;
      EXPECT_EQ(variable.has_records, !variable.dims.empty() && variable.dims.front() == each.record_dim) << each.what;
      EXPECT_EQ(std::ssize(variable.slab_dims()), std::ssize(each.slabs[v])) << each.what;
    }
  }
}

TEST(RecordDimension, StaysWhereRecordsAreCounted) {
  Schema schema = schema_of(Format::netcdf4, {unlimited, 4}, {{0, 1}});
  enhanced::choose_record_dimension(schema);
  schema.variables.push_back({.name = "late", .dims = {1, 0}, .attributes = {}});
  EXPECT_THROW(enhanced::choose_record_dimension(schema), Error);
  schema.records = 0;
  EXPECT_NO_THROW(enhanced::choose_record_dimension(schema));
  EXPECT_EQ(schema.record_dim(), -1);
  EXPECT_TRUE(schema.has_growing_slab(schema.variables.front()));
}

TEST(ClassicModel, HasOneUnlimitedDimensionAndItLeads) {
  for (const Case &each : cases)
    for (const Format format : {Format::automatic, Format::cdf1, Format::cdf2, Format::cdf5, Format::netcdf4_classic,
                                Format::netcdf4, Format::zarr}) {
      const Schema schema = schema_of(format, each.lengths, each.variables);
      const bool is_allowed = each.is_classic || !classic::governs(format);
      if (is_allowed)
        EXPECT_NO_THROW(check_definitions(schema)) << each.what << ", " << name_of(format);
      else
        EXPECT_THROW(check_definitions(schema), Error) << each.what << ", " << name_of(format);
    }
}

TEST(ClassicModel, CountsRecordsInSignedNumbers) {
  EXPECT_EQ(classic::most_records(Format::cdf1), INT32_MAX);
  EXPECT_EQ(classic::most_records(Format::cdf2), INT32_MAX);
  EXPECT_EQ(classic::most_records(Format::cdf5), INT64_MAX);
  EXPECT_EQ(classic::most_records(Format::zarr), INT64_MAX);
}

TEST(Growth, IsOfUnlimitedDimensionsBehindTheRecords) {
  Schema schema = schema_of(Format::netcdf4, {unlimited, unlimited, 4}, {{0, 1, 2}});
  enhanced::choose_record_dimension(schema);
  const auto lengths_after = [&](std::initializer_list<int64_t> ends) {
    Index index;
    for (const int64_t end : ends) index.push(end);
    lengthen_dimensions(schema, growths_for(schema, schema.variables.front(), index));
    return schema.dims[1].length;
  };
  EXPECT_EQ(lengths_after({9, 5, 4}), 5);
  EXPECT_EQ(lengths_after({9, 8, 4}), 8);
  EXPECT_EQ(lengths_after({1, 2, 4}), 8);
  EXPECT_EQ(schema.records, 5);
  EXPECT_EQ(schema.dims[2].length, 4);
}

TEST(Growth, TravelsWithTheDefinitions) {
  Schema made = schema_of(Format::zarr, {unlimited, unlimited, unlimited, 4}, {{1, 0, 3}, {3, 2}});
  made.dims[2].length = 0;
  enhanced::choose_record_dimension(made);
  const PlacedSchema back = decode_broadcast(encode_header(PlacedSchema{made, {}}), Format::zarr);
  EXPECT_EQ(back.record_dim(), 1);
  EXPECT_EQ(back.records, 5);
  for (size_t d = 0; d < made.dims.size(); ++d) {
    EXPECT_EQ(back.dims[d].grows, made.dims[d].grows) << d;
    EXPECT_EQ(back.dims[d].length, made.dims[d].length) << d;
  }
  EXPECT_TRUE(back.variables[0].has_records);
  EXPECT_FALSE(back.variables[1].has_records);
}

}  // namespace
}  // namespace sv
