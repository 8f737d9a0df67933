// The accounts of a run's processes about their files: a line for each, with fields between tabs
// (bindings/face/account.cpp writes them).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv_run {

struct File {
  std::string path;
  int ranks = 0;
  std::string reason;   // why it was left to that library; empty: it was taken over
  std::string library;  // whose interface it was opened with
  int64_t puts = 0, gets = 0, put_bytes = 0, got_bytes = 0;
  double seconds = 0;  // from its opening to its end
  int code = 0;        // with which it was closed
  int openings = 1;    // of this entry
  std::string note{};  // a remark for its user; may be empty
};

/// In the order in which they were first closed: openings of one file through netCDF are one entry.
/// Lines that are not understood are left out.
std::vector<File> files_in(const std::string &list);

/// For people: a line for each of the first handled files, and of the first of the others, and the sums of all more;
/// empty if there are no files.
std::string summary(const std::vector<File> &files);

}  // namespace sv_run
