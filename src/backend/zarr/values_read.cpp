// How values come back from the files of a Zarr group, and how those of records that were not committed go.
#include <algorithm>
#include <charconv>

#include "backend/chunked/cells.hpp"
#include "backend/zarr/values.hpp"
#include "base/arithmetic.hpp"
#include "base/error.hpp"

namespace sv::zarr {

namespace {

/// −1 where it is none.
int64_t number_of(const std::string &name) {
  int64_t found = -1;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), found);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? found : -1;
}

/// The files of a variable whose first number, of the records, is this one or a later one.
void remove_files_from(Objects &objects, const std::string &variable, int64_t number) {
  const std::string place = variable + "/c/";
  for (const Entry &entry : objects.list(variable + "/c"))
    if (number_of(entry.name) >= number) objects.remove_chunks(place + entry.name);
}

struct Extent {
  const Array &array;
  Index length;
};

/// Adds the first cells of the existing files below a directory of an array, independently of the lengths that the
/// array claims. `numbers`: those of the directory's name, of which a file has one for each dimension.
void add_files(const Objects &objects, const std::string &place, const Extent &of, const Index &numbers,
               std::vector<Index> &cells) {
  const int left = of.length.n - numbers.n;
  Index below = numbers;
  if (left == 0) {
    for (int d = 0; d < below.n; ++d) {
      if (of.length[d] == 0 || numbers[d] > (of.length[d] - 1) / of.array.in_file[d]) return;  // it has no cell
      below[d] *= of.array.in_file[d];
    }
    cells.push_back(below);
    return;
  }
  below.resize(below.n + 1);
  for (const Entry &entry : objects.list(place)) {
    below[below.n - 1] = number_of(entry.name);
    if (below[below.n - 1] >= 0 && (entry.kind == EntryKind::file) == (left == 1))
      add_files(objects, place + "/" + entry.name, of, below, cells);
  }
}

/// The first cells of the files whose first number is this one.
std::vector<Index> files_of_records(const Objects &objects, const std::string &variable, const Extent &of,
                                    int64_t number) {
  std::vector<Index> cells;
  Index first;
  first.push(number);
  add_files(objects, variable + "/c/" + std::to_string(number), of, first, cells);
  return cells;
}

}  // namespace

void Values::read(int v, const SubArray &part, std::byte *values) {
  const Box cells = box_of(part);
  if (cells.empty()) return;
  const Region region{v, cells, values, array(v).fill};
  const bool is_as_in_memory = chain(v).is_plain() && !array(v).is_sharded;
  for_chunks(cells, sv::length_of(schema_, variable(v)), array(v).chunk, [&](const ChunkOverlap &met) {
    is_as_in_memory && !assembly_.has({v, met.stored.start}) ? read_in_place(region, met) : assembly_.read(region, met);
  });
}

void Values::will_read(int v, const SubArray &part) {
  for_chunks(box_of(part), sv::length_of(schema_, variable(v)), array(v).in_file, [&](const ChunkOverlap &met) {
    const ChunkKey key{v, met.stored.start};
    if ((open_ && open_->key == key) || ahead_ == key) return;  // it is being read or fetched
    ahead_ = key;
    if (const std::unique_ptr<Object> file = objects().open(name_of(key))) file->will_read();
  });
}

/// Of a file that has values as they are in memory, only those that are wanted are read.
void Values::read_in_place(const Region &region, const ChunkOverlap &met) {
  const int64_t bytes = region.element_bytes();
  OpenFile *const open = open_file({region.variable, met.stored.start});
  if (open == nullptr) return fill_cells(region, met.part);
  chain(region.variable).check_body(open->bytes, chunk_bytes(region.variable));
  for_common_runs(met.part, met.stored, region.box, [&](int64_t in_chunk, int64_t in_memory, int64_t elements) {
    const std::span to(region.at(in_memory), static_cast<size_t>(elements * bytes));
    if (open->file->read(in_chunk * bytes, to, counters) < std::ssize(to))
      throw Error(Status::format, "'" + name_of(open->key) + "' was cut while it was read", "Restore it from a copy");
  });
}

/// nullptr where there is no such file: its chunks were never written. Or somebody has removed the group, which begins
/// with its metadata.
Values::OpenFile *Values::open_file(const ChunkKey &key) {
  if (open_ && open_->key == key) return &*open_;
  open_.reset();
  std::unique_ptr<Object> file = objects().open(name_of(key));
  if (file == nullptr) {
    if (!writing_ && !objects().has(metadata_name))
      throw Error(Status::not_found, "it was removed or replaced while it was read", "Open it again");
    return nullptr;
  }
  open_ = OpenFile{key, std::move(file), 0, std::nullopt};
  open_->bytes = open_->file->size();
  try {
    if (array(key.variable).is_sharded) open_->index.emplace(*open_->file, array(key.variable), counters);
  } catch (...) {
    open_.reset();
    throw;
  }
  return &*open_;
}

/// Nothing where the chunk was never written.
std::optional<std::vector<std::byte>> Values::body(const ChunkKey &key) {
  const int v = key.variable;
  const ChunkKey file{v, array(v).file_of(key.cell)};
  const int64_t number = array(v).number_in_file(key.cell);
  if (const auto shard = shards_.find(file); shard != shards_.end())
    if (const auto held = shard->second.bodies.find(number); held != shard->second.bodies.end()) return held->second;
  OpenFile *const open = open_file(file);
  if (open == nullptr) return std::nullopt;
  const ChunkPlace whole{0, static_cast<uint64_t>(open->bytes)};
  const auto place = open->index ? open->index->find(number, *open->file, counters) : std::optional(whole);
  if (!place) return std::nullopt;
  chain(v).check_body(static_cast<int64_t>(place->bytes), chunk_bytes(v));
  return body_at(*open->file, *place, counters);
}

bool Values::load(const ChunkKey &key, const Room &room) {
  const auto found = body(key);
  if (!found) return false;
  try {
    chain(key.variable).check_length(*found, chunk_bytes(key.variable));
    const std::span<std::byte> values = room();
    chain(key.variable).decode(*found, values);
    const ErrorBound &bound = bounds_[static_cast<size_t>(key.variable)];
    if (writing_ && bound.is_information()) informed_.note_read(bound, key, values);
  } catch (Error &error) {
    if (error.status() != Status::format) throw;
    throw Error(Status::format,
                "'" + name_of({key.variable, array(key.variable).file_of(key.cell)}) +
                    "' has a chunk that cannot be read: its body is not what its codecs have made, or "
                    "not of the length that it should have",
                "The file is damaged; restore it from a copy");
  }
  return true;
}

void Values::cut(int64_t records) {
  for (int v = 0; v < std::ssize(arrays_); ++v) {
    objects().remove_parts(variable(v).name);
    if (!variable(v).has_records) continue;
    const int64_t in_file = array(v).in_file[0];
    remove_files_from(objects(), variable(v).name, divide_up(records, in_file));
    if (records % in_file == 0) continue;
    for (const Index &cell : files_of_records(objects(), variable(v).name,
                                              {array(v), sv::length_of(schema_, variable(v))}, records / in_file))
      cut_file({v, cell}, records);
  }
  forget_read();
}

/// A file with records on both sides of the count: records beyond it become unwritten.
void Values::cut_file(const ChunkKey &file, int64_t records) {
  const int v = file.variable;
  const Array &of = array(v);
  const Box cells{file.cell, of.in_file};
  Shard kept;
  bool has_changed = false;
  for_chunks(cells, sv::length_of(schema_, variable(v)), of.chunk, [&](const ChunkOverlap &met) {
    const ChunkKey key{v, met.stored.start};
    auto old = body(key);
    if (!old) return;
    if (key.cell[0] >= records) {
      has_changed = true;
      return;
    }
    std::vector<std::byte> values(static_cast<size_t>(chunk_bytes(v)));
    if (key.cell[0] + of.chunk[0] > records && load(key, [&] { return std::span(values); })) {
      std::vector<std::byte> cut = filled(v);
      std::copy_n(values.begin(), std::ssize(values) / of.chunk[0] * (records - key.cell[0]), cut.begin());
      has_changed = has_changed || cut != values;
      const std::span<const std::byte> made = chain(v).encode(cut);
      old->assign(made.begin(), made.end());
    }
    kept.bodies[of.number_in_file(key.cell)] = std::move(*old);
  });
  if (!has_changed) return;
  if (of.is_sharded) return write_shard(file, kept);
  std::vector<std::byte> &only = kept.bodies.begin()->second;
  iovec part{only.data(), only.size()};
  write_file(file, std::span(&part, 1));
}

}  // namespace sv::zarr
