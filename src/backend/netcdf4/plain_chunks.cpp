#include "backend/netcdf4/plain_chunks.hpp"

#include <algorithm>
#include <utility>

namespace sv::netcdf4 {

void leave_out_quantized(std::vector<Storage> &storages, const Schema &schema, const ChunkRequest &request) {
  for (size_t v = 0; v < storages.size(); ++v)
    if (storages[v].kind == Storage::Kind::plain && quantization_of(schema, schema.variables[v], request).amount > 0)
      storages[v].kind = Storage::Kind::filtered;
}

std::vector<PlainChunks::Slab> PlainChunks::fixed(int first) const {
  std::vector<Slab> slabs;
  for (int v = first; v < std::ssize(storages_); ++v)
    if (is_plain(v) && !variable(v).has_records) slabs.push_back({v, -1});
  return slabs;
}

std::vector<PlainChunks::Slab> PlainChunks::next(const std::vector<Slab> &wanted, bool whole_record) {
  begin();
  std::vector<Slab> slabs;
  for (const Slab &each : wanted) {
    if (!is_plain(each.variable) || !variable(each.variable).has_records) continue;
    Known &known = known_[static_cast<size_t>(each.variable)];
    if (known.wanted.insert(each.record).second && known.placed.count(each.record) == 0) slabs.push_back(each);
    known.last = each.record;
  }
  if (slabs.empty()) return slabs;
  const int64_t record = slabs.back().record;
  for (int v = 0; v < std::ssize(storages_); ++v) {
    const Known &known = known_[static_cast<size_t>(v)];
    const bool is_likely = whole_record ? known.wanted.count(record) == 0 : known.last == record - 1;
    if (is_plain(v) && variable(v).has_records && is_likely && known.placed.count(record) == 0)
      slabs.push_back({v, record});
  }
  return slabs;
}

void PlainChunks::have_places(const std::vector<Slab> &slabs) {
  for (const Slab &each : slabs) known_[static_cast<size_t>(each.variable)].placed.insert(each.record);
}

std::vector<PlainChunks::Slab> PlainChunks::unwanted(int64_t records) {
  begin();
  const int64_t before = std::exchange(counted_, records);
  std::vector<Slab> slabs;
  for (int v = 0; v < std::ssize(storages_); ++v) {
    if (!is_plain(v) || !variable(v).has_records) continue;
    Known &known = known_[static_cast<size_t>(v)];
    const int64_t chunk = storage(v).chunk[0];
    for (auto at = known.placed.lower_bound(before / chunk * chunk); at != known.placed.end() && *at < records;) {
      const int64_t first = *at / chunk * chunk, end = first + chunk;
      for (int64_t record = std::max(first, *opened_); record < std::min(end, records); ++record)
        if (known.wanted.insert(record).second) slabs.push_back({v, record});
      at = known.placed.lower_bound(end);
    }
    known.wanted.erase(known.wanted.begin(), known.wanted.lower_bound(records / chunk * chunk));
  }
  return slabs;
}

void PlainChunks::begin() {
  known_.resize(storages_.size());
  if (!opened_) opened_ = counted_ = schema_.records;
}

std::map<int, int64_t> PlainChunks::lengths_of(const std::vector<Slab> &slabs) {
  std::map<int, int64_t> lengths;
  for (const auto &[v, record] : slabs)
    if (record >= 0) lengths[v] = std::max(lengths[v], record + 1);
  return lengths;
}

std::vector<ChunkOverlap> PlainChunks::chunks_of(const Slab &slab) const {
  const auto &[v, record] = slab;
  Box cells = Box::whole(schema_.slab_shape(variable(v)));
  Index length = cells.count;
  if (record >= 0) {
    SubArray some{{static_cast<size_t>(record)}, {1}, 0, 0};
    for (int d = 0; d < length.n; ++d) {
      some.start.push_back(0);
      some.count.push_back(static_cast<size_t>(length[d]));
    }
    cells = box_of(some);
    length = length_of(schema_, variable(v));
  }
  std::vector<ChunkOverlap> chunks;
  for_chunks(cells, length, storage(v).chunk, [&](const ChunkOverlap &met) { chunks.push_back(met); });
  return chunks;
}

std::vector<ChunkKey> PlainChunks::keys_of(const Slab &slab) const {
  std::vector<ChunkKey> keys;
  for (const ChunkOverlap &met : chunks_of(slab)) keys.push_back({slab.variable, met.stored.start});
  return keys;
}

int64_t PlainChunks::chunk_bytes(int variable) const {
  return storage(variable).chunk.product() * size_of(schema_.variables[static_cast<size_t>(variable)].type);
}

}  // namespace sv::netcdf4
