#include "file/set_store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/fill.hpp"
#include "file/taken_name.hpp"
#include "packing/memory_view.hpp"
#include "store/positional_file.hpp"

namespace sv {

namespace {

constexpr int64_t spreading_bytes = 256 << 10;  // stays in the cache between reading and spreading

bool inside(const Box &part, const Box &whole) { return intersect(part, whole) == part; }

/// Where a box of the whole stands in a piece.
Box within(Box box, const Box &piece) {
  for (int d = 0; d < box.dims(); ++d) box.start[d] -= piece.start[d];
  return box;
}

class SetStore final : public Store {
 public:
  SetStore(std::string path, Kind kind, std::shared_ptr<const Division> division, const PieceMaker &pieces)
      : path_(std::move(path)), kind_(kind), division_(std::move(division)), how_(pieces) {
    for (int p = 0; p < static_cast<int>(division_->pieces.size()); ++p) {
      pieces_.push_back({how_.stores.make(path_of(p), kind), false});
      if (division_->pieces[static_cast<size_t>(p)].rank == how_.rank) own_.push_back(p);
    }
  }

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void read(const Slab &slab, std::span<std::byte> values) override;
  void sync() override {
    for (const int p : own_) at(p).store->sync();
  }
  void duplicate(std::vector<PositionalFile> &descriptors) override {
    for (const int p : own_) at(p).store->duplicate(descriptors);
  }
  void admit(int64_t records) override;
  void sync_name() override {
    for (const int p : own_) at(p).store->sync_name();
  }
  void be_durable(bool durable) override {
    for (const int p : own_) at(p).store->be_durable(durable);
  }
  void commit(int64_t records) override {
    schema_.records = records;
    taken_.watch([&] {
      for (const int p : own_) at(p).store->commit(records);
    });
  }
  void detach() override;
  void finish() override;
  void abandon() noexcept override {
    for (const int p : own_)
      if (!taken_.is_found()) at(p).store->abandon();
  }
  StoreCounters counters() const override;

 private:
  struct Opened {
    std::unique_ptr<Store> store;
    bool open;
  };
  std::string path_of(int piece) const { return how_.stores.access().found->pieces.path_of(path_, piece); }
  PlacedSchema definitions_of(int piece) const {
    return read_definitions(how_.stores.kind(), path_of(piece), how_.stores.access().untrusted);
  }
  Opened &at(int piece) { return pieces_[static_cast<size_t>(piece)]; }
  Store &opened(int piece);
  bool has_holes() const;
  void number_axes(int piece, const Schema &schema);
  ByteOrder byte_order() const { return how_.stores.kind().byte_order; }

  const std::string path_;
  const Kind kind_;
  const std::shared_ptr<const Division> division_;
  const PieceMaker how_;
  std::vector<Opened> pieces_;
  std::vector<int> own_;
  Schema schema_;  // of the whole
  bool writing_ = false, created_ = false;
  TakenName taken_;
};

/// The indices, from 1, along divided dimensions that have no axis.
void SetStore::number_axes(int piece, const Schema &schema) {
  for (const int v : added_axes(schema)) {
    const Variable &axis = schema.variables[static_cast<size_t>(v)];
    const auto divided = std::find(division_->dims.begin(), division_->dims.end(), axis.dims.front());
    const int64_t first =
        division_->pieces[static_cast<size_t>(piece)].box.start[static_cast<int>(divided - division_->dims.begin())] +
        1;
    const int64_t length = schema.dims[static_cast<size_t>(axis.dims.front())].length;
    std::vector<int32_t> indices(static_cast<size_t>(length));
    for (int64_t i = 0; i < length; ++i) indices[static_cast<size_t>(i)] = static_cast<int32_t>(first + i);
    std::vector<std::byte> ordered(indices.size() * sizeof(int32_t));
    pack_row(Type::int32, Type::int32, byte_order())(reinterpret_cast<const std::byte *>(indices.data()),
                                                     sizeof(int32_t), ordered.data(), length);
    at(piece).store->write({v, 0, Box::whole({length}), 0, length}, ordered);
  }
}

void SetStore::create(const PlacedSchema &schema, bool exclusive) {
  schema_ = schema;
  writing_ = created_ = true;
  for (const int p : own_) {
    const PlacedSchema own = piece_schema(schema, *division_, p, how_.placement, how_.run);
    at(p).store->create(own, exclusive);
    at(p).open = true;
    number_axes(p, own);
  }
}

void SetStore::reopen(const PlacedSchema &schema) {
  schema_ = schema;
  writing_ = true;
  for (const int p : own_) {
    at(p).store->reopen(definitions_of(p));
    at(p).open = true;
  }
}

void SetStore::attach(const PlacedSchema &schema, bool writing) {
  schema_ = schema;
  writing_ = writing;
}

/// A piece of another rank that is still being written has the given schema; other files contain theirs.
Store &SetStore::opened(int piece) {
  Opened &one = at(piece);
  if (!one.open) {
    PlacedSchema own =
        created_ ? piece_schema(schema_, *division_, piece, how_.placement, how_.run) : definitions_of(piece);
    own.records = schema_.records;
    one.store->attach(own, writing_);
    one.open = true;
  }
  return *one.store;
}

/// Libraries hold back what the index of a file is about to say, and read it once: pieces of other ranks are opened
/// anew.
void SetStore::admit(int64_t records) {
  schema_.records = std::max(schema_.records, records);
  for (int p = 0; p < std::ssize(pieces_); ++p) {
    Opened &one = at(p);
    const bool is_own = division_->pieces[static_cast<size_t>(p)].rank == how_.rank;
    if (is_own || !how_.stores.kind().is_plug_in) {
      if (one.open) one.store->admit(records);
    } else if (std::exchange(one.open, false)) {
      one.store->detach();
      one.store = how_.stores.make(path_of(p), kind_);
    }
  }
}

void SetStore::write(const Slab &slab, std::span<const std::byte> values) {
  const Variable &variable = schema_.variables[static_cast<size_t>(slab.variable)];
  for (const int p : own_) {
    const Box box = division_->box_of(schema_, variable, p);
    if (!inside(slab.box, box)) continue;
    return at(p).store->write({slab.variable, slab.record, within(slab.box, box), slab.first, slab.last}, values);
  }
  throw Error(Status::internal, "a slab that lies in none of this rank's pieces", "Please report this").in_file(path_);
}

/// Whether there are cells that no piece has.
bool SetStore::has_holes() const {
  int64_t cells = 1, covered = 0;
  for (const int dim : division_->dims) cells *= schema_.dims[static_cast<size_t>(dim)].length;
  for (const Division::Piece &piece : division_->pieces) covered += piece.box.elements();
  return covered < cells;
}

void SetStore::read(const Slab &slab, std::span<std::byte> values) {
  const Variable &variable = schema_.variables[static_cast<size_t>(slab.variable)];
  const int64_t bytes = size_of(variable.type), step = spreading_bytes / bytes;
  std::vector<std::byte> staging(static_cast<size_t>(bytes));
  pack_row(variable.type, variable.type, byte_order())(schema_.fill_value(variable).data(), bytes, staging.data(), 1);
  if (has_holes()) fill_elements(values.data(), slab.last - slab.first, staging.data(), bytes);
  for (int p = 0; p < static_cast<int>(pieces_.size()); ++p) {
    const Box box = division_->box_of(schema_, variable, p), part = intersect(slab.box, box);
    if (part.empty()) continue;
    const int64_t last = count_before(part, slab.box, slab.last);
    for (int64_t first = count_before(part, slab.box, slab.first), next; first < last; first = next) {
      next = std::min(first + step, last);
      staging.resize(static_cast<size_t>((next - first) * bytes));
      opened(p).read({slab.variable, slab.record, within(part, box), first, next}, staging);
      const int64_t from = position(slab.box, cell_at(part, first)),
                    to = position(slab.box, cell_at(part, next - 1)) + 1;
      spread_rows(part, {slab.box, from, to}, bytes, staging.data(), values.data() + (from - slab.first) * bytes);
    }
  }
}

void SetStore::detach() {
  for (Opened &one : pieces_) {
    if (!one.open) continue;
    one.open = false;
    one.store->detach();
  }
}

void SetStore::finish() {
  taken_.watch([&] {
    for (const int p : own_) at(p).store->finish();
  });
}

StoreCounters SetStore::counters() const {
  StoreCounters sum;
  for (const Opened &one : pieces_) sum.add(one.store->counters());
  return sum;
}

}  // namespace

std::unique_ptr<Store> make_set_store(const std::string &path, Kind kind, std::shared_ptr<const Division> division,
                                      const PieceMaker &pieces) {
  return std::make_unique<SetStore>(path, kind, std::move(division), pieces);
}

}  // namespace sv
