// What the processes of a run have told of their files: a line for each, with fields between tabs
// (bindings/pnetcdf/account.hpp writes them).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sv_run {

struct File {
  std::string path;
  int ranks = 0;
  std::string reason;  // why it was left to the real library; empty: it was taken over
  int64_t puts = 0, gets = 0, put_bytes = 0, got_bytes = 0;
  double seconds = 0;  // from its opening to its end
  int code = 0;        // with which it was closed
};

/// In the order in which they were closed. Lines that are not understood are left out.
std::vector<File> files_in(const std::string &list);

/// For people; empty where there are no files.
std::string summary(const std::vector<File> &files);

}  // namespace sv_run
