#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_ZSTD
#include <zstd.h>

#include <new>

namespace sv {

namespace {

class Zstd final : public ByteCodec {
 public:
  explicit Zstd(int level)
      : level_(level), out_(ZSTD_createCCtx(), ZSTD_freeCCtx), in_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (out_ == nullptr || in_ == nullptr) throw std::bad_alloc();
  }

  std::string name() const override { return "zstd"; }
  size_t most_encoded(size_t bytes) const override { return ZSTD_compressBound(bytes); }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    const size_t bytes = ZSTD_compressCCtx(out_.get(), to.data(), to.size(), from.data(), from.size(), level_);
    if (ZSTD_isError(bytes) != 0)
      throw Error(Status::internal, std::string("zstd: ") + ZSTD_getErrorName(bytes), "Please report this");
    return bytes;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    if (ZSTD_decompressDCtx(in_.get(), to.data(), to.size(), from.data(), from.size()) != to.size())
      throw malformed_body(name());
  }

 private:
  int level_;
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> out_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> in_;
};

}  // namespace

std::unique_ptr<ByteCodec> zstd_codec(int level) { return std::make_unique<Zstd>(level); }

std::optional<int64_t> zstd_length(std::span<const std::byte> body) {
  const unsigned long long bytes = ZSTD_getFrameContentSize(body.data(), body.size());
  if (bytes == ZSTD_CONTENTSIZE_UNKNOWN) return std::nullopt;
  const bool is_one = bytes != ZSTD_CONTENTSIZE_ERROR && bytes <= static_cast<unsigned long long>(INT64_MAX);
  return is_one ? static_cast<int64_t>(bytes) : -1;
}

size_t zstd_content_bytes(std::span<const std::byte> frame) {
  const int64_t bytes = zstd_length(frame).value_or(-1);
  if (bytes < 0 || bytes > UINT32_MAX) throw malformed_body("zstd");  // HDF5's chunks are shorter
  return static_cast<size_t>(bytes);
}

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> zstd_codec(int) { return nullptr; }
size_t zstd_content_bytes(std::span<const std::byte>) {
  throw Error(Status::not_compiled, "the codec 'zstd' is not built in");
}
std::optional<int64_t> zstd_length(std::span<const std::byte>) { return std::nullopt; }
}  // namespace sv
#endif
