// What was taken over, and what was not and why, which sv-run prints at the end: a line for each file (told.hpp), which
// rank 0 of the file's communicator writes when the file is closed.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>

namespace sv::pnetcdf {

/// Of one file and rank.
struct Account {
  int64_t puts = 0, gets = 0, put_bytes = 0, got_bytes = 0;
  double opened = 0;  // seconds of MPI_Wtime
  std::string note;   // in words, for the summary: what the ranks have defined differently; rank 0's counts
  void put(int64_t bytes) {
    ++puts;
    put_bytes += bytes;
  }
  void get(int64_t bytes) {
    ++gets;
    got_bytes += bytes;
  }
};

/// Collective: adds up what the ranks have.
void tell_taken(MPI_Comm comm, const std::string &path, const Account &account, int code);
/// Collective. `reason`: in words.
void tell_left(MPI_Comm comm, const std::string &path, const std::string &reason);

}  // namespace sv::pnetcdf
