// How a file is opened through a library over MPI-IO, and by whom.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/loan.hpp"
#include "mpi/watch.hpp"
#include "store/chunks.hpp"
#include "store/found_files.hpp"
#include "store/large_writes.hpp"

namespace sv {

/// MPI-IO hints by name, as the user gave them.
using Hints = std::vector<std::pair<std::string, std::string>>;

struct Access {
  MPI_Comm comm = MPI_COMM_SELF;  // of the ranks that open the file, borrowed; rank 0 of it is the file's owner
  bool collective = false;        // reading: every rank of comm makes the same number of calls
  Hints hints;
  ChunkRequest chunks;               // netCDF-4 and Zarr
  int64_t header_reserve_bytes = 0;  // netCDF-4: beside what the definitions and the chunks' index need
  int writers = 1;                   // how many share a variable: for chunks that follow them
  bool untrusted = false;            // what is read may have been made to do harm
  bool virtual_index = false;        // what is written has one beside it (store/virtual_index.hpp)
  WriteWay way;                      // how what is large is written by our own stores
  bool library_io = false;           // the MPI's own choice of MPI-IO; false: ROMIO
  std::shared_ptr<FoundFiles> found = std::make_shared<FoundFiles>();  // which files sv_open has found
  WatchSettings watch;
  Loan *hdf5 = nullptr;  // whom a store of one rank, which a thread uses, asks for HDF5; nullptr: no thread does
};

/// The ranks that have a file open together. What they do together either works on all of them or throws the same Error
/// on all of them.
class Team {
 public:
  explicit Team(const Access &access);
  ~Team() { forget_failure(); }
  Team(const Team &) = delete;

  bool is_owner() const { return rank_ == 0; }
  bool alone() const { return size_ == 1; }
  MPI_Comm comm() const { return access_.comm; }
  const Access &access() const { return access_; }

  /// Collective. Runs `local` here; where it throws on some rank, all throw the lowest such rank's error.
  void together(const std::function<void()> &local) const;
  /// Collective. The largest of the numbers; 0 where one of them is negative.
  int64_t most(int64_t mine) const;
  /// Watches a call into the library.
  Watch watch(const std::string &what) const { return {access_.watch, access_.comm, what}; }
  /// Makes a call into the library, watched, with errno 0. Its Error names the file, and is kept for the watch to tell
  /// where the others may be waiting inside the library.
  void call(const std::string &what, const std::string &path, const std::function<void()> &made) const;
  /// The same for a call that opens a file through MPI-IO: its Error says so where this MPI has no MPI-IO that we take.
  void open(const std::string &what, const std::string &path, const std::function<void()> &made) const;

 private:
  Access access_;
  int rank_ = 0, size_ = 1;
};

/// Whether what sv_open has found at `path` was written after that; `now`: which file it is, before this process has
/// changed it.
bool has_changed(const FoundFiles &found, const std::string &path, const FileIdentity &now);
/// What to tell where it has other records now than its definitions say.
Error written_meanwhile();

/// The Error of a call that failed in `library`; `told` is its own text. `system`: what errno said after it, often all
/// there is to go by; 0: nothing.
struct LibraryFailure {
  Status status;
  std::string library, told;
  int system;
};
Error library_error(const LibraryFailure &failure);
/// What an errno means where the library does not tell: no_space or io.
Status status_of_system(int system);

/// MPI_Info of the hints, and of ours: no data sieving in writing, which would read and write back what others write.
/// Chooses ROMIO unless told otherwise, when MPI-IO was not used before.
class Info {
 public:
  explicit Info(const Access &access);
  ~Info();
  Info(const Info &) = delete;
  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Whether a file sieves although Info asked it not to, going by the hints that MPI tells of it: ROMIO in Open MPI 5.0
/// never hears what it is asked for in opening. A write that leaves gaps then reads and writes back what stands in
/// them, and beyond the end of the file puts there what is in its memory.
bool sieves(MPI_Info in_force);
/// Collective over those that have the file open. Where it sieves, asks once more for what an open file can still take:
/// no sieving, and the size of the aggregators' buffers. Aggregators and stripes are chosen when a file is opened.
void ask_again(MPI_File file, const Access &access);

/// While it lives, files that MPI opens on this rank, for as long as they are open, tell the watch what fails in them:
/// a library that closes the file before it returns the error waits there for the other ranks, which are elsewhere.
class TellingFiles {
 public:
  TellingFiles();
  ~TellingFiles();
  TellingFiles(const TellingFiles &) = delete;

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL, telling_ = MPI_ERRHANDLER_NULL;
};

/// Collective over the team. Says of each hint that was asked for what is in force, as MPI tells (OpenMPI 4 repeats
/// what it was asked): in `file`, or, where the library does not give its own, in the file opened once more with these
/// hints.
std::vector<std::string> hint_remarks(const Team &team, const std::string &path, const MPI_File *file = nullptr);

}  // namespace sv
