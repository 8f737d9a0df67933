// The reports of the files of a run, of which the summary is made: a run may close any number of files, and the memory
// for them stays bounded. The engine adds one for each file that it closes. Values; no MPI.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "report/job_line.hpp"
#include "report/metrics.hpp"

namespace sv {

/// Half of `most` are the first files and half the latest ones; those between are added up.
class FileReports {
 public:
  explicit FileReports(size_t most = 1000) : most_(most) {}

  void keep(FileReport report);
  /// The files that are listed one by one, in the order in which they were kept.
  std::vector<FileReport> listed() const;
  const OtherFiles &others() const { return others_; }
  const WrittenFiles &written() const { return written_; }

 private:
  size_t most_;
  std::vector<FileReport> first_;
  std::deque<FileReport> latest_;
  OtherFiles others_;
  WrittenFiles written_;
};

}  // namespace sv
