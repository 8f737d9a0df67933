// The values of one rank on their way between memory and a netCDF-4 file: contiguous variables and chunks that are
// stored as they are go to their places at once; of others, chunks are completed, compressed, and wait for a place. The
// store (chunk_store.cpp) has one and says where things stand. Local.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "backend/chunked/decoded_chunks.hpp"
#include "backend/netcdf4/bodies.hpp"
#include "backend/netcdf4/encoder.hpp"
#include "store/chunks.hpp"
#include "store/positional_file.hpp"
#include "store/store.hpp"

namespace sv::netcdf4 {

class Values {
 public:
  /// Where a chunk stands; nothing: nowhere yet.
  using Find = std::function<std::optional<ChunkPlace>(const ChunkKey &)>;
  /// Values that only the index can read.
  using ReadForeign = std::function<void(int variable, const SubArray &part, std::byte *values)>;
  struct Ground {
    const Schema &schema;
    ChunkRequest request;  // how new chunks are made
    Find find;
    ReadForeign read_foreign;
  };
  explicit Values(Ground ground);

  /// How the variables are stored. Error(not_compiled) where they cannot be compressed.
  void stored_as(std::vector<Storage> storages);
  const Storage &storage(int v) const { return storages_[static_cast<size_t>(v)]; }
  void open(PositionalFile file, bool writing);
  PositionalFile &file() { return file_; }

  /// A chunk that is there as a whole is compressed later: `values` stay until encode().
  void write(int variable, const SubArray &part, const std::byte *values);
  void read(int variable, const SubArray &part, std::byte *values);
  /// Writes fill values into cells of one chunk.
  void fill(int variable, const Box &cells);

  /// Makes bodies of the chunks that are there as a whole.
  void encode();
  /// And of what has come of others; they stay open for more.
  void complete();
  /// That nobody has been told of yet.
  std::span<const Body> waiting() const { return bodies_.waiting.bodies; }
  int64_t waiting_bytes() const;
  /// The owner is told of these: their places come later.
  void tell();
  /// Writes what it was told of longest ago to these places, in their order.
  void write_told(std::span<const int64_t> places);
  void knows(const ChunkKey &key, const ChunkPlace &place) { bodies_.places[key] = place; }
  bool knows(const ChunkKey &key) const { return bodies_.places.count(key) > 0; }

  StoreCounters counters{};
  /// What deflates; "" where nothing does.
  std::string codec();

 private:
  struct BoxArray {
    Box box;
    std::byte *first;
  };
  struct Region {  // cells of a variable, and the array in memory that has them
    int variable;
    Box cells;
    BoxArray memory;
  };
  const Variable &variable(int v) const { return ground_.schema.variables[static_cast<size_t>(v)]; }
  Index length_of(int v) const { return sv::length_of(ground_.schema, variable(v)); }
  void write_cells(const Region &region, int64_t place, const Box &stored);
  void read_cells(const Region &region, int64_t place, const Box &stored);
  void read_at(int64_t offset_bytes, std::span<std::byte> to);
  void write_chunk(const Region &region, const MetChunk &met);
  void read_chunk(const Region &region, const MetChunk &met);
  void fill_cells(const Region &region);
  void keep_for_others(std::vector<std::byte> values);
  Unfinished &unfinished(const ChunkKey &key, const Box &stored);
  bool load(const ChunkKey &key, std::span<std::byte> values);
  std::span<const std::byte> decoded(const ChunkKey &key, int64_t elements);
  std::optional<ChunkPlace> find(const ChunkKey &key) const;

  Ground ground_;
  PositionalFile file_;
  bool writing_ = false;
  std::vector<Storage> storages_;
  std::vector<Recipe> recipes_;    // by variable
  std::vector<Encoder> encoders_;  // by thread
  Bodies bodies_;
  struct Chunk {
    ChunkKey key;
    std::span<const std::byte> values;
  };
  std::vector<Chunk> whole_;     // that are still to be encoded; their values stay
  std::vector<std::byte> body_;  // that is read
  DecodedChunks decoded_;
};

}  // namespace sv::netcdf4
