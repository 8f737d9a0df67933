// The chunks that are stored as they are, and so have places before anybody writes parts of them: of which slabs they
// have been asked for, and which of them get theirs together, since ranks agree once for all of these. The store
// (chunk_store.cpp) has one. The same on all ranks; local.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "backend/chunked/chunk_boxes.hpp"
#include "backend/netcdf4/storage.hpp"
#include "model/chunks.hpp"

namespace sv::netcdf4 {

/// Quantized values pass through the encoder: their chunks are not plain.
void leave_out_quantized(std::vector<Storage> &storages, const Schema &schema, const ChunkRequest &request);

class PlainChunks {
 public:
  /// A record of a variable, or a variable without records: −1.
  struct Slab {
    int variable;
    int64_t record;
  };

  /// Both outlive it.
  PlainChunks(const Schema &schema, const std::vector<Storage> &storages) : schema_(schema), storages_(storages) {}

  /// Those of the variables from `first` on that have no records.
  std::vector<Slab> fixed(int first) const;
  /// The wanted slabs without places, and the slabs that are likely to follow: the same record of all variables whose
  /// last record was wanted; the first record of all, or with `whole_record` each.
  std::vector<Slab> next(const std::vector<Slab> &wanted, bool whole_record);
  void have_places(const std::vector<Slab> &slabs);
  /// The records that variables have with these slabs, by variable.
  static std::map<int, int64_t> lengths_of(const std::vector<Slab> &slabs);
  /// What a slab has of its chunks.
  std::vector<ChunkOverlap> chunks_of(const Slab &slab) const;
  std::vector<ChunkKey> keys_of(const Slab &slab) const;
  /// So many records count. Returns those that were never wanted though their chunks have places: that have come to
  /// count now, and before them those of the same chunk. They are taken as wanted from then on.
  std::vector<Slab> unwanted(int64_t records);
  int64_t chunk_bytes(int variable) const;

 private:
  void begin();
  struct Known {
    std::set<int64_t> placed;  // records
    std::set<int64_t> wanted;  // from the chunk on in which the next record to count stands
    int64_t last = -1;         // that was wanted; −1: before the first
  };
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  const Storage &storage(int v) const { return storages_[static_cast<size_t>(v)]; }
  bool is_plain(int v) const { return storage(v).kind == Storage::Kind::plain; }

  const Schema &schema_;
  const std::vector<Storage> &storages_;
  std::vector<Known> known_;
  std::optional<int64_t> opened_;  // records that were there before any of these calls
  int64_t counted_ = 0;            // records
};

}  // namespace sv::netcdf4
