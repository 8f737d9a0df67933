#include "backend/netcdf4/values.hpp"

#include <algorithm>

#include "backend/chunked/cells.hpp"
#include "backend/netcdf4/filter_plug_in.hpp"
#include "base/fill.hpp"
#include "base/swap.hpp"

namespace sv::netcdf4 {

Values::Values(Dependencies ground) : dependencies_(std::move(ground)) {
  for (int t = 0; t < std::max(1, dependencies_.request.threads); ++t)
    encoders_.emplace_back(dependencies_.request.deflate_library);
  scattered_.fill_gaps(dependencies_.is_alone);
}

void Values::stored_as(const std::vector<Storage> &known, FindStorage find) {
  find_storage_ = std::move(find);
  stored_.assign(dependencies_.schema.variables.size(), std::nullopt);
  for (int v = 0; v < std::ssize(known); ++v) stored(v, &known[static_cast<size_t>(v)]);
}

const Values::Stored &Values::stored(int v, const Storage *known) {
  std::optional<Stored> &found = stored_[static_cast<size_t>(v)];
  if (found) return *found;
  const Variable &of = variable(v);
  const Storage storage = known != nullptr ? *known : find_storage_(v);
  Recipe made{storage.filters, of.type, quantization_of(dependencies_.schema, of, dependencies_.request),
              dependencies_.schema.fill_value(of), storage.is_swapped};
  made.bound = error_bound_of(of, made.quantization, made.fill);
  made.plug_in = storage.plug_in();
  if (made.plug_in >= 0) need_plug_in(made.filters[static_cast<size_t>(made.plug_in)]);
  if (storage.kind == Storage::Kind::filtered) most_encoded(made.filters, 1, encoders_.front().codecs());
  return found.emplace(Stored{storage, std::move(made)});
}

void Values::open(PositionalFile file, bool writing) {
  file_ = std::move(file);
  writing_ = writing;
  sieve_.holes_are_zeros(writing);
}

std::string Values::codec() {
  for (int v = 0; v < std::ssize(stored_); ++v)
    for (const Filter &filter : storage(v).filters)
      if (filter.kind == FilterKind::deflate || filter.kind == FilterKind::zstd)
        return encoders_.front().codecs().compressor(filter).name();
  return "";
}

std::optional<ChunkPlace> Values::find(const ChunkKey &key) const {
  const auto known = bodies_.places.find(key);
  return known != bodies_.places.end() ? known->second : dependencies_.find(key);
}

void Values::write(int v, const SubArray &part, const std::byte *values) {
  const Storage &stored = storage(v);
  const Box cells = box_of(part);
  if (cells.empty()) return;
  const Region region = region_of(v, cells, const_cast<std::byte *>(values));  // it is only read
  if (stored.kind == Storage::Kind::foreign)
    throw Error(Status::format, "the variable is stored in a way that Sverdrup can read, but not write",
                "Set 'store: netcdf4_library', or copy the file with sv-copy and write to the copy");
  try {
    if (stored.kind == Storage::Kind::contiguous)
      return write_cells(region, {stored.place, Box::whole(length_of(v)), cells});
    for_chunks(cells, length_of(v), stored.chunk, [&](const ChunkOverlap &met) { write_chunk(region, met); });
  } catch (...) {
    whole_.clear();  // their values may go
    scattered_.clear();
    throw;
  }
}

Region Values::region_of(int v, const Box &cells, std::byte *values) {
  const Recipe &of = stored(v).recipe;
  return {v, cells, values, std::span(of.fill).first(static_cast<size_t>(size_of(of.type)))};
}

void Values::write_cells(const Region &region, const Stretch &stretch) {
  const int64_t bytes = region.element_bytes();
  for_common_runs(stretch.cells, stretch.stored, region.box, [&](int64_t in_file, int64_t in_memory, int64_t elements) {
    const std::span values(region.at(in_memory), static_cast<size_t>(elements * bytes));
    scattered_.add(file_, stretch.place + in_file * bytes, values, counters);
  });
}

/// A chunk that the region contains as a whole is collected from it by the thread that compresses it.
void Values::write_chunk(const Region &region, const ChunkOverlap &met) {
  const ChunkKey key{region.variable, met.stored.start};
  if (storage(region.variable).kind != Storage::Kind::plain) {
    if (!(met.part == met.whole) || assembly_.has(key)) return assembly_.write(region, met);
    if (!(met.part == met.stored) || !is_one_run(met.part, region.box)) return whole_.push_back({key, {}, region, met});
    const auto bytes = static_cast<size_t>(met.stored.elements() * region.element_bytes());
    return take(key, {region.at(position(region.box, met.part.start)), bytes});
  }
  const auto place = find(key);
  if (!place)
    throw Error(Status::order, "a rank puts into a chunk by itself that has no place in the file yet",
                "Put the record with the others");
  write_cells(region, {place->place, met.stored, met.part});
}

void Values::encode() {
  scattered_.write(file_, counters);
  const std::vector<Chunk> chunks = std::exchange(whole_, {});
  if (chunks.empty()) return;
  std::vector<StoredBody> made(chunks.size());
  std::vector<Loss> lost(chunks.size());
  encode_all(encoders_, chunks.size(), [&](Encoder &encoder, size_t i) {
    const Chunk &of = chunks[i];
    const auto values = of.values.empty() ? encoder.collect(of.region, of.met) : of.values;
    const Recipe &recipe = stored(of.key.variable).recipe;
    const bool is_read = read_back_.count(of.key) > 0;
    if (!recipe.bound.is_information()) return void(made[i] = encoder.encode(recipe, values, lost[i], is_read));
    Recipe of_chunk = recipe;
    of_chunk.bound = informed_.bound_of(recipe.bound, of.key, values);
    made[i] = encoder.encode(of_chunk, values, lost[i], is_read);
  });
  for (const Chunk &each : chunks) informed_.note_encoded(each.key);
  for (size_t i = 0; i < chunks.size(); ++i)
    if (lost[i].values_bytes > 0) losses[chunks[i].key.variable].add(lost[i]);
  for (size_t i = 0; i < chunks.size(); ++i) {
    for (Batch &older : bodies_.awaiting_place)
      if (const auto known = older.at.find(chunks[i].key); known != older.at.end())
        older.bodies[known->second].bytes = {};
    const auto [at, is_new] = bodies_.waiting.at.try_emplace(chunks[i].key, bodies_.waiting.bodies.size());
    if (is_new) bodies_.waiting.bodies.push_back({chunks[i].key, {}});
    Body &body = bodies_.waiting.bodies[at->second];
    body.bytes = made[i].bytes;
    body.mask = made[i].mask;
  }
  assembly_.forget();
}

void Values::complete() { assembly_.complete(); }

int64_t Values::waiting_bytes() const {
  int64_t bytes = 0;
  for (const Body &each : waiting()) bytes += std::ssize(each.bytes);
  return bytes;
}

void Values::announce() {
  for (Encoder &each : encoders_) bodies_.waiting.rooms.push_back(each.take_room());
  bodies_.awaiting_place.push_back(std::exchange(bodies_.waiting, {}));
}

/// The following bytes are written at once.
void Values::write_announced(std::span<const int64_t> places) {
  Batch batch = std::move(bodies_.awaiting_place.front());
  bodies_.awaiting_place.pop_front();
  std::vector<size_t> order;
  for (size_t i = 0; i < batch.bodies.size(); ++i)
    if (places[i] >= 0 && !batch.bodies[i].bytes.empty()) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return places[a] < places[b]; });
  std::vector<iovec> parts;
  int64_t begin = 0, end = 0;
  const auto write_parts = [&] {
    if (!parts.empty()) file_.write(begin, std::span(parts), counters);
    parts.clear();
  };
  for (const size_t i : order) {
    const auto &[key, bytes, mask] = batch.bodies[i];
    if (places[i] != end) {
      write_parts();
      begin = end = places[i];
    }
    parts.push_back({const_cast<std::byte *>(bytes.data()), bytes.size()});  // it is only read
    end += std::ssize(bytes);
    bodies_.places[key] = {places[i], std::ssize(bytes), mask};
  }
  write_parts();
  for (size_t e = 0; e < encoders_.size(); ++e) encoders_[e].give_back(std::move(batch.rooms[e]));
}

void Values::read(int v, const SubArray &part, std::byte *values) {
  const Storage &stored = storage(v);
  const Box cells = box_of(part);
  if (cells.empty()) return;
  encode();
  if (stored.kind == Storage::Kind::foreign) return dependencies_.read_foreign(v, part, values);
  const Region region = region_of(v, cells, values);
  if (stored.kind == Storage::Kind::contiguous)
    return stored.place < 0 ? fill_cells(region, cells)
                            : read_cells(region, {stored.place, Box::whole(length_of(v)), cells});
  for_chunks(cells, length_of(v), stored.chunk, [&](const ChunkOverlap &met) { read_chunk(region, met); });
}

void Values::will_read(int v, const SubArray &part) {
  const Storage &stored = storage(v);
  if (stored.kind == Storage::Kind::foreign || stored.kind == Storage::Kind::contiguous) return;
  for_chunks(box_of(part), length_of(v), stored.chunk, [&](const ChunkOverlap &met) {
    if (const auto place = find({v, met.stored.start})) file_.will_read(place->place, place->bytes);
  });
}

/// Unwritten bytes beyond the end of the file are 0, like a hole in it.
void Values::read_at(int64_t offset_bytes, std::span<std::byte> to) {
  const auto got = static_cast<size_t>(file_.read(offset_bytes, to, counters));
  if (got == to.size()) return;
  if (!writing_)
    throw Error(Status::format, "the file ends before byte " + std::to_string(offset_bytes + std::ssize(to)),
                "It was cut, or is not complete");
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(got), to.end(), std::byte{});
}

void Values::read_cells(const Region &region, const Stretch &stretch) {
  const int64_t bytes = region.element_bytes();
  sieve_.begin();
  for_common_runs(stretch.cells, stretch.stored, region.box, [&](int64_t in_file, int64_t in_memory, int64_t elements) {
    sieve_.add(file_, {stretch.place + in_file * bytes, in_memory * bytes, elements * bytes}, region.first, counters);
  });
  sieve_.end(file_, region.first, counters);
}

void Values::fill(int v, const Box &cells) {
  const int64_t bytes = size_of(variable(v).type);
  std::vector<std::byte> values(static_cast<size_t>(cells.elements() * bytes));
  fill_elements(values.data(), cells.elements(), dependencies_.schema.fill_value(variable(v)).data(), bytes);
  SubArray part{{}, {}, 0, cells.elements()};
  for (int d = 0; d < cells.count.n; ++d) {
    part.start.push_back(static_cast<size_t>(cells.start[d]));
    part.count.push_back(static_cast<size_t>(cells.count[d]));
  }
  write(v, part, values.data());
  encode();
}

void Values::read_chunk(const Region &region, const ChunkOverlap &met) {
  if (storage(region.variable).kind != Storage::Kind::plain) return assembly_.read(region, met);
  const auto place = find({region.variable, met.stored.start});
  return place ? read_cells(region, {place->place, met.stored, met.part}) : fill_cells(region, met.part);
}

bool Values::load(const ChunkKey &key, const Room &room) {
  const Recipe &recipe = stored(key.variable).recipe;
  const auto take = [&](const StoredBody &body) {
    const std::span<std::byte> values = room();
    decode(recipe.filters, size_of(recipe.type), encoders_.front().codecs(), body, values);
    if (recipe.swaps) swap_in_place(values.data(), std::ssize(values) / size_of(recipe.type), size_of(recipe.type));
    if (writing_ && recipe.plug_in >= 0) read_back_.insert(key);
    if (writing_ && recipe.bound.is_information()) informed_.note_read(recipe.bound, key, values);
    return true;
  };
  if (const StoredBody kept = bodies_.body_of(key); !kept.bytes.empty()) return take(kept);
  const auto place = find(key);
  if (!place) return false;
  const int64_t bytes = storage(key.variable).chunk.product() * size_of(recipe.type);
  if (place->bytes < 0 || place->bytes > 2 * bytes + 4096)
    throw Error(
        Status::format,
        "a chunk has " + std::to_string(place->bytes) + " bytes, for " + std::to_string(bytes) + " bytes of values",
        "The file is damaged; restore it from a copy");
  if (std::ssize(body_) < place->bytes) body_.resize(static_cast<size_t>(place->bytes));
  const auto body = std::span(body_).first(static_cast<size_t>(place->bytes));
  read_at(place->place, body);
  return take({body, place->mask});
}

}  // namespace sv::netcdf4
