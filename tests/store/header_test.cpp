#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "schema_builder.hpp"
#include "store/header_format.hpp"
#include "store/read_schema.hpp"
#include "store/store_counters.hpp"

namespace sv {
namespace {

using testing::mixed;
using testing::SchemaBuilder;
using Bytes = std::vector<std::byte>;

PlacedSchema decode(const Bytes &bytes, int64_t file_bytes = -1) {
  return decode_header(bytes.data(), static_cast<int64_t>(bytes.size()), file_bytes);
}

class HeaderOf : public ::testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, HeaderOf, ::testing::Values(Format::cdf1, Format::cdf2, Format::cdf5),
                         [](const auto &tested) { return "cdf" + std::to_string(static_cast<int>(tested.param)); });

TEST_P(HeaderOf, RoundTrips) {
  PlacedSchema schema = mixed(GetParam()).placed();
  schema.records = 7;
  const Bytes bytes = encode_header(schema);
  EXPECT_EQ(static_cast<int64_t>(bytes.size()), schema.places->header_bytes);
  const PlacedSchema back = decode(bytes);
  EXPECT_EQ(encode_header(back), bytes);
  EXPECT_EQ(back.format, schema.format);
  EXPECT_EQ(back.records, 7);
  EXPECT_EQ(back.places->header_bytes, schema.places->header_bytes);
  EXPECT_EQ(back.places->data_begin, schema.places->data_begin);
  EXPECT_EQ(back.places->record_begin, schema.places->record_begin);
  EXPECT_EQ(back.places->record_bytes, schema.places->record_bytes);
  for (size_t v = 0; v < schema.variables.size(); ++v) {
    EXPECT_EQ(back.places->variables[v].begin, schema.places->variables[v].begin);
    EXPECT_EQ(back.places->variables[v].slab_bytes, schema.places->variables[v].slab_bytes);
    EXPECT_EQ(back.variables[v].has_records, schema.variables[v].has_records);
  }
  EXPECT_EQ(back.attributes[1].values, schema.attributes[1].values);
}

TEST_P(HeaderOf, EmptySchemaRoundTrips) {
  const Bytes bytes = encode_header(SchemaBuilder(GetParam()).placed());
  EXPECT_EQ(decode(bytes, static_cast<int64_t>(bytes.size())).variables.size(), 0U);
  EXPECT_EQ(bytes.size(), GetParam() == Format::cdf5 ? 48U : 32U);
}

TEST_P(HeaderOf, EveryTruncationWantsMoreOrIsAnError) {
  const Bytes bytes = encode_header(mixed(GetParam()).placed());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    try {
      decode(cut);
      FAIL() << "decoded " << size << " of " << bytes.size() << " bytes";
    } catch (const NeedMore &more) {
      EXPECT_GT(more.at_least, static_cast<int64_t>(size));
      EXPECT_LE(more.at_least, static_cast<int64_t>(bytes.size()));
      EXPECT_LE(more.likely, 2 * static_cast<int64_t>(bytes.size()));
    }
    EXPECT_THROW(decode(cut, static_cast<int64_t>(size)), Error);
    EXPECT_THROW(header_end(cut.data(), std::ssize(cut), -1), NeedMore);
    EXPECT_THROW(header_end(cut.data(), std::ssize(cut), std::ssize(cut)), Error);
  }
  EXPECT_EQ(header_end(bytes.data(), std::ssize(bytes), -1), std::ssize(bytes));
}

// With any bytes, decoding ends in a schema that can be encoded, NeedMore or an Error, and soon.
TEST_P(HeaderOf, SurvivesDamage) {
  const Bytes good = encode_header(mixed(GetParam()).placed());
  std::mt19937 random(20200101);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  int decoded = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = good;
    for (size_t flips = 1 + below(4); flips > 0; --flips) {
      std::byte &at = bytes[4 + below(bytes.size() - 4)];
      at = below(2) == 0 ? at ^ static_cast<std::byte>(1U << below(8)) : static_cast<std::byte>(random());
    }
    const int64_t file_bytes = round % 3 == 0 ? -1 : round % 3 == 1 ? 100000 : static_cast<int64_t>(bytes.size());
    try {
      const PlacedSchema schema = decode(bytes, file_bytes);
      EXPECT_GE(schema.places->end_of_data(schema.records), 0);
      EXPECT_GT(encode_header(schema).size(), 0U);
      ++decoded;
    } catch (const NeedMore &more) {
      EXPECT_GT(more.at_least, static_cast<int64_t>(bytes.size()));
      ++refused;
    } catch (const Error &error) {
      EXPECT_TRUE(error.status() == Status::format || error.status() == Status::limit) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(decoded, 1000);
  EXPECT_GT(refused, 1000);
}

TEST_P(HeaderOf, StreamingCountComesFromTheLength) {
  const PlacedSchema schema = mixed(GetParam()).placed();
  Bytes bytes = encode_header(schema);
  std::fill_n(bytes.begin() + records_offset, count_width(GetParam()), std::byte{0xff});
  const int64_t three = schema.places->record_begin + 3 * schema.places->record_bytes;
  EXPECT_EQ(decode(bytes, three).records, 3);
  EXPECT_EQ(decode(bytes, three + schema.places->record_bytes - 1).records, 3);
  EXPECT_EQ(decode(bytes, schema.places->record_begin - 10).records, 0);
}

TEST(Header, WrongVsizesAreIgnored) {
  const PlacedSchema schema = mixed(Format::cdf1).placed();
  Bytes bytes = encode_header(schema);
  // The last variable's vsize stands before its begin, both 4 bytes.
  std::fill_n(bytes.end() - 8, 4, std::byte{0xff});
  EXPECT_EQ(decode(bytes).place(4).slab_bytes, 8);
}

TEST(Header, VsizeOfLargeVariableIsTheSpecialValue) {
  const PlacedSchema schema =
      SchemaBuilder(Format::cdf2).dim("x", 1LL << 29).variable("v", Type::float64, {0}).placed();
  const Bytes bytes = encode_header(schema);
  EXPECT_TRUE(std::all_of(bytes.end() - 12, bytes.end() - 8, [](std::byte b) { return b == std::byte{0xff}; }));
  EXPECT_EQ(decode(bytes).place(0).slab_bytes, 1LL << 32);
}

TEST(Header, OverlapsAreRefused) {
  PlacedSchema schema = mixed(Format::cdf2).placed();
  schema.places->variables[0].begin = schema.places->record_begin - 8;
  EXPECT_THROW(decode(encode_header(schema)), Error);
  schema = mixed(Format::cdf2).placed();
  schema.places->variables[4].begin += 80;
  EXPECT_THROW(decode(encode_header(schema)), Error);
  schema = mixed(Format::cdf2).placed();
  schema.places->variables[0].begin = 64;
  EXPECT_THROW(decode(encode_header(schema)), Error);
}

// A header of a megabyte could otherwise name the same gigabyte ten thousand times.
TEST(Header, VariablesDoNotShareBytes) {
  for (const bool records : {false, true}) {
    SchemaBuilder builder(Format::cdf5);
    builder.record_dim("t").dim("x", 10);
    for (const char *name : {"a", "b", "c"})
      records ? builder.variable(name, Type::int16, {0, 1}) : builder.variable(name, Type::int16, {1});
    PlacedSchema schema = builder.placed();
    EXPECT_NO_THROW(decode(encode_header(schema)));
    std::swap(schema.places->variables[0].begin, schema.places->variables[1].begin);  // out of order, and as good
    EXPECT_NO_THROW(decode(encode_header(schema)));
    schema.places->variables[1].begin = schema.places->variables[0].begin - 16;
    EXPECT_THROW(decode(encode_header(schema)), Error);
  }
}

TEST(Header, LongerThan64MiBIsALimit) {
  const std::string text(64 << 20, 'n');
  try {
    SchemaBuilder(Format::cdf5).text("long", text).placed();
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.status(), Status::limit) << error.what();
  }
  PlacedSchema schema = mixed(Format::cdf5).placed();
  schema.attributes.push_back({"long", Type::text, static_cast<int64_t>(text.size()), {}});
  schema.attributes.back().values.resize(text.size());
  EXPECT_THROW(decode(encode_header(schema)), Error);
}

TEST(Header, RecordCountsBeyondTheFormatAreALimit) {
  EXPECT_EQ(encode_records(Format::cdf5, 1LL << 40).size(), 8U);
  EXPECT_EQ(encode_records(Format::cdf2, INT32_MAX).size(), 4U);
  EXPECT_THROW(encode_records(Format::cdf2, 1LL << 31), Error);
}

Status status_of_reading(const std::string &path) {
  try {
    read_schema(path);
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    return error.status();
  }
  return Status::ok;
}

TEST(ReadSchema, SaysWhatIsWrongWithTheFile) {
  const auto write = [](const std::string &name, const std::string &text) {
    std::ofstream(name, std::ios::binary) << text;
    return name;
  };
  EXPECT_EQ(status_of_reading("no/such/file.nc"), Status::not_found);
  EXPECT_EQ(status_of_reading("."), Status::access);
  EXPECT_EQ(status_of_reading(write("empty.nc", "")), Status::format);
  EXPECT_EQ(status_of_reading(write("text.nc", "hello, world")), Status::format);
  EXPECT_EQ(status_of_reading(write("four.nc", "\x89HDF\r\n\x1a\n")), Status::format);
  EXPECT_EQ(status_of_reading(write("three.nc", "CDF\x03 and more")), Status::format);
}

TEST(ReadSchema, HeadersMayBeLong) {
  SchemaBuilder builder(Format::cdf5);
  builder.dim("x", 4);
  for (int v = 0; v < 3000; ++v)
    builder.variable("variable_" + std::to_string(v), Type::float32, {0}).text("long_name", std::string(100, 'n'));
  const PlacedSchema schema = builder.placed();
  const Bytes bytes = encode_header(schema);
  ASSERT_GT(bytes.size(), 400000U);
  std::ofstream("long.nc", std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  EXPECT_EQ(encode_header(read_schema("long.nc")), bytes);
}

// Real files by other software, of the Debian package ferret-datasets.
TEST(ReadSchema, ReadsFerretsFiles) {
  const std::string folder = "/usr/share/ferret-vis/data/";
  if (!std::ifstream(folder + "etopo5.cdf")) GTEST_SKIP() << "ferret-datasets is not installed";
  const PlacedSchema topography = read_schema(folder + "etopo5.cdf");
  const int rose = topography.find_variable("ROSE");
  ASSERT_GE(rose, 0);
  EXPECT_EQ(topography.slab_shape(topography.variables[rose]), (Index{2161, 4320}));
  for (const char *name : {"levitus_climatology.cdf", "coads_climatology.cdf", "monthly_navy_winds.cdf"}) {
    const PlacedSchema schema = read_schema(folder + name);
    EXPECT_GE(schema.variables.size(), 3U) << name;
    std::ifstream file(folder + name, std::ios::binary | std::ios::ate);
    EXPECT_LE(std::abs(schema.places->end_of_data(schema.records) - static_cast<int64_t>(file.tellg())), 3) << name;
  }
  EXPECT_EQ(read_schema(folder + "monthly_navy_winds.cdf").records, 132);
}

}  // namespace
}  // namespace sv
