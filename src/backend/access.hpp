// How a store opens a file, and with whom; errors that the stores have in common. No MPI.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backend/peers.hpp"
#include "base/error.hpp"
#include "base/file_stripes.hpp"
#include "base/loan.hpp"
#include "base/progress.hpp"
#include "model/chunks.hpp"
#include "store/found_files.hpp"
#include "store/large_writes.hpp"

namespace sv {

/// MPI-IO hints by name, as the user gave them.
using Hints = std::vector<std::pair<std::string, std::string>>;

struct Access {
  std::shared_ptr<Peers> peers = std::make_shared<Peers>();  // the ranks that open the file
  bool collective = false;                                   // reading: all of them make the same number of calls
  Hints hints;
  FileStripes stripes;               // of a new file
  ChunkRequest chunks;               // netCDF-4 and Zarr
  int64_t header_reserve_bytes = 0;  // netCDF-4: in addition to the space for definitions and the chunks' index
  int writers = 1;                   // how many share a variable: for chunks that follow them
  bool untrusted = false;            // the file may have been made to do harm
  bool named_at_once = false;        // netCDF-4: a new file has its name from the beginning; none gets a marker
  bool virtual_index = false;        // the file has one next to it (store/virtual_index.hpp)
  bool read_ahead = false;           // a read of a record asks the system for the next one
  WritePolicy policy;                // how our own stores write large pieces
  bool library_io = false;           // the MPI's own choice of MPI-IO; false: ROMIO
  std::shared_ptr<FoundFiles> found = std::make_shared<FoundFiles>();  // which files sv_open has found
  Progress progress;                                                   // where a store counts what takes long
  Loan *hdf5 = nullptr;  // whom a store of one rank, which a thread uses, asks for HDF5; nullptr: no thread does
};

/// Asks for these stripes of a new file: our own stores the file system, the others MPI-IO, by hints.
void ask_for_stripes(Access &access, const FileStripes &stripes);

/// Whether what sv_open has found at `path` was written after that; `now`: which file it is, before this process has
/// changed it.
bool has_changed(const FoundFiles &found, const std::string &path, const FileIdentity &now);
/// The error if the file has other records now than its definitions say.
Error written_meanwhile();

/// The Error of a call that failed in `library`. `text_of_library` is the library's own text. `system` is the errno
/// after the call, often the only hint; 0: none.
struct LibraryFailure {
  Status status;
  std::string library, text_of_library;
  int system;
};
Error library_error(const LibraryFailure &failure);
/// The meaning of an errno where the library's text names none: no_space or io.
Status status_of_system(int system);

}  // namespace sv
