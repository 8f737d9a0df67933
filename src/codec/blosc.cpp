#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_BLOSC
#include <blosc.h>

#include <algorithm>

namespace sv {

namespace {

class Blosc final : public ByteCodec {
 public:
  explicit Blosc(BloscRequest request) : request_(std::move(request)) {}

  std::string name() const override { return "blosc"; }
  size_t most_encoded(size_t bytes) const override { return bytes + BLOSC_MAX_OVERHEAD; }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    const auto element = static_cast<size_t>(std::clamp<int64_t>(request_.element_bytes, 1, BLOSC_MAX_TYPESIZE));
    const int bytes = blosc_compress_ctx(request_.level, request_.shuffle, element, from.size(), from.data(), to.data(),
                                         to.size(), request_.inside.c_str(), 0, 1);
    if (bytes <= 0)
      throw Error(Status::limit,
                  "blosc cannot compress " + std::to_string(from.size()) + " bytes with '" + request_.inside + "'",
                  "Choose smaller chunks (below 2 GiB), or another codec");
    return static_cast<size_t>(bytes);
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    size_t bytes = 0;
    if (blosc_cbuffer_validate(from.data(), from.size(), &bytes) != 0 || bytes != to.size() ||
        blosc_decompress_ctx(from.data(), to.data(), to.size(), 1) != static_cast<int>(to.size()))
      throw malformed_body(name());
  }

 private:
  const BloscRequest request_;
};

}  // namespace

std::unique_ptr<ByteCodec> blosc_codec(const BloscRequest &request) { return std::make_unique<Blosc>(request); }

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> blosc_codec(const BloscRequest &) { return nullptr; }
}  // namespace sv
#endif
