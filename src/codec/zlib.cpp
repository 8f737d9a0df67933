#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_ZLIB
#include <zlib.h>

#include <algorithm>

namespace sv {

namespace {

/// Arguments of deflateInit2 and inflateInit2: the window, and with 16 more gzip's form.
constexpr int window_bits(DeflateForm form) { return form == DeflateForm::gzip ? 15 + 16 : 15; }

class Zlib final : public ByteCodec {
 public:
  Zlib(int level, DeflateForm form) : level_(level), form_(form) {}

  std::string name() const override { return "zlib"; }
  size_t most_encoded(size_t bytes) const override { return compressBound(bytes) + 12; }  // gzip's frame is longer

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    z_stream stream = over(from, to);
    int code = deflateInit2(&stream, level_, Z_DEFLATED, window_bits(form_), 8, Z_DEFAULT_STRATEGY);
    if (code == Z_OK) code = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    if (code != Z_STREAM_END)
      throw Error(Status::internal, "zlib cannot deflate (its code is " + std::to_string(code) + ")",
                  "Please report this");
    return stream.total_out;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    z_stream stream = over(from, to);
    int code = inflateInit2(&stream, window_bits(form_));
    if (code == Z_OK) code = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (code != Z_STREAM_END || stream.total_out != to.size()) throw malformed_body(name());
  }

 private:
  /// zlib's lengths have 32 bits; chunks are smaller.
  static z_stream over(std::span<const std::byte> from, std::span<std::byte> to) {
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(from.data()));  // it only reads
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef *>(to.data());
    stream.avail_out = static_cast<uInt>(std::min<size_t>(to.size(), UINT32_MAX));
    return stream;
  }

  int level_;
  DeflateForm form_;
};

}  // namespace

std::unique_ptr<ByteCodec> zlib_deflate(int level, DeflateForm form) { return std::make_unique<Zlib>(level, form); }

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> zlib_deflate(int, DeflateForm) { return nullptr; }
}  // namespace sv
#endif
