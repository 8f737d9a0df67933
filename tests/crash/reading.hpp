// A file as a reader finds it, and two readers: Sverdrup and netCDF-C.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "truth.hpp"

namespace svcrash {

struct Reading {
  bool opens = false;
  std::string complaint;  // why not, or why its attributes cannot be read
  std::string end;        // why values end before the last record
  int version = -1;
  int64_t records = 0;
  std::vector<std::string> texts;
  std::map<std::string, std::vector<double>> values;  // of whole variables: all records, except for `end`
  int64_t first_row = 0, rows = -1;                   // of a piece: its part of the grid; -1: all
};

/// A record to be added.
struct Addition {
  Version version;
  int64_t record, step;
  Sizes sizes;
};

/// Local. `texts`: so many attributes are read.
Reading read_with_netcdf(const std::string &path, int texts);

/// Sverdrup, in this process alone. One context for all files.
class SverdrupReader {
 public:
  SverdrupReader();
  ~SverdrupReader();
  SverdrupReader(const SverdrupReader &) = delete;
  Reading read(const std::string &path, int texts) const;
  /// Opens the file for appending, puts a record, closes. Returns the error; empty: none.
  std::string append(const std::string &path, const Addition &what) const;
  /// Streams of the writer in this directory, for the steps from the first to the second, exclusive. Returns the error.
  std::string continue_streams(const std::string &directory, const Sizes &sizes,
                               const std::pair<int64_t, int64_t> &steps) const;
  /// The same without a record, which repairs a header whose change was cut short.
  std::string repair(const std::string &path) const;

 private:
  std::string write(const std::string &path, const Addition *what) const;
  void *context_ = nullptr;
};

}  // namespace svcrash
