// Codecs: pure functions from bytes to bytes, which make the bodies of compressed chunks and read them back. The stores
// whose files have chunks use them; each is over a library that CMake has found, or over none. Nothing here is
// collective, and nothing knows of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sv {

/// Makes bodies of one kind, and reads them. It keeps its library's state and memory, so that each thread needs its
/// own.
class ByteCodec {
 public:
  virtual ~ByteCodec() = default;
  /// Of the library that does it: "isal", "libdeflate", "zlib", "zstd", "blosc".
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

/// The frame of a deflate stream (RFC 1951): zlib's header and sum (RFC 1950), or those of gzip (RFC 1952).
enum class DeflateForm { zlib, gzip };

/// Deflate streams, at `level` 1 to 9. `library`: one of deflaters(), or "auto": ISA-L up to level
/// 2, where it is several times as fast at nearly the same size, otherwise the next one. Error(not_compiled) for one
/// that is not built in; Error(config) for none at all that has this name.
std::unique_ptr<ByteCodec> make_deflate(const std::string &library, int level, DeflateForm form = DeflateForm::zlib);
/// The fastest built-in decoder of such streams, for any encoder. Error(not_compiled).
std::unique_ptr<ByteCodec> make_inflate(DeflateForm form = DeflateForm::zlib);
/// Frames of Zstandard (RFC 8878). Error(not_compiled).
std::unique_ptr<ByteCodec> make_zstd(int level);
/// Number of bytes in such a frame, according to its header. Error(format) if the header lacks it; Error(not_compiled).
size_t zstd_content_bytes(std::span<const std::byte> frame);
/// How many bytes the frame `body` says that it holds; nothing where it does not say.
std::optional<int64_t> zstd_length(std::span<const std::byte> body);
/// Buffers of Blosc (version 1). `inside`: its compressor, after its own shuffle of elements of so many bytes
/// (`shuffle` 0: none, 1: of bytes, 2: of bits). Error(not_compiled).
struct BloscRequest {
  std::string inside = "zstd";
  int level = 1, shuffle = 1;
  int64_t element_bytes = 1;
};
std::unique_ptr<ByteCodec> make_blosc(const BloscRequest &request);

// Defined in each library's source. nullptr if it is not built in.
std::unique_ptr<ByteCodec> isal_deflate(int level, DeflateForm form);
std::unique_ptr<ByteCodec> libdeflate_deflate(int level, DeflateForm form);
std::unique_ptr<ByteCodec> zlib_deflate(int level, DeflateForm form);
std::unique_ptr<ByteCodec> zstd_codec(int level);
std::unique_ptr<ByteCodec> blosc_codec(const BloscRequest &request);

}  // namespace sv
