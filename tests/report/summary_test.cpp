#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "base/json.hpp"
#include "report/metrics.hpp"
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define SV_TEST_JSON 1
#endif

namespace sv {
namespace {

Summary example() {
  Summary summary;
  summary.version = "0.1.0";
  summary.mpi = "Open MPI v4.1.4";
  summary.host = "node01";
  summary.transport = "place";
  summary.transport_reason = "ranks of a node share a window";
  summary.ranks = 2;
  summary.nodes = 1;
  summary.window_bytes_per_node = 64 << 20;
  summary.settings_json = R"({"route": {"value": "auto", "from": "default"}})";
  summary.files = {
      {"out/oc\"ean.nc", "cdf2", "published", "domains", "io_layout was given", 4, 2, 8, 622080000, 10, "complete"},
      {"restart.nc", "cdf5", "growing", "serial", "one rank, as asked", 0, 0, 1, 1, 1, "complete"}};
  summary.per_rank.resize(2);
  summary.per_rank[0].seconds = {1, 0, 0, 2, 0.5};
  summary.per_rank[1].seconds = {3, 0, 0, 1, 0.5};
  summary.per_rank[1].written_bytes = 622080001;
  summary.per_rank[1].writes = 20;
  summary.per_rank[0].messages = 3;
  summary.per_rank[0].message_bytes = 4096;
  return summary;
}

void expect_lines_fit(const std::string &table) {
  EXPECT_TRUE(table.ends_with('\n'));
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    size_t columns = 0;
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
    EXPECT_LE(columns, 100U) << line;
    EXPECT_EQ(line.find_first_of("\t\r\x1b"), std::string::npos) << line;
  }
}

TEST(Table, ShowsPhasesTrafficAndFiles) {
  const std::string table = to_table(example());
  expect_lines_fit(table);
  for (const char *part : {"2 ranks on 1 node ", "Open MPI v4.1.4", "67.1 MB", "open", "read_meta", "total", "622.1 MB",
                           "20 writes", "3 messages", "4.1 kB", "out/oc\"ean.nc: complete", "io_layout 4,2, 8 writers",
                           "10 records", "because io_layout was given", "serial, 1 writer\n", "1 record,"})
    EXPECT_NE(table.find(part), std::string::npos) << table << "lacks: " << part;
  EXPECT_EQ(table.find("clamped"), std::string::npos);
  EXPECT_EQ(table.find("ERROR"), std::string::npos);
}

TEST(Table, ShowsWhatDidNotFitByFileAndVariable) {
  Summary summary = example();
  summary.files[1].range_errors = {{"sst", 3, "1e+06", 2}, {"ice", 1, "-5", 0}};
  const std::string table = to_table(summary);
  expect_lines_fit(table);
  const size_t file = table.find("restart.nc"), first = table.find("3 values of 'sst' did not fit"),
               second = table.find("1 value of 'ice' did not fit");
  EXPECT_TRUE(file < first && first < second && second != std::string::npos) << table;
  EXPECT_NE(table.find("1e+06, on rank 2"), std::string::npos) << table;
}

TEST(Table, ShowsFilesThatAreNotToldOneByOneInOneLine) {
  Summary summary = example();
  EXPECT_EQ(to_table(summary).find("more files"), std::string::npos);
  summary.others = {.files = 9000, .incomplete = 2, .bytes = 3000000, .records = 18000};
  const std::string table = to_table(summary);
  expect_lines_fit(table);
  EXPECT_NE(table.find("  and 9000 more files, closed in between, 2 of them not complete: 3.0 MB, 18000 records\n"),
            std::string::npos)
      << table;
}

TEST(Table, ShowsWhatThreadsWroteBehindTheCalls) {
  Summary summary = example();
  EXPECT_EQ(to_table(summary).find("thread"), std::string::npos);
  summary.behind = 2;
  summary.per_rank[0].behind_seconds = 1.5;
  summary.per_rank[1].behind_processor_seconds = 0.25;
  summary.per_rank[1].behind_waited_seconds = 0.125;
  const std::string table = to_table(summary);
  expect_lines_fit(table);
  EXPECT_NE(table.find("  2 threads wrote while the ranks computed, for 1.500 s (0.250 s of a processor); calls"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("waited 0.125"), std::string::npos) << table;
}

TEST(Table, ShowsMaximumMeanAndSlowest) {
  const std::string table = to_table(example());
  const size_t begin = table.find("  open");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream line(table.substr(begin));
  std::string name;
  double max = 0, mean = 0;
  int slowest = -1;
  line >> name >> max >> mean >> slowest;
  EXPECT_EQ(max, 3);
  EXPECT_EQ(mean, 2);
  EXPECT_EQ(slowest, 1);
}

TEST(Table, StaysNarrowWhateverItShows) {
  Summary summary = example();
  summary.files[0].path = std::string(250, 'p') + "/\xC3\xA9t\xC3\xA9.nc";
  for (int i = 0; i < 90; ++i) summary.files[0].reason += "\xC3\xA9t\xC3\xA9 \n";
  summary.mpi = std::string(400, 'm');
  summary.error = "file 'x': the disk is full\nreally";
  summary.per_rank[0].seconds[0] = 1e6;
  summary.per_rank[0].out_of_range = std::numeric_limits<int64_t>::max();
  summary.per_rank[0].read_bytes = std::numeric_limits<int64_t>::max();
  const std::string table = to_table(summary);
  expect_lines_fit(table);
  EXPECT_NE(table.find("ERROR file 'x': the disk is full really"), std::string::npos);
  EXPECT_NE(table.find("clamped"), std::string::npos);
  EXPECT_NE(table.find("9.2 EB"), std::string::npos);
  EXPECT_EQ(table.find(" \n"), std::string::npos) << "a line ends with a blank, or is nothing but blanks";
}

TEST(Table, OfNothingIsStillATable) { expect_lines_fit(to_table(Summary{})); }

#ifdef SV_TEST_JSON
TEST(Json, HoldsTheSummary) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(json["sverdrup"], "0.1.0");
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["phases"]["open"]["max"], 3);
  EXPECT_EQ(json["phases"]["open"]["mean"], 2);
  EXPECT_EQ(json["phases"]["open"]["max_rank"], 1);
  for (const char *phase : {"open", "read_meta", "read", "write", "close", "total"})
    EXPECT_TRUE(json["phases"].contains(phase)) << phase;
  EXPECT_EQ(json["bytes"]["written"], 622080001);
  EXPECT_EQ(json["bytes"]["sent"], 4096);
  EXPECT_EQ(json["writes"], 20);
  EXPECT_EQ(json["messages"], 3);
  ASSERT_EQ(json["files"].size(), 2U);
  EXPECT_EQ(json["files"][0]["path"], "out/oc\"ean.nc");
  EXPECT_EQ(json["files"][0]["io_layout"], "4,2");
  EXPECT_EQ(json["files"][0]["reason"], "io_layout was given");
  EXPECT_TRUE(json["files"][1]["io_layout"].is_null());
  EXPECT_TRUE(json["other_files"].is_null());
  EXPECT_EQ(json["settings"]["route"]["from"], "default");
  EXPECT_TRUE(json["error"].is_null());
  EXPECT_TRUE(json["behind"].is_null());
}

TEST(Json, HoldsWhatThreadsWroteBehindTheCalls) {
  Summary summary = example();
  summary.behind = 2;
  summary.per_rank[0].behind_seconds = 1.5;
  summary.per_rank[1].behind_processor_seconds = 0.25;
  summary.per_rank[1].behind_waited_seconds = 0.125;
  const auto behind = nlohmann::json::parse(to_json(summary))["behind"];
  EXPECT_EQ(behind,
            (nlohmann::json{{"threads", 2}, {"seconds", {{"write", 1.5}, {"processor", 0.25}, {"waited", 0.125}}}}));
}

TEST(Json, AddsUpFilesThatAreNotToldOneByOne) {
  Summary summary = example();
  summary.others = {.files = 9000, .incomplete = 2, .bytes = 3000000, .records = 18000};
  const auto others = nlohmann::json::parse(to_json(summary))["other_files"];
  EXPECT_EQ(others, (nlohmann::json{{"files", 9000}, {"incomplete", 2}, {"bytes", 3000000}, {"records", 18000}}));
}

TEST(Json, IsValidForAnyBytes) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string text = {static_cast<char>(first), static_cast<char>(second), '"', '\\', 'x'};
      const auto json = nlohmann::json::parse(json_text(text));
      const auto back = json.get<std::string>();
      EXPECT_TRUE(back.ends_with("\"\\x")) << first << " " << second;
      if (first < 128 && second < 128) {
        EXPECT_EQ(back, text);
      }
    }
  for (const std::string text : {"\xE2\x82\xAC", "\xF0\x9F\x8C\x8A", "\xED\x9F\xBF", "\xF4\x8F\xBF\xBF"})
    EXPECT_EQ(nlohmann::json::parse(json_text(text)).get<std::string>(), text);
  for (const std::string text : {"\xED\xA0\x80", "\xE0\x80\x80", "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\xE2\x82"})
    EXPECT_TRUE(nlohmann::json::parse(json_text(text)).get<std::string>().starts_with("\xEF\xBF\xBD"));
}

TEST(Json, NumbersReadBackExactly) {
  for (const double value : {0.0, 0.1, -1e-300, 1e300, 5.0, 1.0 / 3})
    EXPECT_EQ(nlohmann::json::parse(json_number(value)).get<double>(), value);
  EXPECT_EQ(json_number(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(json_number(std::numeric_limits<double>::infinity()), "null");
  const int64_t largest = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(nlohmann::json::parse(json_number(largest)).get<int64_t>(), largest);
}

TEST(Json, IndentsWithoutTouchingStrings) {
  const std::string long_text(100, 'x'), line_end = "a\nb";
  const std::string nested = json_object({{"long", json_text(long_text)}, {line_end, json_array({"1", "2"})}});
  const auto json = nlohmann::json::parse(json_object({{"inner", nested}, {"empty", json_object({})}}));
  EXPECT_EQ(json["inner"]["long"], long_text);
  EXPECT_EQ(json["inner"][line_end][1], 2);
  EXPECT_TRUE(json["empty"].is_object());
}

TEST(Json, OfNothingIsStillAnObject) {
  const auto json = nlohmann::json::parse(to_json(Summary{}));
  EXPECT_TRUE(json["files"].empty());
  EXPECT_TRUE(json["settings"].is_object());
}
#endif

}  // namespace
}  // namespace sv
