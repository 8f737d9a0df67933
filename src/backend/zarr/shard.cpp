#include "backend/zarr/shard.hpp"

#include "base/error.hpp"
#include "codec/crc32c.hpp"

namespace sv::zarr {

namespace {

constexpr int64_t place_bytes = 16, index_sum_bytes = 4;

[[noreturn]] void damaged(const std::string &cause) {
  throw Error(Status::format, "a shard is damaged: " + cause, "Restore the file from a copy");
}

uint64_t number_at(const std::byte *bytes, int width, bool is_big) {
  uint64_t value = 0;
  for (int i = 0; i < width; ++i) value = value << 8U | static_cast<uint64_t>(bytes[is_big ? i : width - 1 - i]);
  return value;
}

void append(std::vector<std::byte> &bytes, uint64_t value, int width) {
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i) & 0xFFU));
}

}  // namespace

ShardIndex ShardIndex::read(PositionalFile &file, const Array &array, StoreCounters &counters) {
  const int64_t chunks = array.chunks_in_file(), file_bytes = file.size();
  const int64_t bytes = chunks * place_bytes + (array.index_has_sum ? index_sum_bytes : 0);
  if (bytes > file_bytes) damaged("it is shorter than its index");
  std::vector<std::byte> text(static_cast<size_t>(bytes));
  if (file.read(array.index_first ? 0 : file_bytes - bytes, text, counters) < bytes) damaged("it was cut");
  const auto places = std::span(text).first(static_cast<size_t>(chunks * place_bytes));
  if (array.index_has_sum && crc32c(places) != number_at(text.data() + places.size(), index_sum_bytes, false))
    damaged("the sum of its index is another one");
  ShardIndex index(chunks);
  for (int64_t number = 0; number < chunks; ++number) {
    const std::byte *const at = text.data() + number * place_bytes;
    index.set(number, {number_at(at, 8, array.index_is_big), number_at(at + 8, 8, array.index_is_big)});
  }
  return index;
}

std::vector<std::byte> ShardIndex::encoded() const {
  std::vector<std::byte> text;
  text.reserve(places_.size() * place_bytes + index_sum_bytes);
  for (const Place &each : places_) {
    append(text, each.offset_bytes, 8);
    append(text, each.bytes, 8);
  }
  append(text, crc32c(text), index_sum_bytes);
  return text;
}

std::optional<ShardIndex::Place> ShardIndex::find(int64_t number, int64_t file_bytes) const {
  const Place place = places_[static_cast<size_t>(number)];
  if (place == Place()) return std::nullopt;
  const auto most = static_cast<uint64_t>(file_bytes);
  if (place.bytes > most || place.offset_bytes > most - place.bytes) damaged("a chunk stands behind its end");
  return place;
}

std::vector<std::byte> body_at(PositionalFile &file, const ShardIndex::Place &place, StoreCounters &counters) {
  std::vector<std::byte> bytes(place.bytes);
  if (file.read(static_cast<int64_t>(place.offset_bytes), bytes, counters) < std::ssize(bytes))
    throw Error(Status::format, "'" + file.path() + "' was cut while it was read", "Restore it from a copy");
  return bytes;
}

}  // namespace sv::zarr
