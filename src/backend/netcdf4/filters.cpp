#include "backend/netcdf4/filters.hpp"

#include <algorithm>
#include <cstring>

#include "backend/netcdf4/filter_plug_in.hpp"
#include "codec/body_error.hpp"
#include "codec/shuffle.hpp"

namespace sv::netcdf4 {

namespace {

constexpr size_t sum_bytes = sizeof(uint32_t);

std::span<std::byte> room_for(std::vector<std::byte> &room, size_t bytes) {
  if (room.size() < bytes) room.resize(bytes);
  return std::span(room).first(bytes);
}

bool compresses(FilterKind kind) { return kind == FilterKind::deflate || kind == FilterKind::zstd; }

/// The largest number of bytes that a filter makes of `bytes`.
size_t most_passed(const Filter &filter, size_t bytes, Codecs &codecs) {
  if (compresses(filter.kind)) return codecs.compressor(filter).most_encoded(bytes);
  return filter.kind == FilterKind::fletcher32 ? bytes + sum_bytes : bytes;
}

size_t pass(const Filter &filter, int element_bytes, Codecs &codecs, const Passage &passage) {
  const auto &[from, to] = passage;
  if (compresses(filter.kind)) return codecs.compressor(filter).encode(from, to);
  if (filter.kind == FilterKind::shuffle) {
    shuffle_bytes(from, to.first(from.size()), element_bytes);
    return from.size();
  }
  const uint32_t sum = fletcher32(from);
  std::copy(from.begin(), from.end(), to.begin());
  std::memcpy(to.data() + from.size(), &sum, sum_bytes);
  return from.size() + sum_bytes;
}

void pass_back(const Filter &filter, int element_bytes, Codecs &codecs, const Passage &passage) {
  const auto &[from, to] = passage;
  if (is_plug_in(filter.kind)) {
    if (decode_by_plug_in(filter, from, to) != to.size()) throw malformed_body("a filter of HDF5");
    return;
  }
  if (compresses(filter.kind)) return codecs.decompressor(filter.kind).decode(from, to);
  if (filter.kind == FilterKind::shuffle) {
    if (from.size() != to.size()) throw malformed_body("HDF5's shuffle");
    return unshuffle_bytes(from, to, element_bytes);
  }
  uint32_t sum = 0;
  if (from.size() != to.size() + sum_bytes) throw malformed_body("HDF5's Fletcher32");
  std::memcpy(&sum, from.data() + to.size(), sum_bytes);
  std::copy_n(from.begin(), to.size(), to.begin());
  if (fletcher32(to) != sum) throw malformed_body("HDF5's Fletcher32");
}

/// Those whose bits are not set in `mask`.
std::vector<size_t> used_filters(const std::vector<Filter> &filters, uint32_t mask) {
  std::vector<size_t> used;
  for (size_t f = 0; f < filters.size(); ++f)
    if ((mask >> f & 1U) == 0) used.push_back(f);
  return used;
}

}  // namespace

ByteCodec &Codecs::compressor(const Filter &filter) {
  auto &made = compressors_[{filter.kind, filter.level}];
  if (made == nullptr)
    made = filter.kind == FilterKind::zstd ? make_zstd(filter.level)
                                           : make_deflate(library_, std::clamp(filter.level, 1, 9));
  return *made;
}

ByteCodec &Codecs::decompressor(FilterKind kind) {
  auto &made = decompressors_[kind];
  if (made == nullptr) made = kind == FilterKind::zstd ? make_zstd(1) : make_inflate();
  return *made;
}

size_t most_encoded(const std::vector<Filter> &filters, size_t bytes, Codecs &codecs) {
  size_t most = bytes;
  for (const Filter &filter : filters) most = most_passed(filter, most, codecs);
  return most;
}

size_t encode(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs, const Passage &passage,
              uint32_t mask) {
  const std::vector<size_t> used = used_filters(filters, mask);
  std::span<const std::byte> from = passage.from;
  size_t room = 0;
  for (const size_t f : used) {
    const std::span<std::byte> to =
        f == used.back() ? passage.to : room_for(codecs.rooms[room], most_passed(filters[f], from.size(), codecs));
    from = to.first(pass(filters[f], static_cast<int>(element_bytes), codecs, {from, to}));
    room = 1 - room;
  }
  if (used.empty()) std::copy(from.begin(), from.end(), passage.to.begin());
  return from.size();
}

/// Each filter keeps the length, except the checksum and a compressor that is applied last. So the length before each
/// filter is known in reading.
void decode(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs, const StoredBody &body,
            std::span<std::byte> values) {
  std::span<const std::byte> from = body.bytes;
  const std::vector<size_t> used = used_filters(filters, body.mask);
  if (used.empty()) {
    if (from.size() != values.size()) throw malformed_body("HDF5");
    std::copy(from.begin(), from.end(), values.begin());
    return;
  }
  size_t room = 0, sums = 0;
  for (const size_t f : used)
    if (filters[f].kind == FilterKind::fletcher32) ++sums;
  for (size_t i = used.size(); i-- > 0;) {
    const Filter &filter = filters[used[i]];
    if (filter.kind == FilterKind::fletcher32) --sums;
    // A checksum of compressed bytes: their length follows only from its own.
    const bool compressed_before =
        std::any_of(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](size_t g) { return compresses(filters[g].kind) || is_plug_in(filters[g].kind); });
    const size_t bytes = !compressed_before                      ? values.size() + sums * sum_bytes
                         : filter.kind == FilterKind::fletcher32 ? from.size() - std::min(from.size(), sum_bytes)
                                                                 : from.size();
    const std::span<std::byte> to = i == 0 ? values : room_for(codecs.rooms[room], bytes);
    pass_back(filter, static_cast<int>(element_bytes), codecs, {from, to});
    from = to;
    room = 1 - room;
  }
}

}  // namespace sv::netcdf4
