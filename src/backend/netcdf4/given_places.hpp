// Places for new data in a file, which the store netcdf4 (chunk_store.cpp) may then write. Unwritten cells of an
// existing file keep their fill values. The owner of the file has one. Local.
#pragma once

#include <optional>
#include <set>

#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/values.hpp"

namespace sv::netcdf4 {

class GivenPlaces {
 public:
  /// `was_there`: the file, when it was opened. `records`: those that count, now and later; it outlives this.
  struct Committed {
    bool was_there;
    const int64_t &records;
  };
  GivenPlaces(FileIndex &index, const Schema &schema, Values &values, Committed committed)
      : index_(index), schema_(schema), values_(values), was_there_(committed.was_there), records_(committed.records) {}

  /// To contiguous variables.
  void to_contiguous();
  /// To a chunk that is stored as it is. One that has a place keeps it.
  int64_t to_chunk(const ChunkKey &key, int64_t bytes);
  /// A place for the body of a chunk. `is_read`: the file may have readers, for whom committed chunks stay whole.
  int64_t to_body(const Wanted &wanted, bool is_read);
  /// Where a chunk stands that the opened file had: it keeps its cells.
  std::optional<ChunkPlace> find_old(const ChunkKey &key);
  bool is_old(const ChunkKey &key) const { return old_.count(key) > 0; }
  /// HDF5 has freed a place that committed metadata refer to.
  void have_freed() { has_freed_ = true; }
  /// Chunks with a place may have readers from here.
  void commit() { new_.clear(); }

 private:
  void fill(int variable, int64_t place, int64_t elements);
  int64_t placed(const ChunkKey &key, int64_t bytes);

  FileIndex &index_;
  const Schema &schema_;
  Values &values_;
  const bool was_there_;
  const int64_t &records_;  // their unwritten cells have fill values
  std::set<ChunkKey> old_;  // that were found in the opened file
  std::set<ChunkKey> new_;  // bodies that have got places since the last commit
  bool has_freed_ = false;  // HDF5 a place that committed metadata refer to
};

}  // namespace sv::netcdf4
