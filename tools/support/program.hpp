// The common part of the MPI programs that copy files: options, errors, the progress bar, the run itself.
#pragma once

#include <mpi.h>
#include <sverdrup/sverdrup.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "copying.hpp"

namespace sv_tools {

/// A line on standard error that is drawn anew, a few times a second; only on a terminal. It shows what part of the
/// bytes is done, how fast, and how long the rest takes at that rate.
class Bar {
 public:
  /// `what` stands before it.
  Bar(std::string what, bool shown, double bytes);
  void operator()(double done);

 private:
  std::string what_;
  bool shown_;
  double bytes_;
  double begin_ = MPI_Wtime(), reported_ = 0;
};

struct Task {
  std::string program, in, out;
  int create_flags;                   // of sv_create; without a format among the settings, `out` is of the kind of `in`
  std::vector<std::string> settings;  // "key=value"; they override the defaults for copying
  bool quiet;
  bool rescues = false;                           // `in` may be incomplete: existing data are copied, and reported
  int64_t hold_bytes = usual_hold_bytes;          // of values, on each rank, where chunks are made anew
  std::function<void(double bytes)> accept = {};  // throws, on every rank, where so many bytes are not to be copied
};

/// Collective over all ranks. Copies `in`, a file or a set of files, into `out`, with a bar and a last line by rank 0;
/// nothing stands under `out` after an error, which is thrown on every rank.
void copy_file(const Task &task);

/// Adds --version, starts MPI, parses the options, works, ends MPI. Rank 0 prints the error that `work` throws on every
/// rank. Returns the exit code.
int run(CLI::App &app, int argc, char **argv, const std::function<void()> &work);

}  // namespace sv_tools
