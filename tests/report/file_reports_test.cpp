#include <gtest/gtest.h>

#include <string>

#include "report/file_reports.hpp"

namespace sv {
namespace {

FileReport report_of(int number, const std::string &outcome = "complete") {
  FileReport report;
  report.path = std::to_string(number);
  report.bytes = number;
  report.records = 1;
  report.outcome = outcome;
  return report;
}

std::string paths_of(const FileReports &reports) {
  std::string all;
  for (const FileReport &each : reports.listed()) all += each.path + " ";
  return all;
}

TEST(FileReports, OfFewTellEach) {
  FileReports reports(5);
  for (int file = 0; file < 5; ++file) reports.keep(report_of(file));
  EXPECT_EQ(paths_of(reports), "0 1 2 3 4 ");
  EXPECT_EQ(reports.others().files, 0);
}

TEST(FileReports, OfManyTellTheFirstAndTheLatest) {
  FileReports reports(5);
  for (int file = 0; file < 100; ++file) reports.keep(report_of(file, file % 10 == 3 ? "abandoned: why" : "complete"));
  EXPECT_EQ(paths_of(reports), "0 1 97 98 99 ");
  EXPECT_EQ(reports.others().files, 95);
  EXPECT_EQ(reports.others().incomplete, 10);  // 3, 13, ..., 93
  EXPECT_EQ(reports.others().bytes, 99 * 100 / 2 - 1 - 97 - 98 - 99);
  EXPECT_EQ(reports.others().records, 95);
}

}  // namespace
}  // namespace sv
