// The configuration of the shim from the environment (README.md).
#pragma once

#include <cstdint>

#include "device_text.hpp"

namespace sv_shim {

enum class Operation { write, read, sync, close, rename, open, truncate, allocate, unlink, any };
enum class Effect { error, shorten, kill, delay };

/// `kind@first..last`: the effect on the operations of these numbers, counted from 1.
struct Fault {
  Operation operation;
  Effect effect;
  int error;  // errno, of Effect::error; of Effect::delay milliseconds
  int64_t first, last;
};

constexpr int max_faults = 16;

/// The text of a directory, absolute; empty: none.
struct Directory {
  char path[4096];
  int length;
};

struct Configuration {
  bool active = false;  // whether anything is asked
  Device device;
  bool device_reads = false;
  Directory device_directory{}, fault_directory{}, count_directory{};
  Fault faults[max_faults]{};
  int n_faults = 0;
  const char *fault_match = nullptr;  // shell wildcards, on the last component
  bool faults_per_process = false;
  bool faults_on_this_rank = true;
  const char *counts_path = nullptr;
  const char *state_path = nullptr;
};

/// Read once; a bad value ends the process with a message and status 126.
const Configuration &configuration();

/// Other faults from now on, in this process: as SV_INJECT, or "" for none. False, and nothing changed, where they make
/// no sense. No other thread may be in the shim meanwhile.
bool change_faults(const char *text);

/// Whether `path` (absolute) is the directory or below it.
bool is_below(const Directory &directory, const char *path);

[[noreturn]] void refuse(const char *variable, const char *value, const char *remedy);

}  // namespace sv_shim
