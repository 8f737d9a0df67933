#include "backend/netcdf4/values.hpp"

#include <algorithm>

#include "backend/netcdf4/cells.hpp"
#include "backend/netcdf4/quantize.hpp"
#include "base/fill.hpp"

namespace sv::netcdf4 {

namespace {

constexpr int64_t most_decoded_bytes = int64_t{64} << 20;      // that are kept for the next reading
constexpr int64_t most_unfinished_bytes = int64_t{512} << 20;  // then those that wait longest are closed

int64_t bytes_of_all(const Box &box, Type type) { return box.elements() * size_of(type); }

}  // namespace

void Values::stored_as(std::vector<Storage> storages) {
  storages_ = std::move(storages);
  filters_.resize(storages_.size());
  for (size_t v = 0; v < storages_.size(); ++v)
    if (storages_[v].kind == Storage::Kind::filtered)
      filters_[v] =
          std::make_unique<Filters>(storages_[v].filters, size_of(variable(static_cast<int>(v)).type), codecs_);
}

void Values::open(PositionalFile file, bool writing) {
  file_ = std::move(file);
  writing_ = writing;
}

std::string Values::codec() const {
  for (const auto &each : filters_)
    if (each != nullptr && !each->codec().empty()) return each->codec();
  return "";
}

/// With no end where it has records: chunks are not cut there.
Index Values::length_of(int v) const {
  Index length;
  for (const int dim : variable(v).dims) {
    const Dimension &of = ground_.schema.dims[static_cast<size_t>(dim)];
    length.push(of.is_record ? INT64_MAX / 2 : of.length);
  }
  return length;
}

std::optional<ChunkPlace> Values::find(const ChunkKey &key) const {
  const auto known = bodies_.places.find(key);
  return known != bodies_.places.end() ? known->second : ground_.find(key);
}

void Values::write(int v, const SubArray &part, const std::byte *values) {
  const Storage &stored = storage(v);
  const Box cells = box_of(part);
  if (cells.empty()) return;
  const Region region{v, cells, {cells, const_cast<std::byte *>(values)}};  // it is only read
  if (stored.kind == Storage::Kind::foreign)
    throw Error(Status::format, "the variable is stored in a way that Sverdrup can read, but not write",
                "Set 'store: netcdf4_library', or copy the file with sv-copy and write to the copy");
  if (stored.kind == Storage::Kind::contiguous) return write_cells(region, stored.place, Box::whole(length_of(v)));
  for_chunks(cells, length_of(v), stored.chunk, [&](const MetChunk &met) { write_chunk(region, met); });
}

void Values::write_cells(const Region &region, int64_t place, const Box &stored) {
  const int64_t bytes = size_of(variable(region.variable).type);
  for_common_runs(region.cells, stored, region.memory.box, [&](int64_t in_file, int64_t in_memory, int64_t elements) {
    const std::byte *const from = region.memory.first + in_memory * bytes;
    file_.write(place + in_file * bytes, std::span(from, static_cast<size_t>(elements * bytes)), counters);
  });
}

void Values::write_chunk(const Region &region, const MetChunk &met) {
  const int v = region.variable;
  const ChunkKey key{v, met.stored.start};
  const Region part{v, met.part, region.memory};
  if (storage(v).kind == Storage::Kind::plain) {
    const auto place = find(key);
    if (!place) throw Error(Status::internal, "a chunk was written before it had a place", "Please report this");
    return write_cells(part, place->place, met.stored);
  }
  const int64_t bytes = size_of(variable(v).type);
  const bool is_here = bodies_.unfinished.count(key) > 0;
  if (!is_here && met.part == met.stored && met.part == region.memory.box)
    return encode(key, {region.memory.first, static_cast<size_t>(met.stored.elements() * bytes)});
  Unfinished &chunk = unfinished(key, met.stored);
  for_common_runs(met.part, met.stored, region.memory.box, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
    std::copy_n(region.memory.first + in_memory * bytes, elements * bytes, chunk.values.data() + in_chunk * bytes);
  });
  chunk.elements += met.part.elements();
  if (chunk.elements < met.whole.elements()) return;
  encode(key, chunk.values);
  bodies_.unfinished_bytes -= std::ssize(chunk.values);
  bodies_.unfinished.erase(key);
}

/// With what was there before, or fill values.
Unfinished &Values::unfinished(const ChunkKey &key, const Box &stored) {
  const auto known = bodies_.unfinished.find(key);
  if (known != bodies_.unfinished.end()) return known->second;
  const int64_t bytes = bytes_of_all(stored, variable(key.variable).type);
  if (bodies_.unfinished_bytes + bytes > most_unfinished_bytes) {
    complete();
    bodies_.unfinished.clear();
    bodies_.unfinished_bytes = 0;
  }
  Unfinished made{filled(key.variable, stored.elements())};
  load(key, made.values);
  bodies_.unfinished_bytes += bytes;
  return bodies_.unfinished.emplace(key, std::move(made)).first->second;
}

std::vector<std::byte> Values::filled(int v, int64_t elements) const {
  const std::vector<std::byte> value = ground_.schema.fill_value(variable(v));
  std::vector<std::byte> values(static_cast<size_t>(elements) * value.size());
  fill_elements(values.data(), elements, value.data(), std::ssize(value));
  return values;
}

void Values::encode(const ChunkKey &key, std::span<const std::byte> values) {
  const Variable &of = variable(key.variable);
  const int bits = ground_.request.quantize;
  if (bits > 0 && is_quantized(ground_.schema, of, ground_.request)) {
    room_.assign(values.begin(), values.end());
    bit_round(room_, of.type, bits, ground_.schema.fill_value(of));
    values = room_;
  }
  const std::span<const std::byte> body = filters_[static_cast<size_t>(key.variable)]->encode(values);
  const auto [at, is_new] = bodies_.waiting_at.try_emplace(key, bodies_.waiting.size());
  if (is_new) bodies_.waiting.push_back({key, {}});
  std::vector<std::byte> &bytes = bodies_.waiting[at->second].bytes;
  if (is_new && !bodies_.spare.empty()) {
    bytes = std::move(bodies_.spare.back());
    bodies_.spare.pop_back();
  }
  bytes.assign(body.begin(), body.end());
  decoded_.clear();
  decoded_bytes_ = 0;
}

void Values::complete() {
  for (auto &[key, chunk] : bodies_.unfinished) {
    if (chunk.elements == 0) continue;
    encode(key, chunk.values);
    chunk.elements = 0;
  }
}

/// What follows in the file is written at once.
void Values::write_waiting(std::span<const int64_t> places) {
  std::vector<size_t> order(bodies_.waiting.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  std::vector<iovec> parts;
  int64_t begin = 0, end = 0;
  const auto write_parts = [&] {
    if (!parts.empty()) file_.write(begin, std::span(parts), counters);
    parts.clear();
  };
  for (const size_t i : order) {
    Body &body = bodies_.waiting[i];
    if (places[i] != end) {
      write_parts();
      begin = end = places[i];
    }
    parts.push_back({body.bytes.data(), body.bytes.size()});
    end += std::ssize(body.bytes);
    bodies_.places[body.key] = {places[i], std::ssize(body.bytes), 0};
  }
  write_parts();
  for (Body &body : bodies_.waiting) bodies_.spare.push_back(std::move(body.bytes));
  bodies_.waiting.clear();
  bodies_.waiting_at.clear();
}

void Values::read(int v, const SubArray &part, std::byte *values) {
  const Storage &stored = storage(v);
  const Box cells = box_of(part);
  if (cells.empty()) return;
  if (stored.kind == Storage::Kind::foreign) return ground_.read_foreign(v, part, values);
  const Region region{v, cells, {cells, values}};
  if (stored.kind == Storage::Kind::contiguous)
    return stored.place < 0 ? fill_cells(region) : read_cells(region, stored.place, Box::whole(length_of(v)));
  for_chunks(cells, length_of(v), stored.chunk, [&](const MetChunk &met) { read_chunk(region, met); });
}

/// What nobody has written yet behind the end of a file that is written is 0, as a hole in it would be.
void Values::read_at(int64_t offset_bytes, std::span<std::byte> to) {
  const auto got = static_cast<size_t>(file_.read(offset_bytes, to, counters));
  if (got == to.size()) return;
  if (!writing_)
    throw Error(Status::format, "the file ends before byte " + std::to_string(offset_bytes + std::ssize(to)),
                "It was cut, or is not complete");
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(got), to.end(), std::byte{});
}

void Values::read_cells(const Region &region, int64_t place, const Box &stored) {
  const int64_t bytes = size_of(variable(region.variable).type);
  for_common_runs(region.cells, stored, region.memory.box, [&](int64_t in_file, int64_t in_memory, int64_t elements) {
    read_at(place + in_file * bytes, {region.memory.first + in_memory * bytes, static_cast<size_t>(elements * bytes)});
  });
}

void Values::fill_cells(const Region &region) {
  const int64_t bytes = size_of(variable(region.variable).type);
  const std::vector<std::byte> value = ground_.schema.fill_value(variable(region.variable));
  for_common_runs(region.cells, region.memory.box, region.memory.box, [&](int64_t at, int64_t, int64_t elements) {
    fill_elements(region.memory.first + at * bytes, elements, value.data(), bytes);
  });
}

void Values::read_chunk(const Region &region, const MetChunk &met) {
  const int v = region.variable;
  const ChunkKey key{v, met.stored.start};
  const Region part{v, met.part, region.memory};
  if (storage(v).kind == Storage::Kind::plain) {
    const auto place = find(key);
    return place ? read_cells(part, place->place, met.stored) : fill_cells(part);
  }
  const auto open = bodies_.unfinished.find(key);
  const std::span<const std::byte> values = open != bodies_.unfinished.end()
                                                ? std::span<const std::byte>(open->second.values)
                                                : decoded(key, met.stored.elements());
  if (values.empty()) return fill_cells(part);
  const int64_t bytes = size_of(variable(v).type);
  for_common_runs(met.part, met.stored, region.memory.box, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
    std::copy_n(values.data() + in_chunk * bytes, elements * bytes, region.memory.first + in_memory * bytes);
  });
}

/// The values of a chunk that has a body; false, and nothing changed, where it has none.
bool Values::load(const ChunkKey &key, std::span<std::byte> values) {
  Filters &filters = *filters_[static_cast<size_t>(key.variable)];
  if (const auto waits = bodies_.waiting_at.find(key); waits != bodies_.waiting_at.end()) {
    filters.decode(bodies_.waiting[waits->second].bytes, 0, values);
    return true;
  }
  const auto place = find(key);
  if (!place) return false;
  if (place->bytes < 0 || place->bytes > 2 * std::ssize(values) + 4096)
    throw Error(Status::format,
                "a chunk has " + std::to_string(place->bytes) + " bytes, for " + std::to_string(values.size()) +
                    " bytes of values",
                "The file is damaged; restore it from a copy");
  std::vector<std::byte> body(static_cast<size_t>(place->bytes));
  read_at(place->place, body);
  filters.decode(body, place->mask, values);
  return true;
}

/// Empty where the chunk has no place.
std::span<const std::byte> Values::decoded(const ChunkKey &key, int64_t elements) {
  const auto known =
      std::find_if(decoded_.begin(), decoded_.end(), [&](const Decoded &each) { return each.key == key; });
  if (known != decoded_.end()) {
    decoded_.splice(decoded_.begin(), decoded_, known);
    return decoded_.front().values;
  }
  const int64_t bytes = elements * size_of(variable(key.variable).type);
  while (!decoded_.empty() && decoded_bytes_ + bytes > most_decoded_bytes) {
    decoded_bytes_ -= std::ssize(decoded_.back().values);
    decoded_.pop_back();
  }
  Decoded made{key, std::vector<std::byte>(static_cast<size_t>(bytes))};
  if (!load(key, made.values)) return {};
  decoded_bytes_ += bytes;
  decoded_.push_front(std::move(made));
  return decoded_.front().values;
}

}  // namespace sv::netcdf4
