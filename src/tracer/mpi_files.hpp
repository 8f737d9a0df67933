// The tracer's knowledge of the files of MPI-IO.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/mutex.hpp"
#include "tracer/mpi.hpp"
#include "tracer/open_files.hpp"

namespace sv::profile {

/// A call about an open file of MPI-IO, by its handle, which is a pointer in all ABIs.
class MpiFiles {
 public:
  /// `path`: of traced_file().
  void opened(Word handle, std::string path);
  void closed(Word handle);
  /// Whether it is the first time that this is asked about a file.
  bool is_new(const std::string &path);
  /// Gives the call its file; a call on a file that is not traced is dropped.
  void about(MpiCall &call, Word handle);
  /// A view in whose own bytes (`linear`) offsets are, from `displacement` on, in units of `unit_bytes`.
  void viewed(Word handle, int64_t displacement, int64_t unit_bytes, bool linear);
  /// The place in the file of an offset in the view; -1: not known.
  int64_t offset(Word handle, int64_t in_view);

 private:
  struct File {
    NumberedPath path;
    int64_t displacement = 0, unit_bytes = 1;
    bool linear = true;
  };
  Mutex mutex_;
  std::unordered_map<Word, File> files_ SV_GUARDED_BY(mutex_);
  std::unordered_set<std::string> noted_ SV_GUARDED_BY(mutex_);
};

MpiFiles &mpi_files();

/// A note with the given and the active hints of MPI_File_open. Rank 0 of the file's communicator makes it once per
/// file.
void note_hints(MpiCall &call, const std::string &path, Word asked, Word handle);

}  // namespace sv::profile
