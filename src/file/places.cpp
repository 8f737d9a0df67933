#include "file/places.hpp"

#include <algorithm>
#include <vector>

namespace sv {

namespace {

Extent last_at_or_before(const std::vector<Extent> &extents, int64_t offset) {
  auto after = std::upper_bound(extents.begin(), extents.end(), offset,
                                [](int64_t at, const Extent &extent) { return at < extent.begin; });
  return after == extents.begin() ? extents.front() : *(after - 1);
}

/// Of a CDF file: the header, then fixed variables, then records.
class FileExtents final : public ExtentMap {
 public:
  explicit FileExtents(const PlacedSchema &schema);
  Extent covering(int64_t offset_bytes) const override;

 private:
  std::vector<Extent> fixed_;    // the header first; ascending
  std::vector<Extent> records_;  // of record 0, relative to its begin; ascending
  int64_t record_begin_, record_bytes_;
};

FileExtents::FileExtents(const PlacedSchema &schema)
    : record_begin_(schema.places->record_begin), record_bytes_(schema.places->record_bytes) {
  fixed_.push_back({0, schema.places->data_begin});
  for (int v = 0; v < std::ssize(schema.variables); ++v) {
    const CdfPlaces::Place &each = schema.place(v);
    if (each.slab_bytes == 0) continue;
    const bool of_record = schema.variables[static_cast<size_t>(v)].has_records;
    const int64_t from = of_record ? each.begin - record_begin_ : each.begin;
    (of_record ? records_ : fixed_).push_back({from, from + each.slab_bytes});
  }
  const auto by_begin = [](const Extent &a, const Extent &b) { return a.begin < b.begin; };
  std::sort(fixed_.begin(), fixed_.end(), by_begin);
  std::sort(records_.begin(), records_.end(), by_begin);
}

Extent FileExtents::covering(int64_t offset_bytes) const {
  if (offset_bytes < record_begin_ || records_.empty() || record_bytes_ == 0)
    return last_at_or_before(fixed_, offset_bytes);
  const int64_t base = record_begin_ + (offset_bytes - record_begin_) / record_bytes_ * record_bytes_;
  const Extent inside = last_at_or_before(records_, offset_bytes - base);
  return {base + inside.begin, base + inside.end};
}

/// A variable that stands alone: the store puts it where it likes.
class AloneExtents final : public ExtentMap {
 public:
  AloneExtents(int64_t begin, int64_t bytes) : begin_(begin), end_(begin + bytes) {}
  Extent covering(int64_t offset_bytes) const override {
    return offset_bytes < begin_ ? Extent{0, begin_} : Extent{begin_, end_};
  }

 private:
  int64_t begin_, end_;
};

}  // namespace

Places::Places(const PlacedSchema &schema, const Dependencies &ground)
    : schema_(schema), dependencies_(ground), stored_(schema.variables.size()) {
  dependencies_.chunks = summed(dependencies_.chunks, schema);
  if (ground.placing == Placing::in_file) in_file_ = std::make_unique<FileExtents>(schema);
}

Places::~Places() = default;

const Places::Stored &Places::stored(int variable) const {
  std::optional<Stored> &known = stored_[static_cast<size_t>(variable)];
  if (known) return *known;
  const Variable &each = schema_.variables[static_cast<size_t>(variable)];
  const bool in_chunks = dependencies_.placing == Placing::in_chunks || dependencies_.placing == Placing::by_chunk;
  Chunks chunks;
  if (in_chunks)
    chunks = variable < std::ssize(dependencies_.found)
                 ? dependencies_.found[static_cast<size_t>(variable)]
                 : chunks_of(schema_, each, dependencies_.chunks, dependencies_.owners);
  const int64_t stripe = chunk_stripe(schema_, each, chunks, dependencies_.stripe_bytes);
  return known.emplace(Stored{std::move(chunks), stripe});
}

const Chunks &Places::chunks(int variable) const { return stored(variable).chunks; }

int64_t Places::stripe_bytes(int variable) const {
  return in_file_ != nullptr ? dependencies_.stripe_bytes : stored(variable).stripe_bytes;
}

Field Places::field(int variable, int64_t record) const {
  const Variable &each = schema_.variables[static_cast<size_t>(variable)];
  const int64_t offset =
      in_file_ == nullptr ? stripe_bytes(variable) : schema_.place(variable).of_record(std::max<int64_t>(record, 0));
  Field field{schema_.slab_shape(each), 0, size_of(each.type), offset};
  if (dependencies_.placing == Placing::by_chunk) give_chunks(field, variable, record);
  return field;
}

/// Of chunks that the library chooses, whole records belong to one owner: all chunks that have part of one are its own.
/// So does a variable whose slabs grow: a chunk keeps its owner, however many of them there come to be. Shaped chunks
/// are numbered from record to record, so that owners take turns where a record has fewer chunks than there are owners.
void Places::give_chunks(Field &field, int variable, int64_t record) const {
  const Chunks &stored = chunks(variable);
  if (stored.kind == Chunks::Kind::contiguous) return;
  const bool grows = schema_.has_growing_slab(schema_.variables[static_cast<size_t>(variable)]);
  const bool is_shaped = stored.kind == Chunks::Kind::shaped && !grows;
  const int skipped = is_shaped ? stored.shape.n - field.shape.n : 0;
  int64_t before = skipped > 0 ? std::max<int64_t>(record, 0) / std::max<int64_t>(stored.shape[0], 1) : 0;
  before %= dependencies_.owners;
  for (int d = 0; d < field.shape.n; ++d) {
    field.chunk.push(is_shaped ? stored.shape[d + skipped] : std::max<int64_t>(field.shape[d], 1));
    const int64_t chunk = std::max<int64_t>(field.chunk[d], 1);
    before = before * ((field.shape[d] + chunk - 1) / chunk % dependencies_.owners) % dependencies_.owners;
  }
  field.first_owner = static_cast<int>((variable + before) % dependencies_.owners);
}

int64_t Places::step_bytes(int variable) const { return in_file_ == nullptr ? 0 : schema_.place(variable).step_bytes; }

const ExtentMap &Places::extents(int variable) const {
  if (in_file_ != nullptr) return *in_file_;
  const int64_t stripe = stripe_bytes(variable);
  const int64_t slab = slab_size(schema_, schema_.variables[static_cast<size_t>(variable)]);
  std::unique_ptr<const ExtentMap> &known = alone_[{stripe, slab}];
  if (known == nullptr) known = std::make_unique<AloneExtents>(stripe, slab);
  return *known;
}

}  // namespace sv
