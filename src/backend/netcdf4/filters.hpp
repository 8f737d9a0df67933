// The filters of a variable's chunks, as HDF5 applies them: from values to the body that stands in the file, and back.
// A thread has Codecs for all variables: a library's state and memory is too large to be there once per variable.
// Local.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backend/netcdf4/storage.hpp"
#include "codec/codec.hpp"

namespace sv::netcdf4 {

/// The codecs of one thread, made when they are first needed.
class Codecs {
 public:
  /// `library`: a library that deflates, or "auto".
  explicit Codecs(std::string library) : library_(std::move(library)) {}
  /// Of a filter that compresses. Error(not_compiled) where no library for it is built in.
  ByteCodec &compressor(const Filter &filter);
  ByteCodec &decompressor(FilterKind kind);
  std::vector<std::byte> rooms[2];  // outputs of one filter, inputs of the next

 private:
  std::string library_;
  std::map<std::pair<FilterKind, int>, std::unique_ptr<ByteCodec>> compressors_;  // by kind and level
  std::map<FilterKind, std::unique_ptr<ByteCodec>> decompressors_;
};

/// How many bytes a body of so many bytes of values can have.
size_t most_encoded(const std::vector<Filter> &filters, size_t bytes, Codecs &codecs);

/// From where to where: `to` has room for most_encoded.
struct Passage {
  std::span<const std::byte> from;
  std::span<std::byte> to;
};
/// Returns how long the body is. HDF5 leaves a filter out where it makes a chunk larger, and says so in the index. But
/// parallel HDF5 (1.10) does not look there when it reads together: so none is left out here, except a plug-in, whose
/// bit `mask` has: the encoder calls it.
size_t encode(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs, const Passage &passage,
              uint32_t mask = 0);

/// A body that has not passed through filter i where bit i of `mask` is set.
struct StoredBody {
  std::span<const std::byte> bytes;
  uint32_t mask = 0;
};
/// Error(format) where the body is not one of so many values.
void decode(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs, const StoredBody &body,
            std::span<std::byte> values);

}  // namespace sv::netcdf4
