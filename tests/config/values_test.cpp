#include "config/values.hpp"

#include "config/server_values.hpp"
#include "config/store_values.hpp"

#include <gtest/gtest.h>

#include <random>

namespace sv {
namespace {

template <class T>
T parsed(const Codec<T> &codec, const std::string &text) {
  T value{};
  codec.read(text, value);
  return value;
}

// The nearest valid value that the refusal names.
template <class T>
std::string refused(const Codec<T> &codec, const std::string &text) {
  try {
    T value{};
    codec.read(text, value);
  } catch (const BadValue &bad) {
    return bad.nearest;
  }
  ADD_FAILURE() << "'" << text << "' was accepted";
  return "accepted";
}

TEST(Turns, AreNumbersOfStepsOrNone) {
  const auto turns = turns_codec();
  EXPECT_EQ(parsed(turns, "3,2"), (std::vector{3, 2}));
  EXPECT_EQ(parsed(turns, "1"), std::vector{1});
  EXPECT_EQ(parsed(turns, "auto"), std::vector<int>{});
  for (const char *text : {"", ",", "0", "1,", "1,,2", "1 2", "-1", "2,0"}) refused(turns, text);
  EXPECT_EQ(turns.text({}), "auto");
  EXPECT_EQ(turns.text({3, 2}), "3,2");
}

TEST(Methods, AreShownAsTheyAreRead) {
  const auto compression = compression_codec(), quantize = quantize_codec();
  for (const char *text : {"none", "deflate:9", "zstd:22", "blosc_zlib:1", "blosc_zstd:3"})
    EXPECT_EQ(compression.text(parsed(compression, text)), text);
  EXPECT_EQ(compression.text(parsed(compression, "deflate")), "deflate:1");
  EXPECT_EQ(compression.text(parsed(compression, "zstd")), "zstd:3");
  EXPECT_EQ(compression.text(parsed(compression, "zstd:0")), "none");
  EXPECT_EQ(refused(compression, "deflate:10"), "deflate:9");
  EXPECT_EQ(refused(compression, "zlib:1"), "zstd");
  for (const char *text : {"", "4", "deflate:", "deflate:x", "deflate:-1", "none:1", "blosc:1"})
    refused(compression, text);
  for (const char *text : {"none", "bitround:9", "bitgroom:3", "granular_bitround:15", "absolute:0.01",
                           "relative:1e-04", "absolute:0.01:sz3", "absolute:1e-04:zfp"})
    EXPECT_EQ(quantize.text(parsed(quantize, text)), text);
  for (const char *text :
       {"3", "bitround", "bitround:53", "bitgroom:16", "absolute", "absolute:0", "absolute:nan", "absolute:1e300",
        "relative:0.6", "relative:-1", "absolute:0.01:", "absolute:sz3", "bitround:9:sz3"})
    refused(quantize, text);
  EXPECT_EQ(refused(quantize, "absolute:0.01:sz"), "absolute:0.01:sz3");
  EXPECT_EQ(refused(quantize, "relative:0.01:zfp"), "absolute:0.01:zfp");
  const auto layout = layout_codec();
  for (const char *text : {"one_file", "per_variable", "per_variable:%f_%v"})
    EXPECT_EQ(layout.text(parsed(layout, text)), text);
  for (const char *text : {"one_file:a", "per_variable:", "one"}) refused(layout, text);
  const auto forwarding = forwarding_codec();
  for (const char *text : {"synchronous", "asynchronous", "paced", "paced:100MB"})
    EXPECT_EQ(forwarding.text(parsed(forwarding, text)), text);
  EXPECT_EQ(refused(forwarding, "synchronous:1MB"), "paced:1MB");
}

TEST(Size, ReadsBinaryAndDecimalUnits) {
  const auto size = size_codec(0, Zero::valid);
  EXPECT_EQ(parsed(size, "4096"), 4096);
  EXPECT_EQ(parsed(size, "32MiB"), 32 << 20);
  EXPECT_EQ(parsed(size, " 32 MiB "), 32 << 20);
  EXPECT_EQ(parsed(size, "4MB"), 4'000'000);
  EXPECT_EQ(parsed(size, "4kB"), 4000);
  EXPECT_EQ(parsed(size, "7B"), 7);
  EXPECT_EQ(parsed(size, "8GiB"), int64_t{8} << 30);
  EXPECT_EQ(parsed(size, "1TiB"), int64_t{1} << 40);
  EXPECT_EQ(parsed(size, "0"), 0);
}

TEST(Size, RefusesWhatIsNoSize) {
  const auto size = size_codec(4096, Zero::valid);
  for (const char *text : {"", " ", "MiB", "-1", "-4MiB", "-9223372036854775807TiB", "1.5MiB", "4 4", "0x10",
                           "9223372036854775808", "99999999TiB", "4 TiBs"})
    refused(size, text);
  EXPECT_EQ(refused(size, "4mib"), "4MiB");
  EXPECT_EQ(refused(size, "4095"), "4KiB");
  EXPECT_EQ(refused(size, "2TiB"), "1TiB");
  EXPECT_EQ(refused(size_codec(4096, Zero::refused), "0"), "4KiB");
  EXPECT_EQ(parsed(size, "4096"), 4096);
  EXPECT_EQ(parsed(size, "0"), 0);
}

TEST(Size, IsShownAsItIsRead) {
  const auto size = size_codec(0, Zero::valid);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const int64_t factors[] = {1, 1000, 1024, 1 << 20};
    const int64_t value = static_cast<int64_t>(random() % (1 << 20)) * factors[random() % 4];
    EXPECT_EQ(parsed(size, size.text(value)), value) << size.text(value);
  }
  EXPECT_EQ(size.text(64 << 20), "64MiB");
  EXPECT_EQ(size.text(4'000'000), "4MB");
  EXPECT_EQ(size.text(0), "0");
  EXPECT_EQ(size.json(64 << 20), "67108864");
}

TEST(Duration, ReadsUnits) {
  const auto duration = duration_codec();
  EXPECT_EQ(parsed(duration, "30"), 30);
  EXPECT_EQ(parsed(duration, "30s"), 30);
  EXPECT_EQ(parsed(duration, "5min"), 300);
  EXPECT_EQ(parsed(duration, "1.5 h"), 5400);
  EXPECT_EQ(parsed(duration, "250ms"), 0.25);
  for (const char *text : {"", "-1", "s", "nan", "inf", "1e999", "1e6h", "3 days"}) refused(duration, text);
  EXPECT_EQ(refused(duration, "5mn"), "5min");
  for (const double seconds : {0.0, 0.25, 30.0, 90.0, 300.0, 86400.0})
    EXPECT_EQ(parsed(duration, duration.text(seconds)), seconds) << duration.text(seconds);
  EXPECT_EQ(duration.text(300), "5min");
}

TEST(Count, IsWholeAndNotNegative) {
  EXPECT_EQ(parsed(count_codec(), "4"), 4);
  for (const char *text : {"", "-1", "2.5", "four", "4 per node", "99999999999"}) refused(count_codec(), text);
}

TEST(Switch, ReadsTheWordsOfYaml) {
  for (const char *text : {"true", "yes", "on", "1"}) EXPECT_TRUE(parsed(switch_codec(), text)) << text;
  for (const char *text : {"false", "no", "off", "0"}) {
    bool value = true;
    switch_codec().read(text, value);
    EXPECT_FALSE(value) << text;
  }
  EXPECT_EQ(refused(switch_codec(), "flase"), "false");
  EXPECT_EQ(switch_codec().json(true), "true");
}

TEST(Request, IoLayoutIsTwoNumbersXFirst) {
  const auto codec = io_layout_codec();
  const RouteRequest request = parsed(codec, "4, 2");
  EXPECT_EQ(request.io_nx, 4);
  EXPECT_EQ(request.io_ny, 2);
  EXPECT_EQ(codec.text(request), "4,2");
  RouteRequest cleared = request;
  codec.read("none", cleared);
  EXPECT_EQ(cleared.io_nx, 0);
  EXPECT_EQ(cleared.io_ny, 0);
  EXPECT_EQ(codec.text(cleared), "none");
  for (const char *text : {"", "4", "4,", ",2", "4,2,1", "0,1", "4,-2", "4x2", "a,b"}) refused(codec, text);
}

TEST(Request, WritersAreShownAsTheyAreRead) {
  const auto codec = writers_codec();
  for (const char *text : {"auto", "self", "4", "2 per node"}) EXPECT_EQ(codec.text(parsed(codec, text)), text);
  EXPECT_EQ(refused(codec, "slef"), "self");
}

TEST(Request, RouteIsOneOfTheNames) {
  const auto codec = route_name_codec();
  for (const char *text : {"auto", "serial", "shared", "domains", "row", "column", "ranges", "per_pe", "per_domain"})
    EXPECT_EQ(parsed(codec, text).name, text);
  EXPECT_EQ(refused(codec, "seriel"), "serial");
  EXPECT_EQ(refused(codec, "columns"), "column");
}

}  // namespace
}  // namespace sv
