// Malformed files on the disk: the tests hostile and hostile_netcdf4 open them on all ranks, and require of every call
// that it succeeds, or fails with the same clear error on every rank.
#pragma once

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>

#include "fuzz/mutations.hpp"
#include "support/check.hpp"

namespace svtest {

constexpr int64_t most_elements = 4096, most_resident_kb = 256 << 10;
constexpr int most_variables = 40;

/// Requires the same status and the same message on every rank; returns the status.
inline int agreed(int status, const std::string &what) {
  struct {
    int64_t status;
    uint64_t text;
  } mine{status, status == SV_OK ? 0 : std::hash<std::string>()(sv_message())}, root = mine;
  MPI_Bcast(&root, sizeof root, MPI_BYTE, 0, MPI_COMM_WORLD);
  require(mine.status == root.status && mine.text == root.text, what + ": rank 0 has " + std::to_string(root.status) +
                                                                    ", this one " + std::to_string(status) + ", " +
                                                                    sv_message());
  return status;
}

/// The same for a call that reads: an error must report a defect of the file.
inline int read_alike(int status, const std::string &what) {
  const bool is_clear = status == SV_OK || status == SV_EFORMAT || status == SV_ELIMIT || status == SV_ENOTFOUND;
  require(is_clear, what + ", an unclear error: " + sv_message());
  return agreed(status, what);
}

inline bool says(const std::string &what) { return std::string(sv_message()).find(what) != std::string::npos; }

/// Rank 0 makes the file, and all open it. nullptr: it is refused, by its name.
inline sv_file *opened(sv_context *io, const std::string &path, const svfuzz::Bytes &bytes) {
  at_root([&] {
    std::remove(path.c_str());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  });
  sv_file *file = nullptr;
  if (read_alike(sv_open(io, path.c_str(), SV_NOWRITE, &file), "sv_open") == SV_OK) return file;
  require(says(path), std::string("an error without the file's name: ") + sv_message());
  return nullptr;
}

}  // namespace svtest
