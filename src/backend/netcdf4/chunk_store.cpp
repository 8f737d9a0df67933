// The store netcdf4: HDF5 keeps the metadata in the memory of the file's owner, every writer compresses its chunks, and
// writes them where HDF5 has given them room (docs/adr/0033-chunks.md). Metadata follow the data when records are
// committed. For one rank alone a thread may write: it makes no MPI calls, and borrows HDF5 once for each commit.
#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "backend/chunked/chunked_store.hpp"
#include "backend/netcdf4/additions.hpp"
#include "backend/netcdf4/chunk_store.hpp"
#include "backend/netcdf4/define_in_memory.hpp"
#include "backend/netcdf4/given_places.hpp"
#include "backend/netcdf4/index.hpp"
#include "backend/netcdf4/needed_filters.hpp"
#include "backend/netcdf4/old_chunks.hpp"
#include "backend/netcdf4/placing.hpp"
#include "backend/netcdf4/plain_chunks.hpp"
#include "backend/netcdf4/reader.hpp"
#include "backend/netcdf4/references.hpp"
#include "backend/netcdf4/values.hpp"
#include "base/first_error.hpp"
#include "model/rules/netcdf4.hpp"
#include "store/journal.hpp"
#include "store/publication.hpp"
#include "store/stale_names.hpp"

namespace sv {
namespace {

using namespace netcdf4;
class ChunkStore final : public ChunkedStore {
 public:
  ChunkStore(const std::string &path, Kind kind, const Access &access)
      : ChunkedStore(path, access),
        name_(path, kind, access.named_at_once, access.stripes),
        values_({schema_, access.chunks, [this](const ChunkKey &key) { return find(key); },
                 [this](int v, const SubArray &part, std::byte *to) { read_by_hdf5(v, part, to); }, peers_.alone()}) {}
  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  int64_t most_calls(Direction direction, int variable, int64_t mine) override;
  Storing storing(int variable) override;
  void grow(std::span<const RecordCount> variables) override;
  void redefine(const PlacedSchema &schema) override;
  void lengthen(const PlacedSchema &schema);
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void write_many(std::span<const SlabPart> parts) override;
  void write_strings(int variable, const Box &cells, std::span<const std::string> strings) override;
  std::vector<std::string> read_strings(int variable, const Box &cells) override;
  void deliver(int variable, Delivery when) override;
  void admit(int64_t records) override;
  void sync() override;
  void sync_name() override {
    if (owns()) name_.sync_name();
  }
  void be_durable(bool durable) override { name_.be_durable(durable); }
  void commit(int64_t records) override;
  void detach() override;
  void finish() override;
  void abandon() noexcept override {
    if (owns()) name_.abandon();
  }
  StoreCounters counters() const override { return values_.counters; }

 private:
  void read_part(int v, const SubArray &part, std::byte *values) override { values_.read(v, part, values); }
  void will_read_part(int v, const SubArray &part) override { values_.will_read(v, part); }
  std::optional<ChunkPlace> find(const ChunkKey &key) const;
  void read_by_hdf5(int v, const SubArray &part, std::byte *values);
  /// More in published files, whose metadata all precede the data; none in files of one process, often small ones.
  int64_t expected_records() const { return access_.named_at_once ? 0 : name_.kind() == Kind::published ? 1024 : 64; }
  int broadcast_storages();
  void take_storages() {
    values_.stored_as(storages_, [this](int v) { return index_->storage(v); });
  }
  void open_values(const std::string &place);
  void open_index();
  void take(const Slab &slab, std::span<const std::byte> values);
  void place_plain(const std::vector<PlainChunks::Slab> &slabs);
  void broadcast_known_chunks(const std::vector<ChunkKey> &keys);
  void fill_unwanted(int64_t records);
  void deliver_all();
  bool may_place() const;
  void write_announced(const BodyPlaces &places);
  void write_rest();
  void write_all();
  void write_alone(const std::function<void()> &last);
  void complete_index(const std::function<void()> &last, bool is_end = false);
  void write_metadata();
  void begin_references();
  void check_references() const;
  void write_references();

  Publication name_;
  Values values_;                           // index_ reads its file to the end
  std::unique_ptr<Recorded> recorded_;      // the owner's, while writing
  std::unique_ptr<FileIndex> index_;        // the owner's, or a reader's
  std::unique_ptr<ReaderProcess> reader_;   // in place of an index, of a file that is read and not trusted
  std::unique_ptr<Journal> journal_;        // the owner's, of a file that has its name
  std::optional<VirtualIndex> references_;  // the owner's
  std::optional<GivenPlaces> places_;       // the owner's, while writing
  PlacingTurns placing_{peers_, [this](const Wanted &wanted) { return places_->to_body(wanted, name_.named()); }};
  std::vector<Storage> storages_;
  PlainChunks plain_{schema_, storages_};
  OldChunks old_{schema_, storages_};
  int64_t waiting_bytes_ = 0;  // of values that may wait to be delivered, on all ranks
  bool knows_all_ = false;     // where chunks stand, without HDF5
  bool is_committed_ = false;  // the file has metadata that readers may find
};

void ChunkStore::create(const PlacedSchema &schema, bool exclusive) {
  schema_ = schema;
  schema_.records = records_ = 0;
  writing_ = true;
  knows_all_ = peers_.alone();
  in_file([&] {
    together([&] {
      if (!owns()) return;
      need_filters(schema_, access_);
      name_.begin(exclusive);
      recorded_ = std::make_unique<Recorded>(MetadataImage(define_in_memory(schema_, access_)));
      index_ = std::make_unique<FileIndex>(*recorded_, path_, schema_);
      recorded_->image.reserve(recorded_->image.end() + index_bytes(schema_, index_->storages(), expected_records()) +
                               access_.header_reserve_bytes);
      places_.emplace(*index_, schema_, values_, GivenPlaces::Committed{false, records_});
      index_->place_contiguous();
      begin_references();
    });
    placing_.use(broadcast_storages());
    together([&] {
      take_storages();
      open_values(name_.part());
    });
    place_plain(plain_.fixed(0));
  });
  if (!owns()) return;
  remarks_ = chunk_remarks(schema_, access_, values_.codec());
  std::ranges::copy(name_.held().stripe_remarks(access_.stripes), std::back_inserter(remarks_));
}

void ChunkStore::open_values(const std::string &place) {
  PositionalFile file = opened_held(place, [&] { return PositionalFile(place, PositionalFile::Mode::update, path_); });
  file.write_by(access_.policy);
  values_.open(std::move(file), true);
}

/// Collective. How the variables are stored, as the owner's index knows it. Returns a number for placing chunks.
int ChunkStore::broadcast_storages() {
  std::vector<int64_t> numbers;
  together([&] {  // HDF5 may fail on the owner: then the others wait for no description
    if (owns()) numbers = encode(index_->storages());
  });
  if (owns()) numbers.push_back(PlacingTurns::new_number());
  peers_.broadcast(numbers);
  const auto number = static_cast<int>(numbers.back());
  numbers.pop_back();
  storages_ = decode(numbers);
  leave_out_quantized(storages_, schema_, access_.chunks);
  return number;
}

/// Collective. Gives places to chunks that are stored unchanged, so that every rank may write parts of them.
void ChunkStore::place_plain(const std::vector<PlainChunks::Slab> &slabs) {
  std::vector<ChunkKey> keys;
  for (const PlainChunks::Slab &slab : slabs)
    for (const ChunkKey &key : plain_.keys_of(slab))
      if (!values_.knows(key)) keys.push_back(key);  // it may be of several records
  if (keys.empty()) return;
  std::vector<int64_t> places;
  together([&] {
    if (!owns()) return;
    for (const auto &[v, records] : plain_.lengths_of(slabs))
      in_variable(v, [this, v = v, records = records] { index_->lengthen(v, records); });
    for (const ChunkKey &key : keys) places.push_back(places_->to_chunk(key, plain_.chunk_bytes(key.variable)));
  });
  peers_.broadcast(places);
  for (size_t i = 0; i < keys.size(); ++i)
    values_.set_place(keys[i], {places[i], plain_.chunk_bytes(keys[i].variable), 0});
}

/// Collective. Chunks that are stored unchanged stay in place, and all ranks know the same ones. Others move when
/// they are rewritten: then only the rank that wrote one, and the owner's index, know its place.
void ChunkStore::broadcast_known_chunks(const std::vector<ChunkKey> &keys) {
  if (keys.empty()) return;
  const std::vector<ChunkPlace> places = known_places(peers_, keys, [&](const ChunkKey &key) {
    std::optional<ChunkPlace> at;
    in_variable(key.variable, [&] { at = places_->find_old(key); });
    return at;
  });
  for (size_t i = 0; i < keys.size(); ++i)
    if (!values_.knows(keys[i]) && places[i].place >= 0 && !(owns() && storing(keys[i].variable).fills))
      values_.set_place(keys[i], places[i]);
}

/// Collective. Records that no rank has put, of variables whose chunks exist because of other records or variables,
/// would read as zeros. They get fill values, as if there were no chunk. Chunks of the opened file stay unchanged.
void ChunkStore::fill_unwanted(int64_t records) {
  const std::vector<PlainChunks::Slab> slabs = plain_.unwanted(records);
  if (slabs.empty()) return;
  together([&] {
    if (!owns()) return;
    for (const PlainChunks::Slab &slab : slabs)
      for (const ChunkOverlap &met : plain_.chunks_of(slab))
        if (!places_->is_old({slab.variable, met.stored.start}))
          in_variable(slab.variable, [&] { values_.fill(slab.variable, met.part); });
  });
}

/// The owner's, of the file as it stands.
void ChunkStore::open_index() {
  const auto read = [this](int64_t at, std::span<std::byte> to) {
    const auto got = values_.file().read(at, to, values_.counters);
    std::fill(to.begin() + got, to.end(), std::byte{});
  };
  recorded_ = std::make_unique<Recorded>(MetadataImage(read, values_.file().size()));
  index_ = std::make_unique<FileIndex>(*recorded_, path_, schema_);
  places_.emplace(*index_, schema_, values_, GivenPlaces::Committed{true, records_});
  need_filters(index_->storages());
}

void ChunkStore::reopen(const PlacedSchema &schema) {
  schema_ = schema;
  records_ = schema.records;
  writing_ = is_committed_ = true;
  bool is_changed = false;  // since its definitions were read
  in_file([&] {
    together([&] {
      if (owns()) {
        name_.hold();
        access_.found->check(path_, name_.held());
        is_changed = has_changed(*access_.found, path_, name_.held().identity());
        complete_commit(name_.held(), name_.held_place());
      }
      name_.resume(peers_.is_owner());
    });
    together([&] {
      open_values(name_.place());
      access_.found->check(path_, values_.file());
      if (!owns()) return;
      open_index();
      if (is_changed && index_->records() > records_) throw written_meanwhile();
      places_->to_contiguous();
      index_->state(bounds_as_errors());                     // more values will come
      if (index_->shorten(records_)) places_->have_freed();  // one file of a set may count a step that others do not
      begin_references();
    });
    placing_.use(broadcast_storages());
    together([&] { take_storages(); });
    if (!peers_.alone()) old_.open(records_);
    place_plain(plain_.fixed(0));
    broadcast_known_chunks(old_.of_fixed());
  });
}

void ChunkStore::attach(const PlacedSchema &schema, bool writing) {
  schema_ = schema;
  records_ = schema.records;
  const std::string place = name_.place_for(writing);
  in_file([&] {
    FoundFiles &found = *access_.found;
    values_.open(writing ? PositionalFile(place, PositionalFile::Mode::read, path_) : found.reading(place), false);
    found.check(path_);
    const bool is_trusted = writing || !access_.untrusted;
    if (is_trusted) index_ = std::make_unique<FileIndex>(place, schema_);
    if (!is_trusted) storages_ = (reader_ = std::make_unique<ReaderProcess>(place))->storages(schema_);
    take_storages();
    found.check(path_);  // HDF5 opens names
  });
}

std::optional<ChunkPlace> ChunkStore::find(const ChunkKey &key) const {
  if (knows_all_) return std::nullopt;  // it would be among the values' own
  const BorrowedHdf5 hdf5(access_.hdf5);
  if (reader_ != nullptr) return reader_->find(key.variable, key.cell);
  return index_ == nullptr ? std::nullopt : index_->find(key.variable, key.cell);
}

void ChunkStore::read_by_hdf5(int v, const SubArray &part, std::byte *values) {
  if (reader_ == nullptr) return index_->read(v, part, values);
  reader_->read(v, part, {values, static_cast<size_t>(part.elements * size_of(variable(v).type))});
}

/// The reading rank may not have the chunk that it needs: before a read, all chunks go into the file. A single rank
/// finds its own chunks.
int64_t ChunkStore::most_calls(Direction direction, int variable, int64_t mine) {
  if (direction == Direction::read && is_behind_ && !peers_.alone()) write_all();
  if (direction == Direction::read) broadcast_known_chunks(old_.of_variable(variable));
  return Store::most_calls(direction, variable, mine);
}

/// Unwritten cells of a chunk that is stored unchanged keep the bytes in its place.
Storing ChunkStore::storing(int v) {
  const Storage &stored = values_.storage(v);
  if (variable(v).type == Type::string) return {.fills = true};
  return {stored.kind == Storage::Kind::filtered, stored.chunk, stored.chunk, stored.kind == Storage::Kind::foreign};
}

/// A thread that has to wait for HDF5 does so once for a record.
void ChunkStore::grow(std::span<const RecordCount> variables) {
  require_writing();
  has_uncommitted_ = true;
  std::vector<PlainChunks::Slab> wanted;
  for (const RecordCount &each : variables) wanted.push_back({each.variable, each.records - 1});
  const auto slabs = plain_.next(wanted, access_.hdf5 != nullptr);
  const auto old = old_.of_records(variables, plain_);
  if (slabs.empty() && old.empty()) return;
  const BorrowedHdf5 hdf5(access_.hdf5);
  broadcast_known_chunks(old);
  place_plain(slabs);
  plain_.have_places(slabs);
}

/// Collective. The definitions are added to the metadata in the owner's memory, and stand in the file with the next
/// commit.
void ChunkStore::redefine(const PlacedSchema &schema) {
  has_uncommitted_ = true;
  if (enhanced::only_lengthens(schema_, schema)) return lengthen(schema);
  PlacedSchema before = std::exchange(schema_, schema);
  schema_.records = before.records;
  in_file([&] {
    const BorrowedHdf5 hdf5(access_.hdf5);
    together([&] {
      if (!owns()) return;
      need_filters(schema_, access_);
      const std::vector<std::byte> defined = defined_additions(before, schema_, access_);
      index_->add(schema_, [&](hid_t file) { add_definitions(file, defined, before, schema_); });
      index_->place_contiguous();
      if (references_) check_references();
    });
    broadcast_storages();
    together([&] { take_storages(); });
    place_plain(plain_.fixed(static_cast<int>(std::ssize(before.variables))));
  });
}

void ChunkStore::lengthen(const PlacedSchema &schema) {
  schema_.dims = schema.dims;
  together([&] {
    const BorrowedHdf5 hdf5(access_.hdf5);
    if (owns()) index_->widen(schema_);
  });
}

void ChunkStore::take(const Slab &slab, std::span<const std::byte> values) {
  require_writing();
  for_parts(slab, [&](const SubArray &part, int64_t offset_bytes) {
    values_.write(slab.variable, part, values.data() + offset_bytes);
  });
}

void ChunkStore::write(const Slab &slab, std::span<const std::byte> values) {
  in_variable(slab.variable, [&] {
    if (peers_.alone() && slab.first < slab.last) grow(std::array{RecordCount{slab.variable, slab.record + 1}});
    take(slab, values);
    values_.encode();
  });
  if (peers_.alone()) deliver(slab.variable, Delivery::now);
}

/// The records of all parts get their places together, and their chunks are encoded together.
void ChunkStore::write_many(std::span<const SlabPart> parts) {
  if (parts.empty()) return;
  std::vector<RecordCount> records;
  for (const SlabPart &part : parts)
    if (peers_.alone() && part.slab.first < part.slab.last)
      records.push_back({part.slab.variable, part.slab.record + 1});
  if (!records.empty()) in_variable(records.front().variable, [&] { grow(records); });
  for (const SlabPart &part : parts) in_variable(part.slab.variable, [&] { take(part.slab, part.values); });
  in_variable(parts.front().slab.variable, [&] { values_.encode(); });
  if (!peers_.alone()) return;
  for (const SlabPart &part : parts) deliver(part.slab.variable, Delivery::now);
}

/// The owner's. HDF5 has them in its memory, and they come into the file as metadata do.
void ChunkStore::write_strings(int v, const Box &cells, std::span<const std::string> strings) {
  has_uncommitted_ = true;
  in_variable(v, [&] {
    require_writing();
    const BorrowedHdf5 hdf5(access_.hdf5);
    index_->write_strings(v, cells, strings);
  });
}

std::vector<std::string> ChunkStore::read_strings(int v, const Box &cells) {
  std::vector<std::string> strings;
  in_variable(v, [&] {
    if (variable(v).has_records && !cells.empty()) check_record(cells.start[0] + cells.count[0] - 1, records_);
    const BorrowedHdf5 hdf5(access_.hdf5);
    strings = reader_ != nullptr ? reader_->read_strings(v, cells) : index_->read_strings(v, cells);
  });
  return strings;
}

/// To agree on places takes longer than to write small bodies: those of many variables wait for each other.
void ChunkStore::deliver(int v, Delivery when) {
  constexpr int64_t most_waiting_bytes = int64_t{8} << 20;
  has_uncommitted_ = true;
  if (writing_ && storages_[static_cast<size_t>(v)].kind == Storage::Kind::filtered) {
    is_behind_ = true;
    waiting_bytes_ += schema_.slab_elements(variable(v)) * size_of(variable(v).type);
  }
  if (when == Delivery::now && waiting_bytes_ > most_waiting_bytes && may_place()) deliver_all();
}

/// A thread goes on compressing while the program has HDF5, as far as there is memory for it.
bool ChunkStore::may_place() const {
  constexpr int64_t most_body_bytes = int64_t{128} << 20;
  if (access_.hdf5 == nullptr || access_.hdf5->is_free()) return true;
  return values_.waiting_bytes() > most_body_bytes;
}

void ChunkStore::write_announced(const BodyPlaces &places) {
  const auto failed = caught(-1, [&] { values_.write_announced(places); });
  if (failed) throw Error(*failed).in_file(path_);
}

/// Collective. Announces waiting chunks to the owner, and writes those announced before. A single rank needs no turns.
void ChunkStore::deliver_all() {
  if (peers_.alone()) return write_alone([] {});
  waiting_bytes_ = 0;
  const auto places = placing_.turn(values_.waiting());
  values_.announce();
  if (places) write_announced(*places);
}

/// What waits gets its places, and `last` is done with HDF5, which is borrowed once for both; then it is written.
void ChunkStore::write_alone(const std::function<void()> &last) {
  waiting_bytes_ = 0;
  std::vector<BodyPlaces> all;
  {
    const BorrowedHdf5 hdf5(access_.hdf5);
    placing_.turn(values_.waiting());  // of earlier ones nothing is left
    values_.announce();
    all = placing_.drain();
    if (placing_.failure()) throw Error(*placing_.failure());
    last();
  }
  for (const BodyPlaces &places : all) write_announced(places);
}

/// Collective.
void ChunkStore::write_rest() {
  FirstError failed;
  for (const BodyPlaces &places : placing_.drain()) failed.attempt([&] { write_announced(places); });
  failed.check();
}

/// As at a commit, but nothing counts that did not count before.
void ChunkStore::admit(int64_t) {
  if (!writing_ || !peers_.alone() || (name_.named() && !has_uncommitted_)) return;
  is_behind_ = false;
  values_.complete();
  write_alone([this] {
    index_->lengthen(records_);
    index_->flush();
  });
  write_metadata();
}

/// Collective.
void ChunkStore::sync() {
  if (writing_) write_all();
  values_.file().sync();
}

/// On the owner. The data are in the file already, so readers of these metadata find them. A file without a name has
/// no readers.
void ChunkStore::write_metadata() {
  PositionalFile &file = values_.file();
  MetadataImage &image = recorded_->image;
  const std::vector<Change> changes = image.changes();
  if (name_.named() && is_committed_) {
    if (journal_ == nullptr) journal_ = std::make_unique<Journal>(name_.place());
    journal_->commit(file, {changes, image.end()}, name_.durable(), values_.counters);
  } else {
    if (file.size() < image.end()) file.resize(image.end());
    for (const Change &each : changes) file.write(each.offset_bytes, each.bytes, values_.counters);
  }
  image.committed();
  places_->commit();
  is_committed_ = true;
}

/// Collective. When it returns, the values that all ranks have written are in the file; or it throws on all.
void ChunkStore::write_all() {
  is_behind_ = false;
  if (peers_.alone()) {
    values_.complete();
    return write_alone([] {});
  }
  FirstError failed;
  failed.attempt([&] { values_.complete(); });
  failed.attempt([&] { deliver_all(); });
  failed.attempt([&] { write_rest(); });
  failed.note(placing_.failure());
  together([&] { failed.check(); });
}

/// On the owner, once it knows how the variables are stored: an error if the virtual index cannot describe them.
void ChunkStore::begin_references() {
  if (!access_.virtual_index) return;
  check_references();
  references_.emplace(path_);
}

void ChunkStore::check_references() const {
  for (int v = 0; v < std::ssize(schema_.variables); ++v) stored_variable(schema_, v, *index_);
}

/// The references of all chunks that the index knows. They are published after the record count.
void ChunkStore::write_references() {
  if (!references_) return;
  schema_.records = records_;
  references_->write(
      schema_, [this](int v) { return stored_variable(schema_, v, *index_); }, name_.durable(), values_.counters);
}

/// Collective. A published file has no readers before its end: missing parts of chunks may come until
/// then.
void ChunkStore::commit(int64_t records) {
  records_ = records;
  fill_unwanted(records);
  in_file([&] {
    if (name_.kind() == Kind::growing) {
      complete_index([this] { index_->flush(); });
      together([&] {
        if (!owns()) return;
        write_metadata();
        if (name_.durable()) values_.file().sync();
        if (references_ && name_.replaces()) references_->withdraw();
        name_.committed();
        if (references_) references_->publish();
      });
    }
  });
  has_uncommitted_ = false;
}

/// Collective. All that was written is in the file, and the owner's HDF5 knows of it and of the records that count;
/// then it does `last`.
void ChunkStore::complete_index(const std::function<void()> &last, bool is_end) {
  if (peers_.alone()) {
    is_behind_ = false;
    values_.complete();
  } else {
    write_all();
  }
  const std::vector<LargestError> errors = is_end ? largest_errors(values_.losses) : std::vector<LargestError>();
  const auto end = [&] {
    index_->lengthen(records_);
    index_->state(errors);
    write_references();
    last();
  };
  if (peers_.alone()) return write_alone(end);
  together([&] {
    if (owns()) end();
  });
}

/// Of a file that has failed, or is given up in the middle of a step, metadata stay as they were committed last.
void ChunkStore::detach() {
  PositionalFile &file = values_.file();
  if (!file.is_open()) return;
  in_file([&] {
    const bool is_given_up = name_.kind() == Kind::growing && has_uncommitted_;
    if (writing_ && !has_failed_ && !is_given_up) {
      complete_index([this] { std::exchange(index_, nullptr)->close(); }, true);
      together([&] {
        if (owns()) {
          write_metadata();
          file.resize(recorded_->image.end());
        }
        if (name_.durable()) file.sync();
      });
    }
    index_ = nullptr;
    reader_ = nullptr;
    if (journal_ != nullptr) journal_->remove();
    file.close();
  });
}

void ChunkStore::finish() {
  if (!owns()) return;
  if (references_ && name_.replaces()) references_->withdraw();
  name_.finish();
  if (references_) references_->publish();
}

}  // namespace

std::unique_ptr<Store> netcdf4::make_chunk_store(const std::string &path, Kind kind, const Access &access) {
  return std::make_unique<ChunkStore>(path, kind, access);
}

}  // namespace sv
