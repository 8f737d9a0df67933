// Places for what has none in the file, and the store netcdf4 (chunk_store.cpp) may write. What nobody has put of a
// file that was there has fill values, as before. The owner of the file asks for them. Local.
#pragma once

#include <set>

#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/values.hpp"

namespace sv::netcdf4 {

class GivenPlaces {
 public:
  /// `was_there`: the file, when it was opened.
  GivenPlaces(FileIndex &index, const Schema &schema, Values &values, bool was_there)
      : index_(index), schema_(schema), values_(values), was_there_(was_there) {}

  /// To contiguous variables.
  void to_contiguous();
  /// To a chunk that is stored as it is. One that has a place keeps it, and is added to `found`.
  int64_t to_chunk(const ChunkKey &key, int64_t bytes, std::set<ChunkKey> &found);

 private:
  void fill(int variable, int64_t place, int64_t elements);
  int64_t placed(const ChunkKey &key, int64_t bytes, std::set<ChunkKey> &found);

  FileIndex &index_;
  const Schema &schema_;
  Values &values_;
  const bool was_there_;
};

}  // namespace sv::netcdf4
