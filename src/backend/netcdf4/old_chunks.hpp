// The chunks of an existing netCDF-4 file that several ranks opened for writing. Only the owner's index knows their
// places. This finds the chunks that a write or a read needs and that the other ranks do not know yet. Chunks that
// are stored unchanged are needed by reads only: PlainChunks gives them their places. The store (chunk_store.cpp) has
// one. The same on all ranks.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"
#include "backend/netcdf4/plain_chunks.hpp"
#include "backend/netcdf4/storage.hpp"
#include "backend/peers.hpp"
#include "store/team.hpp"

namespace sv::netcdf4 {

class OldChunks {
 public:
  /// Both outlive it.
  OldChunks(const Schema &schema, const std::vector<Storage> &storages) : schema_(schema), storages_(storages) {}

  /// A file with so many records was opened. Before this, there are none.
  void open(int64_t records) { records_ = records; }
  bool are_known() const { return records_.has_value(); }
  /// Compressed chunks that these records share with old ones, of the next write; and those of variables without
  /// records, which are asked for as soon as the file is opened.
  std::vector<ChunkKey> of_records(std::span<const RecordCount> wanted, const PlainChunks &slabs);
  std::vector<ChunkKey> of_fixed();
  /// All that the variable had.
  std::vector<ChunkKey> of_variable(int v);

 private:
  const Schema &schema_;
  const std::vector<Storage> &storages_;
  std::optional<int64_t> records_;
  std::set<ChunkKey> reported_;  // first cells of rows of chunks; of a whole variable, no cell
};

/// Collective. Where these chunks stand, as the owner finds them; a place below 0: nowhere.
std::vector<ChunkPlace> known_places(Peers &peers, const std::vector<ChunkKey> &keys,
                                     const std::function<std::optional<ChunkPlace>(const ChunkKey &)> &find);

}  // namespace sv::netcdf4
