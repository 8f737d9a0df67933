// The account of each handled file, and the files that were left to the real library and why: lines for sv-run, in the
// file that the variable SV_RUN_FILES names (tools/run/taken.hpp reads them); without it, nothing is written. One rank
// calls these for a file. The fields of a line:
//
//   taken, ranks, puts, gets, put bytes, got bytes, seconds open, code of its end, path, library, note in words
//     (which may be absent)
//   left, ranks, reason in words, path, library
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sv::face {

/// Of one file and rank.
struct Account {
  int64_t puts = 0, gets = 0, put_bytes = 0, got_bytes = 0;
  std::string note;  // in words, for the summary
  std::chrono::steady_clock::time_point opened = std::chrono::steady_clock::now();
  void put(int64_t bytes) { ++puts, put_bytes += bytes; }
  void get(int64_t bytes) { ++gets, got_bytes += bytes; }
};

/// Whether there is a file for the lines.
bool lists_files();
/// When a file is closed, with the sums of its ranks. `code`: of its end.
void list_handled(const std::string &path, const Account &account, int ranks, int code);
/// When a file is made or opened. `reason`: in words.
void list_left(const std::string &path, const std::string &reason, int ranks);

}  // namespace sv::face
