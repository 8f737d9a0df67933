#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_LIBDEFLATE
#include <libdeflate.h>

#include <new>

namespace sv {

namespace {

class Libdeflate final : public ByteCodec {
 public:
  explicit Libdeflate(int level)
      : out_(libdeflate_alloc_compressor(level), libdeflate_free_compressor),
        in_(libdeflate_alloc_decompressor(), libdeflate_free_decompressor) {
    if (out_ == nullptr || in_ == nullptr) throw std::bad_alloc();
  }

  std::string name() const override { return "libdeflate"; }
  size_t most_encoded(size_t bytes) const override { return libdeflate_zlib_compress_bound(out_.get(), bytes); }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    const size_t bytes = libdeflate_zlib_compress(out_.get(), from.data(), from.size(), to.data(), to.size());
    if (bytes == 0) throw Error(Status::internal, "libdeflate cannot deflate", "Set 'codec' to zlib");
    return bytes;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    if (libdeflate_zlib_decompress(in_.get(), from.data(), from.size(), to.data(), to.size(), nullptr) !=
        LIBDEFLATE_SUCCESS)
      throw malformed_body(name());
  }

 private:
  std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> out_;
  std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> in_;
};

}  // namespace

std::unique_ptr<ByteCodec> libdeflate_deflate(int level) { return std::make_unique<Libdeflate>(level); }

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> libdeflate_deflate(int) { return nullptr; }
}  // namespace sv
#endif
