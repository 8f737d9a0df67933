#include "backend/zarr/shard.hpp"

#include <algorithm>
#include <array>

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

/// The sum is that of all, which is read once for it.
StoredIndex::StoredIndex(Object &file, const Array &array, StoreCounters &counters)
    : chunks_(array.chunks_in_file()), file_bytes_(file.size()), is_big_(array.index_is_big) {
  const int64_t bytes = chunks_ * place_bytes, with_sum = bytes + (array.index_has_sum ? index_sum_bytes : 0);
  if (with_sum > file_bytes_) damaged("it is shorter than its index");
  offset_bytes_ = array.index_first ? 0 : file_bytes_ - with_sum;
  if (!array.index_has_sum) return;
  uint32_t sum = 0;
  for (int64_t number = 0; number < chunks_;) {
    number += read_part(number, file, counters);
    sum = crc32c(part_, sum);
  }
  std::array<std::byte, index_sum_bytes> stored{};
  if (file.read(offset_bytes_ + bytes, stored, counters) < index_sum_bytes) damaged("it was cut");
  if (sum != number_at(stored.data(), index_sum_bytes, false)) damaged("the sum of its index is another one");
}

/// From this chunk on. Returns of how many chunks.
int64_t StoredIndex::read_part(int64_t number, Object &file, StoreCounters &counters) {
  constexpr int64_t most_chunks = 4096;
  const int64_t chunks = std::min(most_chunks, chunks_ - number);
  part_.resize(static_cast<size_t>(chunks * place_bytes));
  first_ = number;
  if (file.read(offset_bytes_ + number * place_bytes, part_, counters) < std::ssize(part_)) damaged("it was cut");
  return chunks;
}

std::optional<ChunkPlace> StoredIndex::find(int64_t number, Object &file, StoreCounters &counters) {
  if (number < first_ || number >= first_ + std::ssize(part_) / place_bytes) read_part(number, file, counters);
  const std::byte *const at = part_.data() + (number - first_) * place_bytes;
  const ChunkPlace place{number_at(at, 8, is_big_), number_at(at + 8, 8, is_big_)};
  if (place == ChunkPlace()) return std::nullopt;
  const auto most = static_cast<uint64_t>(file_bytes_);
  if (place.bytes > most || place.offset_bytes > most - place.bytes) damaged("a chunk stands behind its end");
  return place;
}

std::vector<std::byte> ShardIndex::encoded() const {
  std::vector<std::byte> text;
  text.reserve(places_.size() * place_bytes + index_sum_bytes);
  for (const ChunkPlace &each : places_) {
    append(text, each.offset_bytes, 8);
    append(text, each.bytes, 8);
  }
  append(text, crc32c(text), index_sum_bytes);
  return text;
}

std::vector<std::byte> body_at(Object &file, const ChunkPlace &place, StoreCounters &counters) {
  std::vector<std::byte> bytes(place.bytes);
  if (file.read(static_cast<int64_t>(place.offset_bytes), bytes, counters) < std::ssize(bytes))
    throw Error(Status::format, "'" + file.path() + "' was cut while it was read", "Restore it from a copy");
  return bytes;
}

}  // namespace sv::zarr
