#include "backend/netcdf4/filters.hpp"

#include <algorithm>
#include <cstring>

#include "codec/body_error.hpp"
#include "codec/shuffle.hpp"

namespace sv::netcdf4 {

namespace {

constexpr size_t sum_bytes = sizeof(uint32_t);

std::span<std::byte> room_for(std::vector<std::byte> &room, size_t bytes) {
  if (room.size() < bytes) room.resize(bytes);
  return std::span(room).first(bytes);
}

}  // namespace

ByteCodec &Codecs::deflate(int level) {
  auto &made = deflates_[level];
  if (made == nullptr) made = make_deflate(library_, level);
  return *made;
}

ByteCodec &Codecs::inflate() {
  if (inflate_ == nullptr) inflate_ = make_inflate();
  return *inflate_;
}

Filters::Filters(const std::vector<Filter> &filters, int64_t element_bytes, Codecs &codecs)
    : filters_(filters), element_bytes_(static_cast<int>(element_bytes)), codecs_(codecs) {
  for (const Filter &each : filters_)
    if (each.kind == FilterKind::deflate) deflate_ = &codecs_.deflate(std::clamp(each.level, 1, 9));
}

std::span<const std::byte> Filters::pass(const Filter &filter, std::span<const std::byte> from,
                                         std::vector<std::byte> &room) {
  switch (filter.kind) {
    case FilterKind::shuffle: {
      const auto to = room_for(room, from.size());
      shuffle_bytes(from, to, element_bytes_);
      return to;
    }
    case FilterKind::fletcher32: {
      const auto to = room_for(room, from.size() + sum_bytes);
      const uint32_t sum = fletcher32(from);
      std::copy(from.begin(), from.end(), to.begin());
      std::memcpy(to.data() + from.size(), &sum, sum_bytes);
      return to;
    }
    case FilterKind::deflate:
      break;
  }
  const auto to = room_for(room, deflate_->most_encoded(from.size()));
  return to.first(deflate_->encode(from, to));
}

/// HDF5 leaves a filter out where it makes a chunk larger, and says so in the index. But parallel HDF5 (1.10) does not
/// look there when it reads together: so none is left out here.
std::span<const std::byte> Filters::encode(std::span<const std::byte> values) {
  size_t room = 0;
  for (const Filter &filter : filters_) {
    values = pass(filter, values, codecs_.rooms[room]);
    room = 1 - room;
  }
  return values;
}

void Filters::pass_back(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to) {
  switch (filter.kind) {
    case FilterKind::shuffle:
      if (from.size() != to.size()) throw malformed_body("HDF5's shuffle");
      return unshuffle_bytes(from, to, element_bytes_);
    case FilterKind::deflate:
      return codecs_.inflate().decode(from, to);
    case FilterKind::fletcher32:
      break;
  }
  uint32_t sum = 0;
  if (from.size() != to.size() + sum_bytes) throw malformed_body("HDF5's Fletcher32");
  std::memcpy(&sum, from.data() + to.size(), sum_bytes);
  std::copy_n(from.begin(), to.size(), to.begin());
  if (fletcher32(to) != sum) throw malformed_body("HDF5's Fletcher32");
}

/// Each filter but the checksum, and deflate where it comes last in making, leaves the length as it is: so what goes
/// into each in reading is known.
void Filters::decode(std::span<const std::byte> body, uint32_t mask, std::span<std::byte> values) {
  std::vector<size_t> used;
  for (size_t f = 0; f < filters_.size(); ++f)
    if ((mask >> f & 1U) == 0) used.push_back(f);
  if (used.empty()) {
    if (body.size() != values.size()) throw malformed_body("HDF5");
    std::copy(body.begin(), body.end(), values.begin());
    return;
  }
  size_t room = 0, sums = 0;
  for (const size_t f : used)
    if (filters_[f].kind == FilterKind::fletcher32) ++sums;
  for (size_t i = used.size(); i-- > 0;) {
    const Filter &filter = filters_[used[i]];
    if (filter.kind == FilterKind::fletcher32) --sums;
    // A checksum of what deflate has made: only its own length tells that one's.
    const bool deflated_before = std::any_of(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(i),
                                             [&](size_t f) { return filters_[f].kind == FilterKind::deflate; });
    const size_t bytes = !deflated_before                        ? values.size() + sums * sum_bytes
                         : filter.kind == FilterKind::fletcher32 ? body.size() - std::min(body.size(), sum_bytes)
                                                                 : body.size();
    const std::span<std::byte> to = i == 0 ? values : room_for(codecs_.rooms[room], bytes);
    pass_back(filter, body, to);
    body = to;
    room = 1 - room;
  }
}

}  // namespace sv::netcdf4
