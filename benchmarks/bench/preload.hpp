// The shim of benchmarks/shim: it counts what every method writes, and is the emulated device.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "options.hpp"

namespace sv_bench {

/// Starts this program again, with the shim preloaded, unless it is already; before MPI_Init. Returns when there is no
/// shim to be found; throws std::runtime_error if the device was asked for.
void run_under_shim(const Options &options, char **argv);
/// Collective, once every rank runs: the file by which the ranks found each other goes.
void forget_shim_state(MPI_Comm comm);

struct FileTraffic {
  int64_t writes = 0, written_bytes = 0, reads = 0, read_bytes = 0;
};
/// Of all ranks so far, on all machines, on files below the directory; the same on every rank. No value if a rank is
/// without the shim. Collective: operations before the call are counted, operations afterwards are not.
std::optional<FileTraffic> file_traffic(MPI_Comm comm);
/// Of the emulated device, bytes per second; 0 where there is none. Local.
double device_rate();
/// Local. Whether this rank's calls are counted; counting costs about a microsecond per call.
void count_calls(bool count);

}  // namespace sv_bench
