// How the command-line programs end: one table of exit codes for all of them, and the check that printed output
// arrived. Each main calls `parse_failure` where CLI11 refuses the arguments, and `ended` as its last action.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>

namespace sv_tools {

/// docs/errors.md, "Exit codes of the programs", has the same table.
enum ExitCode : int {
  exit_success = 0,
  exit_failure = 1,  // the work failed: a file, a full disk, values that differ
  exit_usage = 2     // the arguments are refused; nothing was done
};

/// CLI11 has a code of its own for each kind of refusal; help and the version number are none.
inline int usage_code(const CLI::ParseError &error) {
  return error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success) ? exit_success : exit_usage;
}

/// Prints the help that was asked for, or why the arguments are refused, and returns the exit code.
inline int parse_failure(const CLI::App &app, const CLI::ParseError &error, std::ostream &out = std::cout,
                         std::ostream &err = std::cerr) {
  app.exit(error, out, err);
  return usage_code(error);
}

/// Flushes standard output. Returns `status`, or exit_failure where printed output is lost, such as on a full disk;
/// then standard error says so.
inline int ended(const std::string &program, int status) {
  errno = 0;
  std::cout.flush();
  bool lost = !std::cout.good();
  lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || lost;
  // Network file systems report a full disk when a descriptor is closed.
  const int copy = lost ? -1 : fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0) lost = close(copy) != 0;
  if (!lost) return status;
  const char *const cause = errno != 0 ? std::strerror(errno) : "a write failed";
  std::fprintf(stderr, "%s: the output could not be written: %s. Give standard output more space, and run it again\n",
               program.c_str(), cause);
  return status == exit_success ? exit_failure : status;
}

}  // namespace sv_tools
