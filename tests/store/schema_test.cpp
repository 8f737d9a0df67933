#include "model/schema.hpp"

#include <gtest/gtest.h>

#include "schema_builder.hpp"
#include "status_of.hpp"

namespace sv {
namespace {

using testing::mixed;
using testing::SchemaBuilder;

Status status_of(const SchemaBuilder &builder) {
  return testing::status_of([&] { builder.placed(); });
}

TEST(Names, AreNetcdfs) {
  for (const char *good : {"sst", "_x", "2m_temperature", "a b",
                           "gr\xc3\xb6\xc3\x9f"
                           "e",
                           "\xe6\xb5\xb7", "a+b@c.d(e)"})
    EXPECT_NO_THROW(check_name(good)) << good;
  for (const char *bad :
       {"", "a/b", "a ", " a", "+a", "a\n", "\xc0\xaf", "\xed\xa0\x80", "a\xff", "\xe6\xb5", "\xf5\x80\x80\x80"})
    EXPECT_THROW(check_name(bad), Error) << bad;
  EXPECT_NO_THROW(check_name(std::string(256, 'x')));
  EXPECT_THROW(check_name(std::string(257, 'x')), Error);
}

TEST(Names, BadOnesAreTellableOnATerminal) {
  const std::pair<std::string, std::string> names[] = {
      {"a\x1b[2Jb\n", "'a\\x1b[2Jb\\x0a'"}, {"\x7f", "'\\x7f'"}, {"t\xff\xc3\xa9/", "'t\\xff\xc3\xa9/'"}};
  for (const auto &[bad, reported] : names) {
    try {
      check_name(bad);
      FAIL() << reported << " is a name";
    } catch (const Error &error) {
      EXPECT_NE(std::string(error.what()).find("the name " + reported + " is no netCDF name"), std::string::npos)
          << error.what();
    }
  }
}

TEST(Placement, StandsAlignedInOrder) {
  Placement placement;
  placement.header_reserve = 100;
  placement.data_alignment = 4096;
  placement.variable_alignment = placement.record_alignment = 512;
  const PlacedSchema schema = mixed(Format::cdf2).placed(placement);
  EXPECT_EQ(schema.places->data_begin, 4096);
  EXPECT_EQ(schema.places->variables[0].begin, 4096);
  EXPECT_EQ(schema.places->variables[1].begin, 4608);
  EXPECT_EQ(schema.places->variables[1].slab_bytes, 16);  // 15 bytes and one of padding
  EXPECT_EQ(schema.places->record_begin, 5120);
  EXPECT_EQ(schema.places->variables[2].begin, 5120);
  EXPECT_EQ(schema.places->variables[3].begin, 5180);
  EXPECT_EQ(schema.places->variables[4].begin, 5192);  // 5 shorts and their padding
  EXPECT_EQ(schema.places->record_bytes, 80);
  EXPECT_EQ(schema.place(3).of_record(2), 5180 + 2 * 80);
  EXPECT_EQ(schema.place(1).of_record(2), 4608);
  EXPECT_EQ(schema.slab_shape(schema.variables[2]), (Index{3, 5}));
  EXPECT_EQ(schema.slab_elements(schema.variables[4]), 1);
}

TEST(Placement, ReserveIsKept) {
  Placement placement;
  placement.header_reserve = 5000;
  const PlacedSchema schema = mixed(Format::cdf5).placed(placement);
  EXPECT_GE(schema.places->data_begin - schema.places->header_bytes, 5000);
  EXPECT_EQ(schema.places->data_begin % 4096, 0);
}

TEST(Placement, RecordsStandBehindTheirOwnReserve) {
  Placement placement;
  placement.header_reserve = 0;
  placement.data_alignment = 512;
  placement.variable_alignment = 0;  // as 4
  placement.fixed_reserve = 200;
  placement.record_alignment = 128;
  const PlacedSchema schema = mixed(Format::cdf2).placed(placement);
  EXPECT_EQ(schema.places->data_begin % 512, 0);
  const int64_t begin = schema.places->data_begin, end = schema.place(1).begin + schema.place(1).slab_bytes;
  EXPECT_EQ(schema.place(0).begin, begin);
  EXPECT_EQ(schema.place(1).begin, begin + schema.place(0).slab_bytes);
  EXPECT_EQ(schema.places->record_begin, (end + 200 + 127) / 128 * 128);
  Placement other = placement;
  EXPECT_EQ(in_words(other), in_words(placement));
  other.fixed_reserve = 201;
  EXPECT_NE(in_words(other), in_words(placement));
}

TEST(Placement, OnlyRecordVariableIsNotPadded) {
  const auto builder = [](Format format) {
    return SchemaBuilder(format).record_dim("t").dim("x", 3).variable("flag", Type::int16, {0, 1});
  };
  EXPECT_EQ(builder(Format::cdf1).placed().places->record_bytes, 6);
  EXPECT_EQ(builder(Format::cdf5).placed().places->record_bytes, 6);
  EXPECT_EQ(builder(Format::cdf5).variable("other", Type::int8, {0}).placed().places->record_bytes, 12);
}

TEST(Placement, AutomaticIsCdf2WhileItFits) {
  const auto builder = [](Type type, int64_t length) {
    return SchemaBuilder(Format::automatic).dim("x", length).variable("v", type, {0});
  };
  EXPECT_EQ(builder(Type::float64, 10).placed().format, Format::cdf2);
  EXPECT_EQ(builder(Type::int64, 10).placed().format, Format::cdf5);
  EXPECT_EQ(builder(Type::int16, (1LL << 31) - 4).placed().format, Format::cdf2);
  EXPECT_EQ(builder(Type::float64, 1LL << 29).placed().format, Format::cdf5);
  EXPECT_EQ(builder(Type::int8, (1LL << 31) - 3).placed().format, Format::cdf5);
  EXPECT_EQ(builder(Type::int8, 4).numbers<uint64_t>("a", Type::uint64, {1}).placed().format, Format::cdf5);
}

TEST(Placement, LimitsOfTheFormats) {
  const auto with_x = [](Format format) { return SchemaBuilder(format).record_dim("t").dim("x", 1LL << 29); };
  const auto big = [&](Format format) { return with_x(format).variable("big", Type::float64, {1}); };  // 4 GiB
  EXPECT_EQ(status_of(big(Format::cdf2)), Status::ok);  // the last of a file without records
  EXPECT_EQ(status_of(big(Format::cdf1)), Status::ok);
  EXPECT_EQ(status_of(big(Format::cdf2).variable("small", Type::int8, {1})), Status::limit);
  EXPECT_EQ(status_of(big(Format::cdf2).variable("rec", Type::int8, {0})), Status::limit);
  EXPECT_EQ(status_of(big(Format::cdf5).variable("rec", Type::int8, {0})), Status::ok);
  const auto records = [&](Format f) {
    return with_x(f).variable("a", Type::int8, {0}).variable("b", Type::float64, {0, 1});
  };
  EXPECT_EQ(status_of(records(Format::cdf2)), Status::ok);  // the last record variable
  EXPECT_EQ(status_of(records(Format::cdf2).variable("c", Type::int8, {0})), Status::limit);
  EXPECT_EQ(status_of(SchemaBuilder(Format::cdf2).dim("x", (1LL << 32) - 4)), Status::ok);
  EXPECT_EQ(status_of(SchemaBuilder(Format::cdf2).dim("x", (1LL << 32) - 3)), Status::limit);
  EXPECT_EQ(status_of(SchemaBuilder(Format::cdf1).dim("x", (1LL << 31) - 3)), Status::limit);
  // CDF-1: two variables of 1.5 GB each fit, a third would begin beyond 2^31.
  const auto third =
      SchemaBuilder(Format::cdf1).dim("x", 1500000000).variable("a", Type::int8, {0}).variable("b", Type::int8, {0});
  EXPECT_EQ(status_of(third), Status::ok);
  EXPECT_EQ(status_of(SchemaBuilder(third).variable("c", Type::int8, {0})), Status::limit);
  EXPECT_EQ(status_of(SchemaBuilder(Format::cdf1).variable("v", Type::uint8, {})), Status::limit);
  EXPECT_EQ(status_of(SchemaBuilder(Format::cdf2).numbers<int64_t>("a", Type::int64, {1})), Status::limit);
}

TEST(Placement, SizesThatAreNoInt64AreALimit) {
  const int64_t huge = int64_t{1} << 40;
  const auto builder = SchemaBuilder(Format::automatic).dim("x", huge).dim("y", huge);
  EXPECT_EQ(status_of(SchemaBuilder(builder).variable("v", Type::int8, {0, 1})), Status::limit);
  const auto tall = SchemaBuilder(Format::cdf5).dim("x", int64_t{1} << 61);
  EXPECT_EQ(status_of(SchemaBuilder(tall).variable("a", Type::int8, {0})), Status::ok);
  EXPECT_EQ(status_of(SchemaBuilder(tall).variable("a", Type::int8, {0}).variable("b", Type::int8, {0})),
            Status::limit);
}

TEST(Placement, WrongDefinitionsAreRefused) {
  const auto base = SchemaBuilder(Format::cdf2).record_dim("t").dim("x", 3);
  EXPECT_EQ(status_of(SchemaBuilder(base).record_dim("u")), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).dim("x", 4)), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).dim("y", -1)), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).variable("v", Type::int8, {1, 0})), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).variable("v", Type::int8, {2})), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).variable("v", Type::int8, {1}).variable("v", Type::int8, {})),
            Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).text("a", "1").text("a", "2")), Status::define);
  EXPECT_EQ(status_of(SchemaBuilder(base).text("a/b", "1")), Status::define);
}

TEST(Fill, IsTheAttributeOrTheDefault) {
  const PlacedSchema schema = mixed(Format::cdf2).placed();
  float fill = 0;
  std::memcpy(&fill, schema.fill_value(schema.variables[2]).data(), 4);
  EXPECT_EQ(fill, -1e20F);
  int16_t other = 0;
  std::memcpy(&other, schema.fill_value(schema.variables[3]).data(), 2);
  EXPECT_EQ(other, -32767);
}

TEST(Lookup, FindsByName) {
  const PlacedSchema schema = mixed(Format::cdf2).placed();
  EXPECT_EQ(schema.record_dim(), 0);
  EXPECT_EQ(schema.find_dim("lon"), 2);
  EXPECT_EQ(schema.find_dim("x"), -1);
  EXPECT_EQ(schema.find_variable("when"), 4);
  EXPECT_EQ(schema.find_variable(""), -1);
  EXPECT_NE(find_attribute(schema.variables[0].attributes, "units"), nullptr);
  EXPECT_EQ(find_attribute(schema.attributes, "units"), nullptr);
}

}  // namespace
}  // namespace sv
