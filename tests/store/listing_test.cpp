#include "model/listing.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
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
      const uint64_t number = run_local_hash(schema, {});
      all.insert(number);
      EXPECT_EQ(numbers.emplace(listing_of(schema, {}), number).first->second, number);
    }
  EXPECT_EQ(all.size(), numbers.size());
  EXPECT_NE(run_local_hash(small(), {}), run_local_hash(small(), {{0, 1}}));
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

template <class Number>
Attribute numbers(Type type, const std::vector<Number> &values) {
  return {"a", type, std::ssize(values), SmallBytes(std::as_bytes(std::span(values)))};
}

std::string line_of(const Attribute &attribute) {
  Schema schema;
  schema.attributes = {attribute};
  return listing_of(schema, {});
}

TEST(Listing, ShowsValues) {
  EXPECT_EQ("attribute 'a' of the file, double: 0.1\n", line_of(numbers<double>(Type::float64, {0.1})));
  EXPECT_EQ("attribute 'a' of the file, byte: -1 2\n", line_of(numbers<int8_t>(Type::int8, {-1, 2})));
  EXPECT_EQ("attribute 'a' of the file, int, without values\n", line_of(numbers<int32_t>(Type::int32, {})));
  EXPECT_EQ("attribute 'a' of the file, char: 'x\\x0ay'\n", line_of(text_attribute("a", "x\ny")));
  EXPECT_NE(line_of(text_attribute("a", "x\ny")), line_of(text_attribute("a", "x\\x0ay")));
  const uint32_t nans[] = {0x7fc00000, 0x7fc00001};
  EXPECT_NE(line_of(numbers<float>(Type::float32, {std::bit_cast<float>(nans[0])})),
            line_of(numbers<float>(Type::float32, {std::bit_cast<float>(nans[1])})));
}

/// Of many values, the difference shows those that differ, and their neighbours.
TEST(Listing, ShowsWhichOfManyValuesDiffers) {
  std::vector<int32_t> values(100, 1);
  const std::string one = line_of(numbers(Type::int32, values));
  values[57] = 2;
  EXPECT_EQ(
      "rank 0 has attribute 'a' of the file, int, from number 57 on: 1 1 1 1 1 1 1 1; rank 1 has attribute 'a' of the "
      "file, int, from number 57 on: 1 2 1 1 1 1 1 1",
      difference_of(one, line_of(numbers(Type::int32, values)), "rank 0", "rank 1"));
  const std::string text(63, 'x'), accented = "\u00e9";  // two bytes, where a line would end
  EXPECT_NE(std::string::npos, line_of(text_attribute("a", text + accented + text)).find("'" + accented + "xx"));
}

}  // namespace
}  // namespace sv
