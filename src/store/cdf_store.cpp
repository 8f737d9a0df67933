#include <fcntl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "store/cdf_store.hpp"
#include "store/collected_writes.hpp"
#include "store/file_runs.hpp"
#include "store/found_files.hpp"
#include "store/gather.hpp"
#include "store/header_copy.hpp"
#include "store/header_format.hpp"
#include "store/positional_file.hpp"
#include "store/publication.hpp"
#include "store/sieve.hpp"
#include "store/virtual_index.hpp"

namespace sv {
namespace {

/// All that places of values come from. Where a header is written anew, redefine has brought its attributes.
PlacedSchema without_attributes(const PlacedSchema &all) {
  PlacedSchema bare;
  bare.format = all.format;
  bare.dims = all.dims;
  bare.places = all.places;
  bare.variables.reserve(all.variables.size());
  for (const Variable &each : all.variables)
    bare.variables.push_back({each.name, each.type, each.dims, {}, each.has_records});
  return bare;
}

class CdfStore final : public Store {
 public:
  CdfStore(std::string path, Kind kind, const CdfOptions &options)
      : name_(std::move(path), kind, false, options.stripes),
        found_(options.found == nullptr ? std::make_shared<FoundFiles>() : options.found),
        policy_(options.policy == nullptr ? WritePolicy{} : *options.policy),
        stripes_(options.stripes),
        has_virtual_index_(options.virtual_index),
        reads_ahead_(options.read_ahead) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void redefine(const PlacedSchema &schema) override;
  void prepare_replacement() override { name_.prepare_replacement(); }
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void collect() override { collects_ = true; }
  void read(const Slab &slab, std::span<std::byte> values) override;
  void write_many(std::span<const SlabPart> parts) override;
  void read_many(std::span<const SlabPart> parts) override;
  bool write_records(std::span<const SlabPart> of_one, int64_t first, int64_t last) override;
  void sync() override { open_file().sync(); }
  void duplicate(std::vector<PositionalFile> &descriptors) override { descriptors.push_back(open_file().duplicate()); }
  void admit(int64_t records) override { records_ = std::max(records_, records); }
  void sync_name() override { name_.sync_name(); }
  void be_durable(bool durable) override { name_.be_durable(durable); }
  void commit(int64_t records) override;
  void detach() override;
  void finish() override;
  void abandon() noexcept override;
  std::vector<std::string> remarks() const override { return remarks_; }
  StoreCounters counters() const override { return counters_; }
  void keep_ranges(WrittenRanges &ranges) override { counters_.ranges = &ranges; }

 private:
  const std::string &path() const { return name_.path(); }
  PositionalFile &open_file();
  void write_run(int64_t offset_bytes, std::span<const std::byte> values, int variable);
  void write_collected();
  void use(const PlacedSchema &schema, int64_t records, bool owner);
  void reserve();
  void check_size() const;
  int64_t count_in(PositionalFile &file);
  void check_records();
  void restate();
  void write_virtual_index();
  void require_record(const Slab &slab);
  void read_ahead(const Slab &slab, int64_t bytes);
  template <typename Action>
  void for_runs(std::span<const SlabPart> parts, Action action) const;
  std::vector<FileRun> joined_runs(std::span<const SlabPart> parts, const std::byte *values) const;
  std::string names_of(int first, int last) const;
  template <typename Action>
  void in_context(const Slab &slab, Action action);

  static inline const Slab many_{-1, 0, {}, 0, 0};  // for errors: of no variable in particular
  Publication name_;
  std::vector<std::string> remarks_;
  const std::shared_ptr<FoundFiles> found_;
  PlacedSchema schema_;
  PositionalFile file_;
  Sieve sieve_;
  Gather gather_;
  CollectedWrites collected_;
  StoreCounters counters_;
  int64_t records_ = 0;  // known to be committed
  int64_t counted_ = 0;  // in the header, of the owner
  bool owner_ = false;   // created or reopened it
  bool collects_ = false;
  int64_t restated_bytes_ = 0;  // of the header that the next commit replaces; 0: none
  const WritePolicy policy_;
  const FileStripes stripes_;
  const bool has_virtual_index_, reads_ahead_;
  std::optional<VirtualIndex> virtual_index_;  // the owner's
};

/// With all that was written.
PositionalFile &CdfStore::open_file() {
  if (!file_.is_open())
    throw Error(Status::internal, "the store is used before it was opened", "Please report this").in_file(path());
  if (!collected_.is_empty()) write_collected();
  return file_;
}

void CdfStore::write_collected() {
  try {
    collected_.write(file_, counters_);
  } catch (Error &error) {
    throw error.in_variable(names_of(collected_.first_variable(), collected_.last_variable())).in_file(path());
  }
}

void CdfStore::detach() {
  if (!collected_.is_empty()) write_collected();
  file_.close();
}

void CdfStore::use(const PlacedSchema &schema, int64_t records, bool owner) {
  if (owner && has_virtual_index_) virtual_index_.emplace(path());
  if (virtual_index_)
    schema_ = schema;
  else
    schema_ = without_attributes(schema);
  schema_.records = records_ = counted_ = records;
  owner_ = owner;
  if (owner) sieve_.holes_are_zeros(true);
}

void CdfStore::create(const PlacedSchema &schema, bool exclusive) {
  std::vector<std::byte> header = encode_header(schema);
  std::ranges::copy(encode_records(schema.format, 0), header.begin() + records_offset);
  name_.begin(exclusive);
  remarks_ = name_.held().stripe_remarks(stripes_);
  file_ = PositionalFile({AT_FDCWD, name_.part(), false}, PositionalFile::Mode::update, path());
  if (!file_.identity().is_of_file(name_.held().identity())) throw lost_name(path(), name_.part());
  file_.write_by(policy_);
  use(schema, 0, true);
  const auto begun = std::chrono::steady_clock::now();
  file_.write(0, header, counters_);
  const auto took = std::chrono::steady_clock::now() - begun;
  counters_.header_us =
      beyond_bytes(std::chrono::duration_cast<std::chrono::microseconds>(took).count(), std::ssize(header));
  if (*counters_.header_us > priced_call_us) collected_.keep_many();
  reserve();
}

/// A header may grow into its reserve on a full disk, too.
void CdfStore::reserve() {
  if (file_.allocate(schema_.places->data_begin)) return;
  const std::vector<std::byte> zeros(static_cast<size_t>(schema_.places->data_begin - schema_.places->header_bytes));
  file_.write(schema_.places->header_bytes, zeros, counters_);
}

// A file without its last padding was cut off between a commit and the end: it holds all of its records.
void CdfStore::check_size() const {
  const int64_t size = file_.size(), wanted = schema_.places->end_of_data(records_);
  if (size <= wanted - 4)
    throw Error(Status::format,
                "the file has " + std::to_string(size) + " bytes, but its header promises " + std::to_string(wanted),
                "It was truncated, or not written completely: take another copy")
        .in_file(path());
}

/// The present count of its header; negative: unknown.
int64_t CdfStore::count_in(PositionalFile &file) {
  std::array<std::byte, 8> field{};
  const auto bytes = std::span(field).first(static_cast<size_t>(count_width(schema_.format)));
  if (file.read(records_offset, bytes, counters_) < static_cast<int64_t>(bytes.size())) return -1;
  return decode_records(schema_.format, field.data());
}

/// Since its header was read, before anybody was kept from writing it, somebody else may have written it.
void CdfStore::check_records() {
  const int64_t records = count_in(file_);
  if (records >= 0 && records != records_)
    throw Error(Status::access, "another program wrote it while it was opened", "Open it again").in_file(path());
}

void CdfStore::reopen(const PlacedSchema &schema) {
  name_.hold();
  found_->check(path(), name_.held());
  file_ = PositionalFile(path(), PositionalFile::Mode::update);
  if (!file_.identity().is_of_file(name_.held().identity())) throw replaced(path(), false);
  file_.write_by(policy_);
  use(schema, schema.records, true);
  mend_header(file_, name_.held_place(), counters_);
  check_records();
  check_size();
  name_.resume();
  const int64_t end = schema_.places->end_of_data(records_);
  if (file_.size() > end) file_.resize(end);
}

void CdfStore::attach(const PlacedSchema &schema, bool writing) {
  file_ = writing ? name_.opened() : found_->reading(path());
  if (writing) found_->check(path(), file_);
  if (writing) file_.write_by(policy_);
  use(schema, schema.records, false);
  sieve_.holes_are_zeros(writing);
}

void CdfStore::redefine(const PlacedSchema &schema) {
  if (restated_bytes_ == 0) restated_bytes_ = schema_.places->header_bytes;
  schema_ = schema;
}

template <typename Action>
void CdfStore::in_context(const Slab &slab, Action action) {
  try {
    action();
  } catch (Error &error) {
    error.in_file(path());
    if (slab.variable >= 0 && slab.variable < static_cast<int>(schema_.variables.size()))
      error.in_variable(schema_.variables[slab.variable].name);
    throw;
  }
}

void CdfStore::write(const Slab &slab, std::span<const std::byte> values) {
  in_context(slab, [&] {
    FileRunCursor runs(schema_, slab, static_cast<int64_t>(values.size()));
    FileRun run{};
    while (runs.next(run))
      write_run(run.offset_bytes, values.subspan(static_cast<size_t>(run.buffer_bytes), static_cast<size_t>(run.bytes)),
                slab.variable);
  });
}

void CdfStore::write_run(int64_t offset_bytes, std::span<const std::byte> values, int variable) {
  if (collects_ && collected_.take(offset_bytes, values, variable)) return;
  PositionalFile &file = open_file();
  if (collects_ && collected_.take(offset_bytes, values, variable)) return;
  file.write(offset_bytes, values, counters_);
}

// The owner may have committed records since this rank attached: the file contains the count.
void CdfStore::require_record(const Slab &slab) {
  if (!schema_.variables[slab.variable].has_records || slab.record < records_) return;
  open_file().forget_late_pages();
  records_ = std::max(records_, count_in(open_file()));
  check_record(slab.record, records_);
}

void CdfStore::read(const Slab &slab, std::span<std::byte> values) {
  in_context(slab, [&] {
    const FileRunCursor runs(schema_, slab, static_cast<int64_t>(values.size()));
    require_record(slab);
    sieve_.read(open_file(), runs, values.data(), counters_);
    read_ahead(slab, std::ssize(values));
  });
}

/// The system reads the same cells of the next record meanwhile. Runs that are near each other are one request.
void CdfStore::read_ahead(const Slab &slab, int64_t bytes) {
  constexpr int64_t near_bytes = 64 << 10;
  if (!reads_ahead_ || !schema_.variables[slab.variable].has_records || slab.record + 1 >= records_) return;
  int64_t begin = 0, end = 0;
  const auto ask = [&] {
    if (end > begin) file_.will_read(begin + schema_.places->record_bytes, end - begin);
  };
  FileRunCursor runs(schema_, slab, bytes);
  for (FileRun run{}; runs.next(run); end = run.offset_bytes + run.bytes) {
    if (end > begin && run.offset_bytes - end < near_bytes) continue;
    ask();
    begin = run.offset_bytes;
  }
  ask();
}

/// The runs of many slabs, with their bytes, and whether they touch the run before.
template <typename Action>
void CdfStore::for_runs(std::span<const SlabPart> parts, Action action) const {
  for (const SlabPart &part : parts) {
    FileRunCursor runs(schema_, part.slab, static_cast<int64_t>(part.values.size()));
    bool touches = part.touches;
    for (FileRun run{}; runs.next(run); touches = false)
      action(part.slab, run, part.values.subspan(static_cast<size_t>(run.buffer_bytes), static_cast<size_t>(run.bytes)),
             touches);
  }
}

/// The same in the order of the file, touching ones joined; their values begin at `values`. Slabs of many levels each
/// begin before the one before them ends.
std::vector<FileRun> CdfStore::joined_runs(std::span<const SlabPart> parts, const std::byte *values) const {
  std::vector<FileRun> all;
  for_runs(parts, [&](const Slab &, const FileRun &run, std::span<const std::byte> bytes, bool touches) {
    if (touches)
      all.back().bytes = run.offset_bytes + run.bytes - all.back().offset_bytes;
    else
      all.push_back({run.offset_bytes, bytes.data() - values, run.bytes});
  });
  const auto before = [](const FileRun &a, const FileRun &b) { return a.offset_bytes < b.offset_bytes; };
  if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
  return all;
}

/// Names for one write: "a", or, if it begins with one variable and ends with another, "a' to 'c".
std::string CdfStore::names_of(int first, int last) const {
  const auto name = [this](int variable) { return schema_.variables[static_cast<size_t>(variable)].name; };
  return first == last ? name(first) : name(first) + "' to '" + name(last);
}

void CdfStore::write_many(std::span<const SlabPart> parts) {
  in_context(many_, [&] {
    gather_.clear();             // of a call that has failed
    int64_t begin = 0, end = 0;  // of the gathered bytes, in the file
    const Slab *first = nullptr, *last = nullptr;
    const auto write_gathered = [&] {
      if (gather_.is_empty()) return;
      try {
        gather_.write(open_file(), begin, counters_);
      } catch (Error &error) {
        throw error.in_variable(names_of(first->variable, last->variable));
      }
    };
    for_runs(parts, [&](const Slab &slab, const FileRun &run, std::span<const std::byte> bytes, bool touches) {
      if (!touches) {
        write_gathered();
        begin = end = run.offset_bytes;
        first = &slab;
      }
      last = &slab;
      gather_.add(run.offset_bytes - end, bytes);
      end = run.offset_bytes + run.bytes;
    });
    write_gathered();
  });
}

/// Records follow one another in the file: as many as fit are written at once.
bool CdfStore::write_records(std::span<const SlabPart> of_one, int64_t first, int64_t last) {
  constexpr int64_t most_at_once_bytes = 1 << 20;
  const int64_t bytes = schema_.places->record_bytes;
  int64_t begin = INT64_MAX, end = 0;
  for (const SlabPart &part : of_one) {
    const CdfPlaces::Place &place = schema_.place(part.slab.variable);
    begin = std::min(begin, place.begin);
    end = std::max(end, place.begin + std::ssize(part.values));
  }
  if (begin > end || end - begin > bytes || bytes > most_at_once_bytes) return false;
  const int64_t at_once = std::min(last - first, most_at_once_bytes / bytes);
  std::vector<std::byte> values(static_cast<size_t>(at_once * bytes));
  for (int64_t record = 0; record < at_once; ++record)
    for (const SlabPart &part : of_one)
      std::ranges::copy(part.values, values.begin() + record * bytes + schema_.place(part.slab.variable).begin - begin);
  in_context(many_, [&] {
    for (int64_t record = first, next; record < last; record = next) {
      next = std::min(last, record + at_once);
      const auto length = static_cast<size_t>((next - record) * bytes);
      open_file().write(begin + record * bytes, std::span(values).first(length), counters_);
    }
  });
  return true;
}

void CdfStore::read_many(std::span<const SlabPart> parts) {
  if (parts.empty()) return;
  in_context(many_, [&] {
    std::byte *const values = parts.front().values.data();
    for (const SlabPart &part : parts) require_record(part.slab);
    const std::vector<FileRun> runs = joined_runs(parts, values);
    sieve_.read(open_file(), FileRunList(runs), values, counters_);
    for (const SlabPart &part : parts) read_ahead(part.slab, std::ssize(part.values));
  });
}

/// Records that a returned commit has counted stay readable: in a published file, after a power loss, too.
void CdfStore::restate() {
  schema_.records = counted_;
  const std::vector<std::byte> header = encode_header(schema_);
  const int64_t count_bytes = count_width(schema_.format);
  const bool on_disk = name_.named() || name_.durable();
  change_header(open_file(), name_.place(), {header, restated_bytes_, count_bytes, on_disk, name_.named()}, counters_);
  restated_bytes_ = 0;
}

void CdfStore::commit(int64_t records) {
  if (!owner_ || records < counted_)
    throw Error(Status::internal, "a commit by another rank than the owner, or of fewer records than before",
                "Please report this")
        .in_file(path());
  try {
    const bool stands_there = records == counted_ && restated_bytes_ == 0;
    if (restated_bytes_ > 0) restate();
    PositionalFile &file = open_file();
    if (!stands_there) file.write(records_offset, encode_records(schema_.format, records), counters_);
  } catch (Error &error) {
    throw error.in_file(path());
  }
  counted_ = records;
  admit(records);
  if (name_.durable()) open_file().sync();
  const bool takes_place = name_.kind() == Kind::growing && name_.replaces();
  if (virtual_index_ && takes_place) virtual_index_->withdraw();
  name_.committed();
  if (name_.kind() == Kind::growing) write_virtual_index();
}

void CdfStore::write_virtual_index() {
  if (!virtual_index_) return;
  schema_.records = counted_;
  try {
    virtual_index_->write(
        schema_,
        [this](int v) {
          const CdfPlaces::Place &place = schema_.place(v);
          StoredVariable stored =
              stored_in_one_piece(schema_, schema_.variables[static_cast<size_t>(v)], place.begin, place.step_bytes);
          stored.order = ByteOrder::big;
          return stored;
        },
        name_.durable(), counters_);
    virtual_index_->publish();
  } catch (Error &error) {
    throw error.in_file(path());
  }
}

void CdfStore::finish() {
  if (!owner_)
    throw Error(Status::internal, "finished by another rank than the owner", "Please report this").in_file(path());
  file_.close();
  PositionalFile &file = name_.held();
  const int64_t end = schema_.places->end_of_data(counted_);
  if (file.size() != end) file.resize(end);
  if (name_.durable()) file.sync();
  if (virtual_index_ && name_.replaces()) virtual_index_->withdraw();
  name_.finish();
  write_virtual_index();
  owner_ = false;
}

/// Records that the header counts are not cut off, although no commit has returned for them: PnetCDF writes there, too.
void CdfStore::abandon() noexcept {
  try {
    const bool owner = std::exchange(owner_, false);
    collected_.clear();
    file_ = PositionalFile();
    if (owner && name_.named() && name_.kind() == Kind::growing && name_.is_own()) {
      PositionalFile &file = name_.held();
      const int64_t end = schema_.places->end_of_data(std::max(counted_, count_in(file)));
      if (file.size() > end) file.resize(end);
    }
    if (owner) name_.abandon();
  } catch (...) {
    // The error that led here is reported; the next create or reopen removes the rest.
  }
}

}  // namespace

std::unique_ptr<Store> make_cdf_store(const std::string &path, Kind kind, const CdfOptions &options) {
  return std::make_unique<CdfStore>(path, kind, options);
}

}  // namespace sv
