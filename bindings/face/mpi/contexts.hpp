// Contexts of Sverdrup in a library that stands in for another one: one for each group of ranks that makes or opens
// files together, and for each set of options. They end with MPI. Compiled into the libraries that have MPI.
#pragma once

#include <mpi.h>
#include <sverdrup/binding.h>

#include <span>
#include <string>

namespace sv::face {

struct Context {
  sv_context *io = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;  // of the same ranks in the same order, and its own
  int ranks = 1;
};

/// Parameters of a library for its files, besides the configuration. A constant of the library.
struct ContextOptions {
  std::span<const char *const> options;
  bool all_write;       // every rank is a writer
  void (*close_all)();  // closes the files that a program has left open, before MPI ends
};

/// Collective. nullptr with a `reason`: there can be none.
const Context *context_of(MPI_Comm comm, const ContextOptions &options, std::string &reason);

/// Local. Whether the environment asks for threads that write while the ranks compute.
bool asks_for_threads();

}  // namespace sv::face
