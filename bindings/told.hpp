// What the libraries that stand in for others tell sv-run of their files: a line for each, in the file that the
// variable SV_RUN_FILES names (tools/run/taken.hpp reads them); without it, nobody is told. The fields of a line:
//
//   taken, ranks, puts, gets, put bytes, got bytes, seconds open, code of its end, path, library, note in words
//     (which may be absent)
//   left, ranks, reason in words, path, library
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <initializer_list>
#include <string>

namespace sv {

/// Its path; nullptr: nobody is told.
inline const char *list_of_files() {
  const char *const named = std::getenv("SV_RUN_FILES");
  return named != nullptr && *named != '\0' ? named : nullptr;
}

/// Appends a line of fields, which tabs separate. Other processes of the run may write lines at the same time: one
/// call, at the end.
inline void tell(std::initializer_list<std::string> fields) {
  if (list_of_files() == nullptr) return;
  std::string line;
  for (const std::string &field : fields) {
    if (!line.empty()) line.push_back('\t');
    for (const char c : field) line.push_back(c == '\t' || c == '\n' ? ' ' : c);
  }
  line.push_back('\n');
  const int list = ::open(list_of_files(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (list < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(list, line.data(), line.size());
  ::close(list);
}

}  // namespace sv
