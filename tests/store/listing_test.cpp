#include "store/listing.hpp"

#include <gtest/gtest.h>

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
