// A file of PnetCDF whose variables are put record by record.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "workload/workload.hpp"

namespace sv_bench {

/// Regions of a record of one variable, whose values follow one another in memory.
class Segments {
 public:
  explicit Segments(const std::vector<Region> &regions);
  void set_record(int64_t record);
  int64_t values() const { return values_; }
  size_t size() const { return starts_.size() / rank_; }
  /// For PnetCDF, which takes what it reads as MPI_Offset *, too.
  std::vector<MPI_Offset *> starts() { return pointers(starts_); }
  std::vector<MPI_Offset *> counts() { return pointers(counts_); }
  int64_t values_of(size_t segment) const;

 private:
  std::vector<MPI_Offset *> pointers(std::vector<MPI_Offset> &numbers) const;
  size_t rank_ = 1;  // dimensions, that of the record included
  int64_t values_ = 0;
  std::vector<MPI_Offset> starts_, counts_;  // of one region after the other
};

/// All functions are collective over the communicator, which outlives the file. They throw std::runtime_error.
class RecordFile {
 public:
  RecordFile(MPI_Comm comm, std::string path, const Schema &schema);
  void create();
  void open();
  void close();
  /// The segments' values. On all ranks by put_vara_all, where each has one segment; otherwise by put_varn_all.
  void put_vara(int variable, Segments &segments, const std::byte *values);
  void put_varn(int variable, Segments &segments, const std::byte *values);
  /// Not collective: a call, and so a write, for each segment. Between these two, no other puts.
  void begin_independent();
  void end_independent();
  void put_each(int variable, Segments &segments, const std::byte *values);

 private:
  const MPI_Comm comm_;
  const std::string path_;
  const Schema &schema_;
  int file_ = 0;
};

}  // namespace sv_bench
