// The values of one rank on their way between memory and a netCDF-4 file: contiguous variables and chunks that are
// stored as they are go to their places at once; of others, complete chunks are compressed, and wait for a place. The
// store (chunk_store.cpp) has one and says where things stand. Local.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "backend/chunked/assembly.hpp"
#include "backend/chunked/information.hpp"
#include "backend/netcdf4/bodies.hpp"
#include "backend/netcdf4/encoder.hpp"
#include "model/chunks.hpp"
#include "store/positional_file.hpp"
#include "store/scattered_writes.hpp"
#include "store/sieve.hpp"
#include "store/store_counters.hpp"

namespace sv::netcdf4 {

class Values final : private WholeChunks {
 public:
  /// Where a chunk stands; nothing: nowhere yet.
  using Find = std::function<std::optional<ChunkPlace>(const ChunkKey &)>;
  /// Values that only the index can read.
  using ReadForeign = std::function<void(int variable, const SubArray &part, std::byte *values)>;
  struct Dependencies {
    const Schema &schema;
    ChunkRequest request;  // how new chunks are made
    Find find;
    ReadForeign read_foreign;
    bool is_alone;  // no other rank writes to the file
  };
  explicit Values(Dependencies ground);

  /// How a variable is stored.
  using FindStorage = std::function<Storage(int variable)>;
  /// How the variables are stored; where `known` is empty, each is found when it is read first. Error(not_compiled)
  /// where they cannot be compressed.
  void stored_as(const std::vector<Storage> &known, FindStorage find);
  const Storage &storage(int v) { return stored(v).storage; }
  void open(PositionalFile file, bool writing);
  PositionalFile &file() { return file_; }

  /// A chunk that is there as a whole is compressed later, and short stretches of the file are joined: `values` stay
  /// until encode().
  void write(int variable, const SubArray &part, const std::byte *values);
  void read(int variable, const SubArray &part, std::byte *values);
  /// The system may read the chunks of this part into the page cache meanwhile.
  void will_read(int variable, const SubArray &part);
  /// Writes fill values into cells of one chunk.
  void fill(int variable, const Box &cells);

  /// Makes bodies of the chunks that are there as a whole, and writes the stretches.
  void encode() override;
  /// Also makes bodies of incomplete chunks, which stay open for more.
  void complete() override;
  /// The bodies that are not announced yet.
  std::span<const Body> waiting() const { return bodies_.waiting.bodies; }
  int64_t waiting_bytes() const;
  /// Announces these to the owner: their places come later.
  void announce();
  /// Writes the bodies that were announced first to these places, in their order.
  void write_announced(std::span<const int64_t> places);
  void set_place(const ChunkKey &key, const ChunkPlace &place) { bodies_.places[key] = place; }
  bool knows(const ChunkKey &key) const { return bodies_.places.count(key) > 0; }

  StoreCounters counters{};
  Losses losses;  // of this rank
  /// What deflates; "" where nothing does.
  std::string codec();

 private:
  const Variable &variable(int v) const { return dependencies_.schema.variables[static_cast<size_t>(v)]; }
  Index length_of(int v) const { return sv::length_of(dependencies_.schema, variable(v)); }
  Region region_of(int v, const Box &cells, std::byte *values);
  /// Of a variable or a chunk whose cells stand in the file as in memory: where it begins, its cells, and those to
  /// move.
  struct Stretch {
    int64_t place;
    const Box &stored, &cells;
  };
  void write_cells(const Region &region, const Stretch &stretch);
  void read_cells(const Region &region, const Stretch &stretch);
  void read_at(int64_t offset_bytes, std::span<std::byte> to);
  void write_chunk(const Region &region, const ChunkOverlap &met);
  void read_chunk(const Region &region, const ChunkOverlap &met);
  void take(const ChunkKey &key, std::span<const std::byte> values) override { whole_.push_back({key, values}); }
  bool load(const ChunkKey &key, const Room &room) override;
  std::optional<ChunkPlace> find(const ChunkKey &key) const;

  Dependencies dependencies_;
  PositionalFile file_;
  bool writing_ = false;
  struct Stored {
    Storage storage;
    Recipe recipe;
  };
  /// `known`: how it is stored, if it is not to be found.
  const Stored &stored(int v, const Storage *known = nullptr);
  FindStorage find_storage_;
  std::vector<std::optional<Stored>> stored_;  // by variable
  std::vector<Encoder> encoders_;              // by thread
  Bodies bodies_;
  std::set<ChunkKey> read_back_;  // of variables with a plug-in: their values have an error already
  InformedChunks informed_;
  struct Chunk {
    ChunkKey key;
    std::span<const std::byte> values;  // in the chunk's own order; empty: `region` contains them
    Region region{};
    ChunkOverlap met{};
  };
  std::vector<Chunk> whole_;   // that are still to be encoded; their values stay
  ScatteredWrites scattered_;  // that are still to be written; their values stay
  Sieve sieve_;
  std::vector<std::byte> body_;  // that is read
  ChunkAssembly assembly_{*this};
};

}  // namespace sv::netcdf4
