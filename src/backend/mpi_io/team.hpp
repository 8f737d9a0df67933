// The ranks that have a file open through a library over MPI-IO, and their MPI-IO hints. The stores pnetcdf and
// netcdf4_library have one MpiIoTeam each.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "backend/mpi_peers.hpp"

namespace sv {

/// What the ranks do together either works on all of them or throws the same Error on all of them.
class MpiIoTeam {
 public:
  explicit MpiIoTeam(const Access &access);
  ~MpiIoTeam() { forget_failure(); }
  MpiIoTeam(const MpiIoTeam &) = delete;

  bool is_owner() const { return peers_.is_owner(); }
  bool alone() const { return peers_.alone(); }
  MPI_Comm comm() const { return peers_.comm(); }
  const Access &access() const { return access_; }

  // As those of Peers: afterwards all ranks know the failure.
  void together(const std::function<void()> &local) const;
  int64_t most(int64_t mine) const;
  /// Watches a call into the library.
  Watch watch(const std::string &what) const { return {peers_.watch_settings(), comm(), what}; }
  /// Makes a call into the library, watched, with errno 0. Its Error names the file. The watch keeps it, and reports
  /// it if other ranks wait inside the library.
  void call(const std::string &what, const std::string &path, const std::function<void()> &made) const;
  /// The same for a call that opens a file through MPI-IO: its Error says so where this MPI has no MPI-IO that we take.
  void open(const std::string &what, const std::string &path, const std::function<void()> &made) const;

 private:
  const Access access_;
  MpiPeers &peers_;  // those of access_
};

/// MPI_Info of the hints, and of ours: no data sieving in writing, which would read and write back other ranks'
/// bytes. Chooses ROMIO by default, if MPI-IO was not used before.
class Info {
 public:
  /// Collective over `comm`.
  Info(MPI_Comm comm, const Access &access);
  ~Info();
  Info(const Info &) = delete;
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Whether a file sieves although Info forbids it, by the hints that MPI reports. ROMIO in Open MPI 5.0 does not
/// receive the hints in opening. A write with gaps then reads and writes back the bytes in the gaps, and beyond the
/// end of the file it writes the contents of its memory.
bool sieves(MPI_Info in_force);
/// Collective over the ranks that have the file open. If it sieves, sets the hints that an open file still accepts:
/// no sieving, and the size of the aggregators' buffers. Aggregators and stripes are chosen when a file is opened.
void ask_again(MPI_File file, const Access &access);

/// While it lives, errors of files that MPI opens on this rank are reported to the watch, while those are open:
/// a library that closes the file before it returns the error waits there for the other ranks, which are elsewhere.
class ScopedFileErrorHandler {
 public:
  ScopedFileErrorHandler();
  ~ScopedFileErrorHandler();
  ScopedFileErrorHandler(const ScopedFileErrorHandler &) = delete;

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL, handler_ = MPI_ERRHANDLER_NULL;
};

/// Collective over the team. The value in force of each requested hint, as MPI reports it (Open MPI 4 repeats
/// the request): in `file`, or, if the library does not give its own, in the file opened once more with these
/// hints.
std::vector<std::string> hint_remarks(const MpiIoTeam &team, const std::string &path, const MPI_File *file = nullptr);

}  // namespace sv
