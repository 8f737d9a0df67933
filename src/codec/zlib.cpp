#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_ZLIB
#include <zlib.h>

namespace sv {

namespace {

class Zlib final : public ByteCodec {
 public:
  explicit Zlib(int level) : level_(level) {}

  std::string name() const override { return "zlib"; }
  size_t most_encoded(size_t bytes) const override { return compressBound(bytes); }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    uLongf bytes = to.size();
    const int code = compress2(reinterpret_cast<Bytef *>(to.data()), &bytes,
                               reinterpret_cast<const Bytef *>(from.data()), from.size(), level_);
    if (code != Z_OK)
      throw Error(Status::internal, "zlib cannot deflate (its code is " + std::to_string(code) + ")",
                  "Please report this");
    return bytes;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    uLongf bytes = to.size();
    if (uncompress(reinterpret_cast<Bytef *>(to.data()), &bytes, reinterpret_cast<const Bytef *>(from.data()),
                   from.size()) != Z_OK ||
        bytes != to.size())
      throw malformed_body(name());
  }

 private:
  int level_;
};

}  // namespace

std::unique_ptr<ByteCodec> zlib_deflate(int level) { return std::make_unique<Zlib>(level); }

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> zlib_deflate(int) { return nullptr; }
}  // namespace sv
#endif
