// CDL as ncdump -h prints it and as people write it.
#include "replay/cdl.hpp"

#include <gtest/gtest.h>
#include <sverdrup/sverdrup.h>

#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

namespace {

using namespace sv_bench;

const std::string start = "netcdf a {\ndimensions:\n x = 4 ;\n";

template <typename T>
std::vector<T> values_of(const Attribute &attribute) {
  std::vector<T> values(static_cast<size_t>(attribute.count));
  EXPECT_EQ(attribute.values.size(), values.size() * sizeof(T)) << attribute.name;
  std::memcpy(values.data(), attribute.values.data(), attribute.values.size());
  return values;
}

Attribute attribute_of(const std::string &text) {
  const Schema schema = header_of_cdl("netcdf a { :" + text + " ; }", "text").schema;
  return schema.attributes.at(0);
}

TEST(Cdl, ReadsWhatNcdumpPrints) {
  const Schema schema =
      header_of_cdl(
          "netcdf out\\ of\\ ocean-1 {\n"
          "dimensions:\n\ttime = UNLIMITED ; // (12 currently)\n\tlat = 3, lon\\:x = 5 ;\n"
          "variables:\n\tdouble time(time), sst(time, lat, lon\\:x) ;\n\t\tsst:units = \"K\" ;\n\tint crs ;\n"
          "// global attributes:\n\t\t:title = \"a; {b} // c\" ;\n}\n",
          "text")
          .schema;
  ASSERT_EQ(schema.dims.size(), 3U);
  EXPECT_EQ(schema.dims[0].length, 0);
  EXPECT_EQ(schema.records, 12);
  EXPECT_EQ(schema.dims[2].name, "lon:x");
  ASSERT_EQ(schema.variables.size(), 3U);
  EXPECT_EQ(schema.variables[1].dims, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(schema.variables[1].attributes.at(0).name, "units");
  EXPECT_TRUE(schema.variables[2].dims.empty());
  EXPECT_EQ(values_of<char>(schema.attributes.at(0)).size(), 11U);
  EXPECT_EQ(schema.bytes(), 12 * 8 + 12 * 3 * 5 * 8 + 4);
}

TEST(Cdl, KnowsEveryLiteral) {
  EXPECT_EQ(values_of<int8_t>(attribute_of("a = 1b, -128b")), (std::vector<int8_t>{1, -128}));
  EXPECT_EQ(values_of<uint8_t>(attribute_of("a = 255UB")), (std::vector<uint8_t>{255}));
  EXPECT_EQ(values_of<int16_t>(attribute_of("a = -5s")), (std::vector<int16_t>{-5}));
  EXPECT_EQ(values_of<uint16_t>(attribute_of("a = 65535us")), (std::vector<uint16_t>{65535}));
  EXPECT_EQ(values_of<int32_t>(attribute_of("a = 7, -2147483648, 0x1F")),
            (std::vector<int32_t>{7, -2147483647 - 1, 31}));
  EXPECT_EQ(values_of<uint32_t>(attribute_of("a = 4294967295U")), (std::vector<uint32_t>{4294967295U}));
  EXPECT_EQ(values_of<int64_t>(attribute_of("a = -9223372036854775808LL"))[0], INT64_MIN);
  EXPECT_EQ(values_of<uint64_t>(attribute_of("a = 18446744073709551615ULL"))[0], UINT64_MAX);
  EXPECT_EQ(values_of<float>(attribute_of("a = 1.e+20f, -2.5f")), (std::vector<float>{1e20F, -2.5F}));
  EXPECT_EQ(values_of<double>(attribute_of("a = .5, 5., 1e3, 2")), (std::vector<double>{0.5, 5, 1000, 2}));
  EXPECT_TRUE(std::isnan(values_of<float>(attribute_of("a = NaNf"))[0]));
  EXPECT_EQ(values_of<float>(attribute_of("a = -Infinityf"))[0], -INFINITY);
  EXPECT_EQ(values_of<double>(attribute_of("a = Infinity"))[0], static_cast<double>(INFINITY));
  EXPECT_EQ(values_of<int8_t>(attribute_of("a = 'A', '\\n'")), (std::vector<int8_t>{65, 10}));
  EXPECT_EQ(attribute_of("a = 3000000000").type, SV_INT64);
}

TEST(Cdl, JoinsTextAndUndoesEscapes) {
  const Attribute joined = attribute_of("a = \"one\\n\",\n \"\\\"two\\\" \\x41\\102\"");
  EXPECT_EQ(joined.type, SV_CHAR);
  const std::vector<char> text = values_of<char>(joined);
  EXPECT_EQ(std::string(text.begin(), text.end()), "one\n\"two\" AB");
  EXPECT_EQ(attribute_of("a = \"\"").count, 0);
}

TEST(Cdl, GivesAttributesTheTypesThatAreNamed) {
  const std::string text = start + "variables:\n ubyte u(x) ; u:_FillValue = 250 ; u:_Storage = \"chunked\" ;\n" +
                           " float u:range = 1, 2 ; int data(x) ; data:of = 1 ; double :all = 3 ;\ndata:\n u = 1 ;\n}";
  const Schema schema = header_of_cdl(text, "text").schema;
  ASSERT_EQ(schema.variables.size(), 2U);
  const std::vector<Attribute> &list = schema.variables[0].attributes;
  ASSERT_EQ(list.size(), 2U) << "_Storage is made up by ncdump -s";
  EXPECT_EQ(list[0].type, SV_UBYTE);
  EXPECT_EQ(values_of<float>(list[1]), (std::vector<float>{1, 2}));
  EXPECT_EQ(schema.variables[1].attributes.at(0).name, "of");
  EXPECT_EQ(values_of<double>(schema.attributes.at(0)), (std::vector<double>{3}));
}

TEST(Cdl, RefusesWithTheLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"variables:\n string s(x) ; }", "line 5: type 'string' cannot be replayed"},
      {"variables:\n string s:a = \"b\" ; }", "type 'string'"},
      {"types: compound c {} ; }", "types of the user's"},
      {"group: g { } }", "groups cannot be replayed"},
      {"variables: int v(z) ; }", "unknown dimension"},
      {"y = UNLIMITED ; z = UNLIMITED ; }", "more than one unlimited"},
      {"x = 5 ; }", "two dimensions 'x'"},
      {"z = 0 ; }", "'0' is no length"},
      {"variables: int v(x) ; float v ; }", "two variables 'v'"},
      {"variables: int v(x) ; v:a = 1 ; v:a = 2 ; }", "two attributes 'a'"},
      {"variables: int v(x) ; w:a = 1 ; }", "no variable 'w'"},
      {":a = 300b ; }", "300b is no byte"},
      {":a = 1.5x ; }", "'1.5x' is no value"},
      {":a = \"b\", 2 ; }", "mixes text and numbers"},
      {":a = \"b ; }", "does not end"},
      {"variables: int v(x) ", "the end of the text"}};
  for (const auto &[text, words] : cases) {
    try {
      header_of_cdl(start + text, "some.cdl");
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument &error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find("'some.cdl', line "), 0U) << error.what();
    }
  }
}

TEST(Cdl, TellsChunksAndCompression) {
  const std::string text = start +
                           " t = UNLIMITED ;\nvariables:\n float v(t, x) ; v:_Storage = \"chunked\" ;"
                           " v:_ChunkSizes = 1, 2 ; v:_DeflateLevel = 4 ; v:_Shuffle = \"true\" ; int w(x) ;\n}";
  const Header header = header_of_cdl(text, "text");
  ASSERT_EQ(header.storage.size(), 2U);
  EXPECT_EQ(header.storage[0].chunks, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(header.storage[0].deflate, 4);
  EXPECT_TRUE(header.storage[0].shuffle);
  EXPECT_TRUE(header.storage[1].chunks.empty());
  EXPECT_THROW(header_of_cdl(start + "variables: int w(x) ; w:_ChunkSizes = 1, 2 ; }", "text"), std::invalid_argument);
}

// Any file gives a header, or an error with its line.
TEST(Cdl, SurvivesDamage) {
  const std::string whole =
      start +
      " t = UNLIMITED ; // (3 currently)\nvariables: double v(t, x), w ; v:a = 1.5f, 2, \"c\\x41\" ;"
      " short v:_FillValue = -1s ; :h = 'a' ;\ndata: w = 2 ;\n}\n";
  std::mt19937 random(20261122);
  int refused = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = whole;
    for (unsigned change = 0; change <= random() % 3; ++change) {
      const size_t at = random() % text.size(), length = 1 + random() % 6;
      if (random() % 3 == 0)
        text.erase(at, length);
      else if (random() % 2 == 0)
        text[at] = static_cast<char>(random() % 256);
      else
        text.insert(at, whole, random() % whole.size(), length);
      if (text.empty()) break;
    }
    try {
      EXPECT_LE(header_of_cdl(text, "text").schema.variables.size(), 4U);
    } catch (const std::invalid_argument &error) {
      EXPECT_EQ(std::string(error.what()).find("'text', line "), 0U) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
