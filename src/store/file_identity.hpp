// The identity of the file behind a descriptor or a name: two openings are of one file if these are the same. Stores
// and the engine compare them, to detect that another file has taken the name since. Values; no MPI, no state.
#pragma once

#include <cstdint>
#include <string>

namespace sv {

/// A file system may give the number of a file that is gone to a new one: so the time of birth counts, too, where the
/// file system keeps it.
struct FileIdentity {
  int64_t number = 0;  // in its file system; 0: not known
  int64_t device = 0;  // each host has its own numbers of devices
  int64_t born_ns = 0, modified_ns = 0;
  int64_t host = 0;  // host_signature

  bool is_known() const { return number != 0; }
  /// Hosts may number the files of a file system differently: then the time of the last change decides.
  bool is_of_file(const FileIdentity &other) const;
};

/// Of an open descriptor. Throws system_error, which names `path`.
FileIdentity identity_of(int descriptor, const std::string &path);
/// Of the file under a name; not known if there is none.
FileIdentity identity_at(const std::string &path);

}  // namespace sv
