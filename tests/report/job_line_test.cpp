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

using Lines = std::vector<std::string>;

TEST(JobLines, NameFilesBytesRateAndShare) {
  WrittenFiles written;
  EXPECT_EQ(job_lines(written, {.call_seconds = 1, .run_seconds = 2}), Lines{});
  written.add("history.nc", 4'000'000'000, true);
  EXPECT_EQ(job_lines(written, {.bytes = 4'000'000'000, .call_seconds = 12.1, .run_seconds = 151}),
            (Lines{"1 file, 4.0 GB: history.nc", "12.1 s in output calls (330.6 MB/s), 8 % of the run",
                   "async: threads would write while the model computes, and save up to 12.1 s"}));
  written.add("restart.nc", 300'000'000, true);
  EXPECT_EQ(job_lines(written, {.bytes = 4'300'000'000, .call_seconds = 0.05, .run_seconds = 10}),
            (Lines{"2 files, 4.3 GB: history.nc, restart.nc", "50.0 ms in output calls (86.0 GB/s), 1 % of the run",
                   "nothing to gain: output took less than 2 % of the run"}));
  for (const char *name : {"a.nc", "b.nc", "c.nc"}) written.add(name, 0, false);
  const Lines lines = job_lines(written, {});
  EXPECT_EQ(lines[0], "5 files, 0 B, 3 not complete: history.nc, restart.nc, a.nc and 2 more");
  EXPECT_EQ(lines[1], "0.0 ms in output calls, 0 % of the run");
}

TEST(JobLines, TheLastOneFollowsTheLargestPart) {
  WrittenFiles written;
  written.add("history.nc", 1, true);
  const auto advice = [&](const JobCost &cost) { return job_lines(written, cost).back(); };
  JobCost cost{.bytes = 1'000'000, .writes = 10, .call_seconds = 5, .run_seconds = 10, .opening_seconds = 3};
  EXPECT_EQ(advice(cost), "3.00 s of it opened and closed 1 file: fewer files, with more records each, would help");
  cost.opening_seconds = 1;
  EXPECT_EQ(advice(cost), "async: threads would write while the model computes, and save up to 4.00 s");
  cost.writes = 1000;
  EXPECT_EQ(advice(cost), "writes had 1.0 kB on average: combine: step would join those of a step");
  cost.combines = cost.is_asynchronous = true;
  EXPECT_EQ(advice(cost), "sv-trace and sverdrup report show where the time goes");
  cost.waiting_seconds = 3;
  EXPECT_EQ(advice(cost), "3.00 s of it waited for memory: a larger async.memory or more servers would help");
}

TEST(JobLines, CountAllWrittenFilesOfARunAndNoOthers) {
  FileReports reports(4);
  for (int i = 0; i < 10; ++i) reports.keep(report_of("out.nc", "published", 10, i == 7 ? "abandoned" : "complete"));
  reports.keep(report_of("in.nc", "read", 10, "complete"));
  EXPECT_EQ(reports.written().files, 10);
  EXPECT_EQ(reports.written().bytes, 100);
  EXPECT_EQ(reports.written().incomplete, 1);
}

}  // namespace
}  // namespace sv
