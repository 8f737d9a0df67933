#include "backend/netcdf4/old_chunks.hpp"

namespace sv::netcdf4 {

std::vector<ChunkKey> OldChunks::of_records(std::span<const RecordCount> wanted, const PlainChunks &slabs) {
  std::vector<ChunkKey> keys;
  if (!are_known()) return keys;
  for (const auto &[v, records] : wanted) {
    const Storage &stored = storages_[static_cast<size_t>(v)];
    const bool has_records = schema_.variables[static_cast<size_t>(v)].has_records;
    if (stored.kind != Storage::Kind::filtered || !has_records) continue;
    Index first(stored.chunk.n, 0);
    first[0] = (records - 1) / stored.chunk[0] * stored.chunk[0];
    if (first[0] >= *records_ || !reported_.insert({v, first}).second) continue;
    const std::vector<ChunkKey> own = slabs.keys_of({v, records - 1});
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

std::vector<ChunkKey> OldChunks::of_fixed() {
  std::vector<ChunkKey> keys;
  for (int v = 0; v < std::ssize(schema_.variables); ++v) {
    if (schema_.variables[static_cast<size_t>(v)].has_records) continue;
    const std::vector<ChunkKey> own = of_variable(v);
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

std::vector<ChunkKey> OldChunks::of_variable(int v) {
  std::vector<ChunkKey> keys;
  if (!are_known()) return keys;
  const Storage &stored = storages_[static_cast<size_t>(v)];
  const Variable &of = schema_.variables[static_cast<size_t>(v)];
  const bool is_plain = stored.kind == Storage::Kind::plain && of.has_records;  // others have their places
  if (!(is_plain || stored.kind == Storage::Kind::filtered) || !reported_.insert({v, {}}).second) return keys;
  const Index length = length_of(schema_, of);
  Box cells = Box::whole(length);
  for (int d = 0; d < length.n; ++d) cells.count[d] = schema_.length_of(of.dims[static_cast<size_t>(d)]);
  if (of.has_records) cells.count[0] = *records_;
  for_chunks(cells, length, stored.chunk, [&](const ChunkOverlap &met) { keys.push_back({v, met.stored.start}); });
  return keys;
}

std::vector<ChunkPlace> known_places(Peers &peers, const std::vector<ChunkKey> &keys,
                                     const std::function<std::optional<ChunkPlace>(const ChunkKey &)> &find) {
  constexpr size_t numbers_each = 3;
  std::vector<int64_t> numbers;
  peers.together([&] {
    if (!peers.is_owner()) return;
    for (const ChunkKey &key : keys) {
      const ChunkPlace at = find(key).value_or(ChunkPlace{});
      numbers.insert(numbers.end(), {at.place, at.bytes, int64_t{at.mask}});
    }
  });
  peers.broadcast(numbers);
  std::vector<ChunkPlace> places;
  for (size_t at = 0; at < numbers.size(); at += numbers_each)
    places.push_back({numbers[at], numbers[at + 1], static_cast<uint32_t>(numbers[at + 2])});
  return places;
}

}  // namespace sv::netcdf4
