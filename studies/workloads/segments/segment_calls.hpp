// The calls of one library that write, or read, lists of single cells, which sv-bench segments times.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sv_bench {

/// Of each rank: cells of a variable (level, cell), in the order in which it lists them, and the lists of pointers that
/// the libraries want. Both take 64-bit numbers.
struct SegmentPlaces {
  int64_t levels, cells;
  std::vector<int64_t> places;  // level and cell of each
  std::vector<int64_t> ones{1, 1};

  int64_t count() const { return std::ssize(places) / 2; }
  /// As a list of starts, or of counts, in the type of a library.
  template <class Number>
  std::vector<Number *> starts() {
    static_assert(sizeof(Number) == sizeof(int64_t));
    std::vector<Number *> all;
    for (int64_t &place : places)
      if ((&place - places.data()) % 2 == 0) all.push_back(reinterpret_cast<Number *>(&place));
    return all;
  }
  template <class Number>
  std::vector<Number *> counts() {
    return std::vector<Number *>(static_cast<size_t>(count()), reinterpret_cast<Number *>(ones.data()));
  }
};

/// Throw std::runtime_error. All but post are collective.
class SegmentCalls {
 public:
  virtual ~SegmentCalls() = default;
  /// Makes a file with `variables` variables, or opens one that is there.
  virtual void open(const std::string &path, bool reads) = 0;
  /// One request for all cells of the list of one variable.
  virtual void post(int variable, bool reads, double *values) = 0;
  virtual void wait() = 0;
  virtual void close() = 0;
  /// After the last file.
  virtual void finish() {}
};

std::unique_ptr<SegmentCalls> sverdrup_segments(MPI_Comm comm, SegmentPlaces &segments, int variables,
                                                const std::vector<std::string> &settings);
/// Null where PnetCDF was not compiled.
std::unique_ptr<SegmentCalls> pnetcdf_segments(MPI_Comm comm, SegmentPlaces &segments, int variables);

}  // namespace sv_bench
