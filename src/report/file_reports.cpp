#include "report/file_reports.hpp"

#include <utility>

namespace sv {

void FileReports::keep(FileReport report) {
  if (report.kind != "read") written_.add(report.path, report.bytes, report.outcome == "complete");
  if (first_.size() < most_ / 2) return first_.push_back(std::move(report));
  latest_.push_back(std::move(report));
  if (latest_.size() <= most_ - most_ / 2) return;
  const FileReport &leaves = latest_.front();
  ++others_.files;
  if (leaves.outcome != "complete") ++others_.incomplete;
  others_.bytes += leaves.bytes;
  others_.records += leaves.records;
  latest_.pop_front();
}

std::vector<FileReport> FileReports::listed() const {
  std::vector<FileReport> all = first_;
  all.insert(all.end(), latest_.begin(), latest_.end());
  return all;
}

}  // namespace sv
