#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_LIBDEFLATE
#include <libdeflate.h>

#include <new>

namespace sv {

namespace {

class Libdeflate final : public ByteCodec {
 public:
  Libdeflate(int level, DeflateForm form)
      : is_gzip_(form == DeflateForm::gzip),
        out_(libdeflate_alloc_compressor(level), libdeflate_free_compressor),
        in_(libdeflate_alloc_decompressor(), libdeflate_free_decompressor) {
    if (out_ == nullptr || in_ == nullptr) throw std::bad_alloc();
  }

  std::string name() const override { return "libdeflate"; }
  size_t most_encoded(size_t bytes) const override {
    return is_gzip_ ? libdeflate_gzip_compress_bound(out_.get(), bytes)
                    : libdeflate_zlib_compress_bound(out_.get(), bytes);
  }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    const auto compress = is_gzip_ ? libdeflate_gzip_compress : libdeflate_zlib_compress;
    const size_t bytes = compress(out_.get(), from.data(), from.size(), to.data(), to.size());
    if (bytes == 0) throw Error(Status::internal, "libdeflate cannot deflate", "Set 'testing.deflate_library' to zlib");
    return bytes;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    const auto decompress = is_gzip_ ? libdeflate_gzip_decompress : libdeflate_zlib_decompress;
    if (decompress(in_.get(), from.data(), from.size(), to.data(), to.size(), nullptr) != LIBDEFLATE_SUCCESS)
      throw malformed_body(name());
  }

 private:
  bool is_gzip_;
  std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> out_;
  std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> in_;
};

}  // namespace

std::unique_ptr<ByteCodec> libdeflate_deflate(int level, DeflateForm form) {
  return std::make_unique<Libdeflate>(level, form);
}

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> libdeflate_deflate(int, DeflateForm) { return nullptr; }
}  // namespace sv
#endif
