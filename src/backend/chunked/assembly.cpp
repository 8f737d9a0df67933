#include "backend/chunked/assembly.hpp"

#include <algorithm>
#include <utility>

#include "backend/chunked/cells.hpp"
#include "base/fill.hpp"

namespace sv {

namespace {

constexpr size_t most_spare = 4;
constexpr int64_t most_held_bytes = int64_t{512} << 20;

}  // namespace

void fill_cells(const Region &region, const Box &cells) {
  for_common_runs(cells, region.box, region.box, [&](int64_t at, int64_t, int64_t elements) {
    fill_elements(region.at(at), elements, region.fill.data(), region.element_bytes());
  });
}

void ChunkAssembly::write(const Region &region, const ChunkOverlap &met) {
  const ChunkKey key{region.variable, met.stored.start};
  const int64_t bytes = region.element_bytes();
  if (!has(key) && met.part == met.stored && met.part == region.box)
    return chunks_.take(key, {region.first, static_cast<size_t>(met.stored.elements() * bytes)});
  chunks_.encode();  // this chunk may be among those taken
  Open &chunk = open(key, met, region);
  for_common_runs(met.part, met.stored, region.box, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
    std::copy_n(region.at(in_memory), elements * bytes, chunk.values.data() + in_chunk * bytes);
  });
  chunk.elements += met.part.elements();
  chunk.is_new = true;
  if (chunk.elements < met.whole.elements()) return;
  chunks_.take(key, chunk.values);
  chunks_.encode();
  open_bytes_ -= std::ssize(chunk.values);
  if (spare_.size() < most_spare) spare_.push_back(std::move(chunk.values));
  open_.erase(key);
}

/// The values are those of the file, or fill values.
ChunkAssembly::Open &ChunkAssembly::open(const ChunkKey &key, const ChunkOverlap &met, const Region &region) {
  if (const auto known = open_.find(key); known != open_.end()) return known->second;
  const int64_t bytes = met.stored.elements() * region.element_bytes();
  if (open_bytes_ + chunks_.held_bytes() + bytes > most_held_bytes) {
    chunks_.complete();
    open_.clear();
    open_bytes_ = 0;
  }
  Open made;
  if (!spare_.empty()) {
    made.values = std::move(spare_.back());
    spare_.pop_back();
  }
  if (met.part == met.whole || !load(key, bytes, made.values)) {
    made.values.resize(static_cast<size_t>(bytes));
    fill_elements(made.values.data(), met.stored.elements(), region.fill.data(), region.element_bytes());
  }
  open_bytes_ += bytes;
  return open_.emplace(key, std::move(made)).first->second;
}

bool ChunkAssembly::load(const ChunkKey &key, int64_t bytes, std::vector<std::byte> &values) {
  return chunks_.load(key, [&] {
    values.resize(static_cast<size_t>(bytes));
    return std::span(values);
  });
}

/// A whole chunk is decoded where it goes, or is not kept: the memory of the last one is warm.
void ChunkAssembly::read(const Region &region, const ChunkOverlap &met) {
  const ChunkKey key{region.variable, met.stored.start};
  const int64_t bytes = region.element_bytes(), chunk_bytes = met.stored.elements() * bytes;
  const auto known = open_.find(key);
  std::span<const std::byte> values;
  if (known != open_.end()) {
    values = known->second.values;
  } else if (met.part == met.stored && is_one_run(met.part, region.box)) {
    const std::span to(region.at(position(region.box, met.part.start)), static_cast<size_t>(chunk_bytes));
    if (chunks_.load(key, [&] { return to; })) return;
  } else {
    const auto decode = [&](std::vector<std::byte> &made) { return load(key, chunk_bytes, made); };
    values = decoded_.get(key, chunk_bytes, !(met.part == met.whole), decode);
  }
  if (values.empty()) return fill_cells(region, met.part);
  for_common_runs(met.part, met.stored, region.box, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
    std::copy_n(values.data() + in_chunk * bytes, elements * bytes, region.at(in_memory));
  });
}

void ChunkAssembly::complete() {
  forget();
  for (auto &[key, chunk] : open_)
    if (std::exchange(chunk.is_new, false)) chunks_.take(key, chunk.values);
  chunks_.encode();
}

}  // namespace sv
