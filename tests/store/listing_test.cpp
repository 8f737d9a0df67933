#include "store/listing.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace sv {
namespace {

Schema small() {
  Schema schema;
  schema.dims = {{"time", 0, true}, {"x", 4, false}};
  schema.variables.push_back({});
  schema.variables[0].name = "sst";
  schema.variables[0].type = Type::float32;
  schema.variables[0].dims = {0, 1};
  return schema;
}

TEST(Listing, HasALineForEachDefinition) {
  EXPECT_EQ("dimension 'time' of records\ndimension 'x' of 4\nvariable 'sst', float, on dimensions 'time' 'x'\n",
            listing_of(small(), {}));
  EXPECT_NE(listing_of(small(), {}), listing_of(small(), {{0, 1}}));
}

/// The numbers of definitions are equal where their listings are, and differ where these do.
TEST(Listing, HasANumberOfItsOwn) {
  const std::vector<std::function<void(Schema &)>> changes{
      [](Schema &) {},
      [](Schema &schema) { schema.dims[1].length = 5; },
      [](Schema &schema) { schema.dims[1].name = "y"; },
      [](Schema &schema) {
        schema.dims.push_back({"z", 4, false});
      },
      [](Schema &schema) { schema.variables[0].dims = {0}; },
      [](Schema &schema) {
        schema.variables[0].dims = {1, 0};
      },
      [](Schema &schema) { schema.variables[0].type = Type::float64; },
      [](Schema &schema) { schema.variables[0].name = "ss"; },
      [](Schema &schema) { schema.variables[0].attributes = {text_attribute("units", "K")}; },
      [](Schema &schema) { schema.variables[0].attributes = {text_attribute("units", "C")}; },
      [](Schema &schema) { schema.variables[0].attributes = {text_attribute("unit", "sK")}; },
      [](Schema &schema) { schema.variables[0].attributes = {text_attribute("units", "K\n")}; },
      [](Schema &schema) {
        schema.variables[0].attributes = {text_attribute("a", "1"), text_attribute("b", "2")};
      },
      [](Schema &schema) {
        schema.variables[0].attributes = {text_attribute("b", "2"), text_attribute("a", "1")};
      },
      [](Schema &schema) { schema.attributes = {text_attribute("units", "K")}; },
      [](Schema &schema) { schema.variables.push_back(schema.variables[0]); }};
  std::map<std::string, uint64_t> numbers;
  std::set<uint64_t> all;
  for (const auto &one : changes)
    for (const auto &other : changes) {
      Schema schema = small();
      one(schema);
      other(schema);
      const uint64_t number = passing_signature_of(schema, {});
      all.insert(number);
      EXPECT_EQ(numbers.emplace(listing_of(schema, {}), number).first->second, number);
    }
  EXPECT_EQ(all.size(), numbers.size());
  EXPECT_NE(passing_signature_of(small(), {}), passing_signature_of(small(), {{0, 1}}));
}

TEST(Listing, ShowsTheFirstDifference) {
  Schema longer = small();
  longer.dims[1].length = 5;
  const std::string one = listing_of(small(), {}), other = listing_of(longer, {});
  EXPECT_EQ("", difference_of(one, one, "rank 0", "rank 1"));
  EXPECT_EQ("rank 0 has dimension 'x' of 4; rank 1 has dimension 'x' of 5",
            difference_of(one, other, "rank 0", "rank 1"));
  EXPECT_EQ("rank 0 has a; rank 1 has nothing more", difference_of("a\n", "", "rank 0", "rank 1"));
}

}  // namespace
}  // namespace sv
