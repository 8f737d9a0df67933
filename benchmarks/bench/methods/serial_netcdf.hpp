// Reading with serial netCDF, as models do: every rank opens the file and reads its own part.
#pragma once

#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// Local, as are all functions. They throw std::runtime_error, also where netCDF was not compiled.
class NetcdfReader {
 public:
  void open(const Workload &workload, const std::string &path);
  /// The accesses of a step, which have no guard cells, to where they belong in memory that begins at `to`.
  void read(const Workload &workload, size_t step, std::byte *to) const;
  void close();

 private:
  int file_ = -1;
  std::vector<int> variables_;
};

}  // namespace sv_bench
