#include "tiny_store/tiny_store.hpp"
#include "store/read_schema.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "store/file_name.hpp"
#include "store/file_runs.hpp"
#include "store/header_format.hpp"
#include "store/positional_file.hpp"

namespace sv::tiny {

namespace {

namespace fs = std::filesystem;
using FileMode = PositionalFile::Mode;

class TinyStore final : public Store {
 public:
  TinyStore(std::string path, Kind kind) : path_(std::move(path)), kind_(kind) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void read(const Slab &slab, std::span<std::byte> values) override;
  void sync() override;
  void commit(int64_t records) override;
  void detach() override;
  void finish() override;
  void abandon() noexcept override;
  StoreCounters counters() const override { return counters_; }

 private:
  std::string part() const { return path_ + ".part"; }
  std::string marker() const { return path_ + ".complete"; }
  std::string place() const { return named_ ? path_ : part(); }
  void use(const PlacedSchema &schema, bool owner, bool writing);
  void open_all(FileMode mode);
  PositionalFile &definitions();
  void require_owner(bool right) const;
  void require_record(const Slab &slab);
  template <typename Move>
  void move(const Slab &slab, int64_t bytes, Move move);
  void cut();
  void publish();

  const std::string path_;
  Kind kind_;
  PlacedSchema schema_;  // each variable begins at 0 in its file
  PositionalFile definitions_;
  std::vector<PositionalFile> variables_;
  StoreCounters counters_;
  int64_t records_ = 0;  // known to be committed
  bool owner_ = false, named_ = false, writing_ = false;
};

void TinyStore::use(const PlacedSchema &schema, bool owner, bool writing) {
  schema_ = schema;
  schema_.places = slab_sizes(schema);
  for (CdfPlaces::Place &each : schema_.places->variables) each.step_bytes = each.slab_bytes;
  records_ = schema.records;
  owner_ = owner;
  writing_ = writing;
}

void TinyStore::open_all(FileMode mode) {
  definitions_ = PositionalFile(definitions_of(place()), mode, path_);
  variables_.clear();
  for (int v = 0; v < std::ssize(schema_.variables); ++v) variables_.emplace_back(variable_of(place(), v), mode, path_);
}

PositionalFile &TinyStore::definitions() {
  if (!definitions_.is_open())
    throw Error(Status::internal, "the store is used before it was opened", "Please report this").in_file(path_);
  return definitions_;
}

void TinyStore::create(const PlacedSchema &schema, bool exclusive) {
  check_new_file(path_, exclusive, true);
  fs::remove_all(part());
  fs::remove(marker());
  fs::create_directory(part());
  PlacedSchema empty = schema;
  empty.records = 0;
  use(empty, true, true);
  named_ = false;
  open_all(FileMode::make);
  definitions_.write(0, encode_header(empty), counters_);
}

/// Values beyond the committed records are cut; a file that has fewer was truncated.
void TinyStore::reopen(const PlacedSchema &schema) {
  use(schema, false, true);
  named_ = true;
  open_all(FileMode::update);
  for (size_t v = 0; v < variables_.size(); ++v)
    if (variables_[v].size() <= bytes_of(schema_, static_cast<int>(v), records_) - 4)
      throw Error(Status::format, "the file of '" + schema_.variables[v].name + "' is too short", "Take another copy")
          .in_file(path_);
  kind_ = Kind::growing;
  owner_ = true;
  fs::remove(marker());
  fs::remove_all(part());
  for (size_t v = 0; v < variables_.size(); ++v)
    variables_[v].resize(std::min(variables_[v].size(), bytes_of(schema_, static_cast<int>(v), records_)));
}

void TinyStore::attach(const PlacedSchema &schema, bool writing) {
  use(schema, false, writing);
  named_ = !writing || (kind_ == Kind::growing && !fs::exists(part()));
  open_all(writing ? FileMode::update : FileMode::read);
}

/// `move` is called with each contiguous run of the slab, in the file of its variable.
template <typename Move>
void TinyStore::move(const Slab &slab, int64_t bytes, Move move) {
  try {
    FileRunCursor runs(schema_, slab, bytes);
    FileRun run{};
    while (runs.next(run)) move(variables_[static_cast<size_t>(slab.variable)], run);
  } catch (Error &error) {
    throw error.in_file(path_);
  }
}

void TinyStore::write(const Slab &slab, std::span<const std::byte> values) {
  definitions();
  if (!writing_) throw Error(Status::io, "the file is open for reading only", "Open it with SV_WRITE").in_file(path_);
  move(slab, std::ssize(values), [&](PositionalFile &file, const FileRun &run) {
    file.write(run.offset_bytes, values.subspan(static_cast<size_t>(run.buffer_bytes), static_cast<size_t>(run.bytes)),
               counters_);
  });
}

/// The owner may have committed records since this rank attached: the definitions show it.
void TinyStore::require_record(const Slab &slab) {
  const bool known = slab.variable >= 0 && slab.variable < std::ssize(variables_);
  if (!known || !schema_.variables[static_cast<size_t>(slab.variable)].has_records || slab.record < records_) return;
  std::array<std::byte, 8> field{};
  definitions().read(records_offset, std::span(field).first(static_cast<size_t>(count_width(schema_.format))),
                     counters_);
  records_ = std::max(records_, decode_records(schema_.format, field.data()));
  if (const auto missing = caught(-1, [&] { check_record(slab.record, records_); }))
    throw Error(*missing).in_variable(schema_.variables[static_cast<size_t>(slab.variable)].name).in_file(path_);
}

void TinyStore::read(const Slab &slab, std::span<std::byte> values) {
  definitions();
  require_record(slab);
  move(slab, std::ssize(values), [&](PositionalFile &file, const FileRun &run) {
    const auto part = values.subspan(static_cast<size_t>(run.buffer_bytes), static_cast<size_t>(run.bytes));
    if (file.read(run.offset_bytes, part, counters_) < run.bytes)
      throw Error(Status::format, "the file of a variable ends too early", "Take another copy");
  });
}

void TinyStore::sync() {
  definitions().sync();
  for (PositionalFile &each : variables_) each.sync();
}

void TinyStore::require_owner(bool right) const {
  if (!owner_ || !right)
    throw Error(Status::internal, "a commit or end by another rank than the owner, or of fewer records than before",
                "Please report this")
        .in_file(path_);
}

void TinyStore::commit(int64_t records) {
  require_owner(records >= records_);
  definitions().write(records_offset, encode_records(schema_.format, records), counters_);
  records_ = records;
  if (kind_ == Kind::growing) publish();
}

void TinyStore::detach() {
  definitions_.close();
  for (PositionalFile &each : variables_) each.close();
}

/// One directory does not take the place of another: between the two calls the file has no name.
void TinyStore::publish() {
  if (std::exchange(named_, true)) return;
  fs::remove_all(path_);
  rename_file(part(), path_);
}

/// Every variable has as many records as the definitions count.
void TinyStore::cut() {
  for (int v = 0; v < std::ssize(schema_.variables); ++v)
    fs::resize_file(variable_of(place(), v), static_cast<uintmax_t>(bytes_of(schema_, v, records_)));
}

void TinyStore::finish() {
  require_owner(true);
  detach();
  cut();
  publish();
  if (kind_ == Kind::growing) PositionalFile(marker(), FileMode::make).close();
  owner_ = false;
}

void TinyStore::abandon() noexcept {
  try {
    definitions_ = PositionalFile();
    variables_.clear();
    if (!std::exchange(owner_, false)) return;
    named_ ? cut() : static_cast<void>(fs::remove_all(part()));
  } catch (...) {
    // The error that led here is reported.
  }
}

}  // namespace

std::unique_ptr<Store> make_store(const std::string &path, Kind kind) {
  return std::make_unique<TinyStore>(path, kind);
}

Schema read_definitions(const std::string &path) { return read_schema(definitions_of(path)); }

bool knows(const std::string &path) { return presence_of(definitions_of(path)) == Presence::file; }

std::string definitions_of(const std::string &folder) { return folder + "/definitions"; }

std::string variable_of(const std::string &folder, int variable) { return folder + "/" + std::to_string(variable); }

int64_t bytes_of(const PlacedSchema &schema, int variable, int64_t records) {
  return schema.place(variable).slab_bytes *
         (schema.variables[static_cast<size_t>(variable)].has_records ? records : 1);
}

}  // namespace sv::tiny
