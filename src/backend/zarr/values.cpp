#include "backend/zarr/values.hpp"

#include <algorithm>

#include "backend/chunked/quantize.hpp"
#include "base/error.hpp"
#include "base/fill.hpp"

namespace sv::zarr {

void Values::stored_as(std::vector<Array> arrays) {
  arrays_ = std::move(arrays);
  chains_.clear();
  quantizations_.clear();
  bounds_.clear();
  for (size_t v = 0; v < arrays_.size(); ++v) {
    chains_.emplace_back(arrays_[v].encoding, size_of(schema_.variables[v].type), libraries_);
    const Variable &of = schema_.variables[v];
    const bool is_found = of.storage != nullptr && of.storage->is_found;
    quantizations_.push_back(is_found ? quantization_of(schema_, of, request_) : arrays_[v].quantization);
    Element fill{};
    std::copy_n(arrays_[v].fill.begin(), std::min(arrays_[v].fill.size(), fill.size()), fill.begin());
    bounds_.push_back(error_bound_of(of, quantizations_.back(), fill));
  }
}

void Values::open(std::unique_ptr<Objects> objects, bool writing) {
  objects_ = std::move(objects);
  writing_ = writing;
}

Objects &Values::objects() const {
  if (objects_ == nullptr) throw Error(Status::internal, "the group is not open", "Please report this");
  return *objects_;
}

std::string Values::codec() const {
  for (const Chain &each : chains_)
    if (const std::string name = each.compressor(); !name.empty()) return name;
  return "";
}

int64_t Values::chunk_bytes(int v) const { return array(v).chunk.product() * size_of(variable(v).type); }

std::string Values::name_of(const ChunkKey &file) const {
  return variable(file.variable).name + "/" + array(file.variable).name_of_file(file.cell);
}

std::vector<std::byte> Values::filled(int v) const {
  const std::vector<std::byte> &value = array(v).fill;
  std::vector<std::byte> values(static_cast<size_t>(chunk_bytes(v)));
  fill_elements(values.data(), std::ssize(values) / std::ssize(value), value.data(), std::ssize(value));
  return values;
}

void Values::write(int v, const SubArray &part, const std::byte *values) {
  const Box cells = box_of(part);
  if (cells.empty()) return;
  const Region region{v, cells, const_cast<std::byte *>(values), array(v).fill};  // it is only read
  for_chunks(cells, sv::length_of(schema_, variable(v)), array(v).chunk,
             [&](const ChunkOverlap &met) { assembly_.write(region, met); });
}

void Values::take(const ChunkKey &key, std::span<const std::byte> values) {
  const int v = key.variable;
  const auto encode = [&](std::span<const std::byte> own) { return chain(v).encode(own); };
  const auto encode_apart = [&](std::span<std::byte> own) {  // decoding needs the codecs' memory
    const std::span<const std::byte> made = encode(own);
    body_.assign(made.begin(), made.end());
    return std::span<const std::byte>(body_);
  };
  const auto decode = [&](std::span<const std::byte> made, std::span<std::byte> own) { chain(v).decode(made, own); };
  const Quantization &how = quantizations_[static_cast<size_t>(v)];
  ErrorBound bound = bounds_[static_cast<size_t>(v)];
  if (bound.is_information()) bound = informed_.bound_of(bound, key, values);
  if (how.amount > 0 && !bound.is_set()) {
    room_.resize(values.size());
    quantize(values, room_, variable(v).type, how, array(v).fill);
    values = room_;
  }
  informed_.note_encoded(key);
  forget_read();
  const std::span<const std::byte> body =
      bound.is_set() ? encode_within(bound, values, room_, losses[v], ChunkCoding{encode_apart, decode})
                     : encode(values);
  if (!array(v).is_sharded) {
    iovec part{const_cast<std::byte *>(body.data()), body.size()};  // it is only read
    return write_file(key, std::span(&part, 1));
  }
  const ChunkKey file{v, array(v).file_of(key.cell)};
  Shard &shard = shards_.try_emplace(file).first->second;
  shard.most = array(v).chunks_in(file.cell, sv::length_of(schema_, variable(v)));
  std::vector<std::byte> &kept = shard.bodies[array(v).number_in_file(key.cell)];
  shard_bytes_ += std::ssize(body) - std::ssize(kept);
  kept.assign(body.begin(), body.end());
  if (std::ssize(shard.bodies) < shard.most) return;
  for (const auto &[number, each] : shard.bodies) shard_bytes_ -= std::ssize(each);
  write_shard(file, shard);
  shards_.erase(file);
}

/// A shard keeps the bodies in its file of chunks that did not come again. Other ranks may have written the chunks
/// that were read here.
void Values::complete() {
  forget_read();
  assembly_.complete();
  while (!shards_.empty()) {
    auto node = shards_.extract(shards_.begin());
    for (const auto &[number, each] : node.mapped().bodies) shard_bytes_ -= std::ssize(each);
    const int v = node.key().variable;
    OpenFile *const open = open_file(node.key());
    for (int64_t number = 0; open != nullptr && number < array(v).chunks_in_file(); ++number) {
      const auto place = open->index->find(number, *open->file, counters);
      if (!place || node.mapped().bodies.count(number) > 0) continue;
      chain(v).check_body(static_cast<int64_t>(place->bytes), chunk_bytes(v));
      node.mapped().bodies[number] = body_at(*open->file, *place, counters);
    }
    write_shard(node.key(), node.mapped());
  }
}

void Values::write_shard(const ChunkKey &key, const Shard &shard) {
  ShardIndex index(array(key.variable).chunks_in_file());
  std::vector<iovec> parts;
  uint64_t at = 0;
  for (const auto &[number, body] : shard.bodies) {
    index.set(number, {at, body.size()});
    parts.push_back({const_cast<std::byte *>(body.data()), body.size()});  // it is only read
    at += body.size();
  }
  std::vector<std::byte> text = index.encoded();
  parts.push_back({text.data(), text.size()});
  write_file(key, parts);
}

/// Other programs may be reading committed files.
void Values::write_file(const ChunkKey &key, std::span<iovec> parts) {
  forget_read();
  const bool is_read = committed_ >= 0 && (!variable(key.variable).has_records || key.cell[0] < committed_);
  objects().put(name_of(key), parts, is_read, counters);
  progress_.count();
}

void Values::forget_read() {
  open_.reset();
  assembly_.forget();
}

}  // namespace sv::zarr
