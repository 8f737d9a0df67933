#include "backend/zarr/chain.hpp"

#include <algorithm>
#include <bit>

#include "base/swap.hpp"
#include "codec/body_error.hpp"
#include "codec/crc32c.hpp"

namespace sv::zarr {

namespace {

constexpr size_t sum_bytes = sizeof(uint32_t);

/// How many times longer than its body what it holds can be: the formats allow no more.
int64_t most_ratio(ByteStep::Kind kind) {
  switch (kind) {
    case ByteStep::Kind::gzip:
      return 1032;  // 258 bytes in two bits
    case ByteStep::Kind::zstd:
      return 64 << 10;  // blocks of 128 KiB, of at least three bytes
    case ByteStep::Kind::blosc:
      return 64 << 10;
    case ByteStep::Kind::crc32c:
      break;
  }
  return 1;
}

uint32_t little(const std::byte *bytes) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8U | static_cast<uint32_t>(bytes[i]);
  return value;
}

/// How many bytes a compressor's body says that it holds; -1 where it does not say.
int64_t stated_length(const ByteStep &step, std::span<const std::byte> body) {
  if (step.kind == ByteStep::Kind::zstd) return zstd_length(body).value_or(-1);
  if (body.size() <= 8) return -1;
  return little(body.data() + (step.kind == ByteStep::Kind::gzip ? body.size() - 4 : 4));
}

}  // namespace

ByteCodec &Libraries::encoder(const ByteStep &step) {
  const std::string key = std::to_string(static_cast<int>(step.kind)) + "," + std::to_string(step.level) + "," +
                          step.inside + "," + std::to_string(step.shuffle) + "," + std::to_string(step.element_bytes);
  auto &made = known_[key];
  if (made != nullptr) return *made;
  if (step.kind == ByteStep::Kind::gzip)
    made = make_deflate(deflater_, step.level, DeflateForm::gzip);
  else if (step.kind == ByteStep::Kind::zstd)
    made = make_zstd(step.level);
  else
    made = make_blosc({step.inside, step.level, step.shuffle, step.element_bytes});
  return *made;
}

ByteCodec &Libraries::decoder(const ByteStep &step) {
  if (step.kind != ByteStep::Kind::gzip) return encoder({.kind = step.kind});
  auto &made = known_["inflate"];
  if (made == nullptr) made = make_inflate(DeflateForm::gzip);
  return *made;
}

bool Chain::is_plain() const { return encoding_.steps.empty() && is_native(); }

bool Chain::is_native() const {
  return element_bytes_ == 1 || encoding_.is_big_endian == (std::endian::native == std::endian::big);
}

std::span<std::byte> Chain::next_room(size_t bytes) {
  std::vector<std::byte> &room = libraries_.rooms[room_];
  room_ = 1 - room_;
  if (room.size() < bytes) room.resize(bytes);
  return std::span(room).first(bytes);
}

std::span<const std::byte> Chain::encode(std::span<const std::byte> values) {
  if (!is_native()) {
    const auto to = next_room(values.size());
    swap_copy(values.data(), to.data(), std::ssize(values) / element_bytes_, element_bytes_);
    values = to;
  }
  for (const ByteStep &step : encoding_.steps) {
    if (step.kind == ByteStep::Kind::crc32c) {
      const auto to = next_room(values.size() + sum_bytes);
      const uint32_t sum = crc32c(values);
      std::copy(values.begin(), values.end(), to.begin());
      for (size_t i = 0; i < sum_bytes; ++i) to[values.size() + i] = static_cast<std::byte>(sum >> (8 * i) & 0xFFU);
      values = to;
      continue;
    }
    ByteCodec &codec = libraries_.encoder(step);
    const auto to = next_room(codec.most_encoded(values.size()));
    values = to.first(codec.encode(values, to));
  }
  return values;
}

void Chain::check_body(int64_t body_bytes, int64_t bytes) const {
  int64_t most = body_bytes, longest = bytes;
  for (const ByteStep &step : encoding_.steps) {
    const int64_t ratio = most_ratio(step.kind);
    most = most > (int64_t{1} << 40) / ratio ? int64_t{1} << 40 : most * ratio;
    longest += longest / 8 + 4096;
  }
  if (bytes > most + 4096 || body_bytes > longest || (encoding_.steps.empty() && body_bytes != bytes))
    throw malformed_body("its array's codecs");
}

/// A frame contains its length if one compressor made it.
void Chain::check_length(std::span<const std::byte> body, int64_t bytes) const {
  check_body(std::ssize(body), bytes);
  if (encoding_.steps.size() != 1) return;
  if (encoding_.steps.front().kind == ByteStep::Kind::gzip && body.size() > 4 &&
      little(body.data() + body.size() - 4) != static_cast<uint32_t>(bytes))
    throw malformed_body("gzip");
  if (encoding_.steps.front().kind == ByteStep::Kind::blosc && body.size() > 8 &&
      little(body.data() + 4) != static_cast<uint32_t>(bytes))
    throw malformed_body("blosc");
  if (encoding_.steps.front().kind == ByteStep::Kind::zstd) {
    const auto stated = zstd_length(body);
    if (stated && *stated != bytes) throw malformed_body("zstd");
  }
}

/// Only its own frame states the length of a compressor's output, unless all other codecs are
/// checksums.
void Chain::decode(std::span<const std::byte> body, std::span<std::byte> values) {
  size_t inner_sums = 0, compressors = 0;  // of steps that are still to be undone
  for (const ByteStep &step : encoding_.steps) step.kind == ByteStep::Kind::crc32c ? ++inner_sums : ++compressors;
  if (compressors > 1) throw Error(Status::format, "a chunk is compressed twice", "Write it anew with one codec");
  for (size_t i = encoding_.steps.size(); i-- > 0;) {
    const ByteStep &step = encoding_.steps[i];
    if (step.kind == ByteStep::Kind::crc32c) {
      --inner_sums;
      if (body.size() < sum_bytes ||
          crc32c(body.first(body.size() - sum_bytes)) != little(&body[body.size() - sum_bytes]))
        throw malformed_body("crc32c");
      body = body.first(body.size() - sum_bytes);
      continue;
    }
    const auto to = i == 0 && is_native() ? values : next_room(values.size() + inner_sums * sum_bytes);
    libraries_.decoder(step).decode(body, to);
    body = to;
  }
  if (body.size() != values.size()) throw malformed_body("its array's codecs");
  if (!is_native())
    swap_copy(body.data(), values.data(), std::ssize(values) / element_bytes_, element_bytes_);
  else if (body.data() != values.data())
    std::copy(body.begin(), body.end(), values.begin());
}

std::vector<std::byte> Chain::decode(std::span<const std::byte> body, int64_t most_bytes) {
  std::vector<std::byte> made(body.begin(), body.end());
  for (size_t i = encoding_.steps.size(); i-- > 0;) {
    const ByteStep &step = encoding_.steps[i];
    if (step.kind == ByteStep::Kind::crc32c) {
      if (made.size() < sum_bytes) throw malformed_body("crc32c");
      const auto rest = std::span<const std::byte>(made).first(made.size() - sum_bytes);
      if (crc32c(rest) != little(made.data() + rest.size())) throw malformed_body("crc32c");
      made.resize(rest.size());
      continue;
    }
    const int64_t length = stated_length(step, made);
    if (length < 0 || length > most_bytes) throw malformed_body("its array's codecs");
    std::vector<std::byte> inside(static_cast<size_t>(length));
    libraries_.decoder(step).decode(made, inside);
    made = std::move(inside);
  }
  return made;
}

std::string Chain::compressor() const {
  for (const ByteStep &step : encoding_.steps) {
    if (step.kind == ByteStep::Kind::gzip) return "gzip by " + libraries_.encoder(step).name();
    if (step.kind != ByteStep::Kind::crc32c) return libraries_.encoder(step).name();
  }
  return "";
}

}  // namespace sv::zarr
