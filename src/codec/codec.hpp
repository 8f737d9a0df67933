// Codecs: pure functions from bytes to bytes, which make the bodies of compressed chunks and read them back. The stores
// whose files have chunks use them; each is over a library that CMake has found, or over none. Nothing here is
// collective, and nothing knows of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sv {

/// Makes bodies of one kind, and reads them. It keeps its library's state and memory, so that each thread needs its
/// own.
class ByteCodec {
 public:
  virtual ~ByteCodec() = default;
  /// Of the library that does it: "isal", "libdeflate", "zlib", "zstd".
  virtual std::string name() const = 0;
  /// How many bytes encode may write of so many.
  virtual size_t most_encoded(size_t bytes) const = 0;
  /// Returns how many bytes it has written. `to` has room for most_encoded.
  virtual size_t encode(std::span<const std::byte> from, std::span<std::byte> to) = 0;
  /// Fills `to`, whose length the caller knows. Error(format) where `from` is malformed or has another length.
  virtual void decode(std::span<const std::byte> from, std::span<std::byte> to) = 0;
};

/// The libraries that are built in and make deflate streams, best first.
std::vector<std::string> deflaters();

/// Streams of zlib's format (RFC 1950), at `level` 1 to 9. `library`: one of deflaters(), or "auto": ISA-L up to level
/// 2, where it is several times as fast at nearly the same size, otherwise the next one. Error(not_compiled) for one
/// that is not built in; Error(config) for none at all that has this name.
std::unique_ptr<ByteCodec> make_deflate(const std::string &library, int level);
/// The one that reads such streams fastest, whoever has made them. Error(not_compiled).
std::unique_ptr<ByteCodec> make_inflate();
/// Frames of Zstandard (RFC 8878). Error(not_compiled).
std::unique_ptr<ByteCodec> make_zstd(int level);
/// How many bytes are in such a frame, as it tells itself. Error(format) where it does not; Error(not_compiled).
size_t zstd_content_bytes(std::span<const std::byte> frame);

// What each library's source defines. nullptr where it is not built in.
std::unique_ptr<ByteCodec> isal_deflate(int level);
std::unique_ptr<ByteCodec> libdeflate_deflate(int level);
std::unique_ptr<ByteCodec> zlib_deflate(int level);
std::unique_ptr<ByteCodec> zstd_codec(int level);

}  // namespace sv
