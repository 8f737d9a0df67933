// A netCDF-4 file that netCDF-C has open in order to read its definitions. Where a commit of it was interrupted
// (store/journal.hpp), netCDF-C sees it as it is when that is completed, in memory; the file itself stays as it is.
// Local.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "store/journal.hpp"

namespace sv::netcdf4 {

/// A file in memory, of which only the pages are read that are needed, and some bytes are others.
class FileImage {
 public:
  /// Throws the system's error.
  FileImage(const std::string &path, const UnfinishedCommit &rest);
  FileImage(const FileImage &) = delete;
  FileImage &operator=(const FileImage &) = delete;
  ~FileImage();
  void *data() const { return data_; }
  size_t size() const { return size_; }

 private:
  bool put(const Change &change);
  void *data_ = nullptr;
  size_t size_ = 0;
};

class OpenedToRead {
 public:
  /// Error(format), Error(io) ... A line on stderr for a journal that is not believed.
  explicit OpenedToRead(const std::string &path);
  OpenedToRead(const OpenedToRead &) = delete;
  OpenedToRead &operator=(const OpenedToRead &) = delete;
  ~OpenedToRead();
  int id() const { return id_; }
  void close();

 private:
  std::optional<FileImage> image_;  // of a file with an interrupted commit
  int id_ = -1;
};

}  // namespace sv::netcdf4
