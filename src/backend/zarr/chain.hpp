// Turns a chunk's values into the bytes of a file, and back: the codecs of one array. The values of a store
// (values.hpp) have one Chain for each array, and all of them the same libraries. Local.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/zarr/array.hpp"
#include "codec/codec.hpp"

namespace sv::zarr {

/// The libraries behind the codecs, made when they are first needed: their memory is too large to be there once per
/// array.
class Libraries {
 public:
  /// `deflater`: a library that makes deflate streams, or "auto".
  explicit Libraries(std::string deflater) : deflater_(std::move(deflater)) {}
  /// Error(not_compiled) where it is not built in.
  ByteCodec &encoder(const ByteStep &step);
  ByteCodec &decoder(const ByteStep &step);
  std::vector<std::byte> rooms[2];  // outputs of one codec, inputs of the next

 private:
  const std::string deflater_;
  std::map<std::string, std::unique_ptr<ByteCodec>> known_;
};

class Chain {
 public:
  Chain(const Encoding &encoding, int64_t element_bytes, Libraries &libraries)
      : encoding_(encoding), element_bytes_(element_bytes), libraries_(libraries) {}

  /// Whether values stand in a file as they are in memory.
  bool is_plain() const;
  /// The bytes for the file; they stay until the next call of any Chain with these libraries.
  std::span<const std::byte> encode(std::span<const std::byte> values);
  /// Error(format) where `body` is not one of so many values.
  void decode(std::span<const std::byte> body, std::span<std::byte> values);
  /// The same of a body whose codecs state the length of its values, which have at most so many bytes.
  std::vector<std::byte> decode(std::span<const std::byte> body, int64_t most_bytes);
  /// Error(format) where a body cannot be one of so many bytes of values: before memory is taken for these.
  void check_length(std::span<const std::byte> body, int64_t bytes) const;
  /// Error(format) where a body of so many bytes can be of no chunk of `bytes` bytes.
  void check_body(int64_t body_bytes, int64_t bytes) const;
  /// The codec that compresses, and its library; "" where none does.
  std::string compressor() const;

 private:
  bool is_native() const;
  std::span<std::byte> next_room(size_t bytes);

  const Encoding &encoding_;
  const int64_t element_bytes_;
  Libraries &libraries_;
  size_t room_ = 0;
};

}  // namespace sv::zarr
