// The values of one rank on their way between memory and the objects of a Zarr group: complete chunks pass through
// their codecs, and are written, each to its own object, or many to a shard. The store (zarr_store.cpp) has one. Local:
// a file with chunks has one owner.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/chunked/assembly.hpp"
#include "backend/chunked/information.hpp"
#include "backend/zarr/chain.hpp"
#include "backend/zarr/entries.hpp"
#include "backend/zarr/shard.hpp"
#include "store/objects.hpp"
#include "store/store_counters.hpp"

namespace sv::zarr {

class Values final : private WholeChunks {
 public:
  /// `schema` must outlive it. `request`: how new chunks are made. `progress`: where it says how far it is.
  Values(const Schema &schema, const ChunkRequest &request, const Progress &progress)
      : schema_(schema), request_(request), libraries_(request.deflate_library), progress_(progress) {}

  /// How the variables are stored. Error(not_compiled) where they cannot be compressed.
  void stored_as(std::vector<Array> arrays);
  const std::vector<Array> &arrays() const { return arrays_; }
  void open(std::unique_ptr<Objects> objects, bool writing);
  bool is_open() const { return objects_ != nullptr; }
  void close() { objects_ = nullptr; }
  /// Error(internal) where none are open.
  Objects &objects() const;

  void write(int variable, const SubArray &part, const std::byte *values);
  void read(int variable, const SubArray &part, std::byte *values);
  /// The system may read the files of this part into the page cache meanwhile: all of each.
  void will_read(int variable, const SubArray &part);
  /// Writes all values that have come, also of incomplete chunks, which stay open for more.
  void complete() override;
  /// Values that were written so far may be read by others, of records before these: from now on files with any of them
  /// are replaced at once.
  void committed(int64_t records) { committed_ = records; }
  /// Removes records beyond this count, and the leftovers of a kill while files were being replaced, of arrays that
  /// are stored as this store writes them.
  void cut(int64_t records);

  StoreCounters counters{};
  Losses losses;  // of this rank
  /// What compresses; "" where nothing does.
  std::string codec() const;

 private:
  struct OpenFile {
    ChunkKey key;  // of its first cell
    std::unique_ptr<Object> file;
    int64_t bytes;
    std::optional<StoredIndex> index;
  };
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  const Array &array(int v) const { return arrays_[static_cast<size_t>(v)]; }
  Chain &chain(int v) { return chains_[static_cast<size_t>(v)]; }
  int64_t chunk_bytes(int v) const;
  std::string name_of(const ChunkKey &file) const;
  std::vector<std::byte> filled(int v) const;

  /// Encodes it at once.
  void take(const ChunkKey &key, std::span<const std::byte> values) override;
  bool load(const ChunkKey &key, const Room &room) override;
  int64_t held_bytes() const override { return shard_bytes_; }
  void write_shard(const ChunkKey &key, const Shard &shard);
  void write_file(const ChunkKey &key, std::span<iovec> parts);
  void forget_read();

  void read_in_place(const Region &region, const ChunkOverlap &met);
  OpenFile *open_file(const ChunkKey &key);
  std::optional<std::vector<std::byte>> body(const ChunkKey &key);

  void cut_file(const ChunkKey &file, int64_t records);

  const Schema &schema_;
  const ChunkRequest request_;
  Libraries libraries_;
  Progress progress_;
  std::vector<Array> arrays_;
  std::vector<Chain> chains_;
  std::vector<Quantization> quantizations_;
  std::vector<ErrorBound> bounds_;
  InformedChunks informed_;
  std::unique_ptr<Objects> objects_;
  bool writing_ = false;
  int64_t committed_ = -1;  // records; −1: the group has no readers yet

  std::map<ChunkKey, Shard> shards_;  // by their first cells
  int64_t shard_bytes_ = 0;           // of their bodies
  std::vector<std::byte> room_, body_;
  std::optional<OpenFile> open_;   // that was read last
  std::optional<ChunkKey> ahead_;  // of the file that was fetched last
  ChunkAssembly assembly_{*this};
};

}  // namespace sv::zarr
