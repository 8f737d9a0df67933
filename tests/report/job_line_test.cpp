#include "report/job_line.hpp"

#include <gtest/gtest.h>

#include "report/file_reports.hpp"

namespace sv {
namespace {

FileReport report_of(const std::string &path, const std::string &kind, int64_t bytes, const std::string &outcome) {
  FileReport report;
  report.path = path;
  report.kind = kind;
  report.bytes = bytes;
  report.outcome = outcome;
  return report;
}

TEST(JobLine, NamesFilesBytesRateAndShare) {
  WrittenFiles written;
  EXPECT_EQ(job_line(written, {0, 1, 2}), "");
  written.add("history.nc", 4'000'000'000, true);
  EXPECT_EQ(job_line(written, {4'000'000'000, 12.1, 151}),
            "1 file, 4.0 GB in 12.1 s (330.6 MB/s), 8 % of the run: history.nc");
  written.add("restart.nc", 300'000'000, true);
  EXPECT_EQ(job_line(written, {4'300'000'000, 0.05, 10}),
            "2 files, 4.3 GB in 50.0 ms (86.0 GB/s), 1 % of the run: history.nc, restart.nc");
  for (const char *name : {"a.nc", "b.nc", "c.nc"}) written.add(name, 0, false);
  EXPECT_EQ(job_line(written, {0, 0, 0}),
            "5 files, 0 B in 0.0 ms, 0 % of the run, 3 not complete: history.nc, restart.nc, a.nc and 2 more");
}

TEST(JobLine, CountsAllWrittenFilesOfARunAndNoOthers) {
  FileReports reports(4);
  for (int i = 0; i < 10; ++i) reports.keep(report_of("out.nc", "published", 10, i == 7 ? "abandoned" : "complete"));
  reports.keep(report_of("in.nc", "read", 10, "complete"));
  EXPECT_EQ(reports.written().files, 10);
  EXPECT_EQ(reports.written().bytes, 100);
  EXPECT_EQ(reports.written().incomplete, 1);
}

}  // namespace
}  // namespace sv
