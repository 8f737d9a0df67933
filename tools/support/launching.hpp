// Starts a command with libraries preloaded into all its processes, and waits for it. sv-trace and sv-run use it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace sv_tools {

/// The name of the program, which a launcher may start: "ocean" of "mpiexec -n 4 ./ocean".
std::string program_name(const std::vector<std::string> &command);

/// The folder that this program is in.
std::string own_folder();

/// Where a library of ours is, seen from this program. Throws std::runtime_error where it is not.
std::string own_library(const std::string &name);

struct Launch {
  std::string tool;                    // the program in messages: "sv-trace"
  std::vector<std::string> libraries;  // in the order of their search, before those that are preloaded already
  std::vector<std::pair<std::string, std::string>> variables;
  std::string directory;  // absolute, in which it runs; empty: in this one
};

/// Starts it, waits for it, and returns its exit status; 128 + the signal that ended it. SIGTERM and SIGHUP are passed
/// on to it.
/// Throws std::runtime_error where it cannot be started.
int run_launched(std::vector<std::string> command, const Launch &launch);
/// Whether a signal by which users stop programs came during the last run, or ended it. Launchers have exit codes of
/// their own then.
bool was_interrupted(int status);

/// The same in place of this process, where nothing is to be done afterwards. Does not return; exits with 127 or 126
/// where the command cannot be started.
[[noreturn]] void become_launched(std::vector<std::string> command, const Launch &launch);

}  // namespace sv_tools
