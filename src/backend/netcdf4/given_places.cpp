#include "backend/netcdf4/given_places.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/fill.hpp"

namespace sv::netcdf4 {

void GivenPlaces::to_contiguous() {
  for (const int v : index_.place_contiguous())
    fill(v, index_.storages()[static_cast<size_t>(v)].place,
         schema_.slab_elements(schema_.variables[static_cast<size_t>(v)]));
}

int64_t GivenPlaces::to_chunk(const ChunkKey &key, int64_t bytes) {
  try {
    return placed(key, bytes);
  } catch (Error &error) {
    throw error.in_variable(schema_.variables[static_cast<size_t>(key.variable)].name).in_file(values_.file().path());
  }
}

int64_t GivenPlaces::placed(const ChunkKey &key, int64_t bytes) {
  const Variable &variable = schema_.variables[static_cast<size_t>(key.variable)];
  const bool may_be_there = variable.has_records || was_there_;
  if (const auto known = may_be_there ? find_old(key) : std::nullopt) return known->place;
  const int64_t at = index_.place(key.variable, key.cell, bytes);
  if (variable.has_records ? key.cell[0] < records_ : was_there_)
    fill(key.variable, at, bytes / size_of(variable.type));
  return at;
}

std::optional<ChunkPlace> GivenPlaces::find_old(const ChunkKey &key) {
  const auto known = index_.find_flushed(key.variable, key.cell);
  if (known) old_.insert(key);
  return known;
}

/// A rewritten chunk gets another place. Its old place stays free before the commit: until then the old file must be
/// whole. HDF5 would reuse the space that it has just freed, unless it is too small. Space that was requested only
/// because of that is given back, since readers take all of a chunk's space for its body. Without filters, all bodies
/// of a chunk have one length, and HDF5 leaves the chunk in place.
int64_t GivenPlaces::to_body(const Wanted &wanted, bool is_read) {
  const auto &[key, bytes, mask] = wanted;
  const bool has_filters = !index_.storages()[static_cast<size_t>(key.variable)].filters.empty();
  if (!is_read || !has_filters) return index_.place(key.variable, key.cell, bytes, mask);
  if (std::exchange(has_freed_, false)) index_.forget_free();
  const bool is_new = new_.insert(key).second;
  const auto before = is_new ? index_.find_flushed(key.variable, key.cell) : std::nullopt;
  has_freed_ = before.has_value();
  if (!before || bytes > before->bytes) return index_.place(key.variable, key.cell, bytes, mask);
  index_.place(key.variable, key.cell, before->bytes + 1);
  index_.forget_free();
  has_freed_ = false;
  return index_.place(key.variable, key.cell, bytes, mask);
}

void GivenPlaces::fill(int v, int64_t place, int64_t elements) {
  constexpr int64_t most_at_once = int64_t{1} << 17;
  const Variable &variable = schema_.variables[static_cast<size_t>(v)];
  const int64_t bytes = size_of(variable.type), at_once = std::min(elements, most_at_once);
  std::vector<std::byte> filling(static_cast<size_t>(at_once * bytes));
  fill_elements(filling.data(), at_once, schema_.fill_value(variable).data(), bytes);
  for (int64_t done = 0; done < elements; done += at_once) {
    const auto length = static_cast<size_t>(std::min(at_once, elements - done) * bytes);
    values_.file().write(place + done * bytes, std::span<const std::byte>(filling).first(length), values_.counters);
  }
}

}  // namespace sv::netcdf4
