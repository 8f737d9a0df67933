// The values of one rank on their way between memory and the files of a Zarr group: chunks are completed, pass through
// their codecs, and are written, each to its own file, or many to a shard. The store (zarr_store.cpp) has one. Local: a
// file with chunks has one owner.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/chunked/decoded_chunks.hpp"
#include "backend/zarr/chain.hpp"
#include "backend/zarr/folder.hpp"
#include "backend/zarr/shard.hpp"
#include "store/store.hpp"

namespace sv::zarr {

class Values {
 public:
  /// `schema` must outlive it. `request`: how new chunks are made. `progress`: where it says how far it is.
  Values(const Schema &schema, const ChunkRequest &request, const Progress &progress)
      : schema_(schema),
        request_(request),
        libraries_(request.codec == "blosc" ? "auto" : request.codec),
        progress_(progress) {}

  /// How the variables are stored. Error(not_compiled) where they cannot be compressed.
  void stored_as(std::vector<Array> arrays);
  const std::vector<Array> &arrays() const { return arrays_; }
  void open(Folder folder, bool writing);
  Folder &folder() { return folder_; }

  void write(int variable, const SubArray &part, const std::byte *values);
  void read(int variable, const SubArray &part, std::byte *values);
  /// What has come is in files, also of chunks that are not complete; they stay open for more.
  void complete();
  /// Values that were written so far may be read by others, of records before these: from now on files with any of them
  /// are replaced at once.
  void committed(int64_t records) { committed_ = records; }
  /// Removes what stands behind so many records, and what a kill has left of files that were being replaced. Of arrays
  /// that are as they are written here.
  void cut(int64_t records);

  StoreCounters counters{};
  /// What compresses; "" where nothing does.
  std::string codec() const;

 private:
  struct Region {  // cells of a variable, and the array in memory that has them
    int variable;
    Box cells, memory;
    std::byte *first;
  };
  struct Unfinished {
    std::vector<std::byte> values;  // of the whole chunk, in its own order
    int64_t elements = 0;           // that have come since it was last written
  };
  struct OpenFile {
    ChunkKey key;  // of its first cell
    PositionalFile file;
    int64_t bytes;
    std::optional<StoredIndex> index;
  };
  const Variable &variable(int v) const { return schema_.variables[static_cast<size_t>(v)]; }
  const Array &array(int v) const { return arrays_[static_cast<size_t>(v)]; }
  Chain &chain(int v) { return chains_[static_cast<size_t>(v)]; }
  int64_t chunk_bytes(int v) const;
  Index length_of(int v) const { return sv::length_of(schema_, variable(v)); }
  std::string name_of(const ChunkKey &file) const;
  std::vector<std::byte> filled(int v) const;

  void write_chunk(const Region &region, const MetChunk &met);
  Unfinished &unfinished(const ChunkKey &key, const MetChunk &met);
  void encode(const ChunkKey &key, std::span<const std::byte> values);
  void write_shard(const ChunkKey &key, const Shard &shard);
  void write_file(const ChunkKey &key, std::span<iovec> parts);
  void forget_read();

  void read_chunk(const Region &region, const MetChunk &met);
  OpenFile *open_file(const ChunkKey &key);
  std::optional<std::vector<std::byte>> body(const ChunkKey &key);
  /// Where a chunk's values go; asked once its body is known to have so many.
  using Room = std::function<std::span<std::byte>()>;
  bool load(const ChunkKey &key, const Room &room);
  bool load(const ChunkKey &key, std::vector<std::byte> &values);

  void cut_file(const ChunkKey &file, int64_t records);

  const Schema &schema_;
  const ChunkRequest request_;
  Libraries libraries_;
  Progress progress_;
  std::vector<Array> arrays_;
  std::vector<Chain> chains_;
  std::vector<bool> quantized_;
  Folder folder_;
  bool writing_ = false;
  int64_t committed_ = -1;  // records; −1: nobody reads it yet

  std::map<ChunkKey, Unfinished> unfinished_;
  std::map<ChunkKey, Shard> shards_;  // by their first cells
  int64_t held_bytes_ = 0;            // of both
  std::vector<std::byte> room_;
  std::optional<OpenFile> open_;  // that was read last
  DecodedChunks decoded_;
};

}  // namespace sv::zarr
