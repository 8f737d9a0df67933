#include "codec/body_error.hpp"
#include "codec/codec.hpp"

#ifdef SV_HAVE_ISAL
#include <isa-l/igzip_lib.h>

#include <algorithm>

namespace sv {

namespace {

class IsalDeflate final : public ByteCodec {
 public:
  IsalDeflate(int level, DeflateForm form)
      : level_(std::clamp(level, 1, 3)),
        is_gzip_(form == DeflateForm::gzip),
        room_(static_cast<size_t>(room_of(level_))) {}

  std::string name() const override { return "isal"; }
  /// What does not shrink goes into stored blocks of at most 65535 bytes.
  size_t most_encoded(size_t bytes) const override { return bytes + 5 * (bytes / 65535 + 2) + 64; }

  size_t encode(std::span<const std::byte> from, std::span<std::byte> to) override {
    isal_deflate_stateless_init(&stream_);
    stream_.level = static_cast<uint32_t>(level_);
    stream_.level_buf = room_.data();
    stream_.level_buf_size = static_cast<uint32_t>(room_.size());
    stream_.gzip_flag = is_gzip_ ? IGZIP_GZIP : IGZIP_ZLIB;
    stream_.end_of_stream = 1;
    stream_.flush = NO_FLUSH;
    stream_.next_in = reinterpret_cast<uint8_t *>(const_cast<std::byte *>(from.data()));  // it only reads
    stream_.avail_in = static_cast<uint32_t>(from.size());
    stream_.next_out = reinterpret_cast<uint8_t *>(to.data());
    stream_.avail_out = static_cast<uint32_t>(std::min<size_t>(to.size(), UINT32_MAX));
    const int code = isal_deflate_stateless(&stream_);
    if (code != COMP_OK)
      throw Error(Status::internal, "ISA-L cannot deflate (its code is " + std::to_string(code) + ")",
                  "Set 'testing.deflate_library' to libdeflate or zlib");
    return stream_.total_out;
  }

  void decode(std::span<const std::byte> from, std::span<std::byte> to) override {
    isal_inflate_init(&back_);
    back_.crc_flag = is_gzip_ ? ISAL_GZIP : ISAL_ZLIB;
    back_.next_in = reinterpret_cast<uint8_t *>(const_cast<std::byte *>(from.data()));
    back_.avail_in = static_cast<uint32_t>(from.size());
    back_.next_out = reinterpret_cast<uint8_t *>(to.data());
    back_.avail_out = static_cast<uint32_t>(to.size());
    if (isal_inflate_stateless(&back_) != ISAL_DECOMP_OK || back_.total_out != to.size()) throw malformed_body(name());
  }

 private:
  static int room_of(int level) {
    return level == 1 ? ISAL_DEF_LVL1_DEFAULT : level == 2 ? ISAL_DEF_LVL2_DEFAULT : ISAL_DEF_LVL3_DEFAULT;
  }

  int level_;
  bool is_gzip_;
  std::vector<uint8_t> room_;
  isal_zstream stream_{};
  inflate_state back_{};
};

}  // namespace

std::unique_ptr<ByteCodec> isal_deflate(int level, DeflateForm form) {
  return std::make_unique<IsalDeflate>(level, form);
}

}  // namespace sv
#else
namespace sv {
std::unique_ptr<ByteCodec> isal_deflate(int, DeflateForm) { return nullptr; }
}  // namespace sv
#endif
