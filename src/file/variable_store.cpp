#include "file/variable_store.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "base/arithmetic.hpp"
#include "base/error.hpp"
#include "base/first_error.hpp"
#include "file/taken_name.hpp"
#include "store/being_written.hpp"
#include "store/header_format.hpp"
#include "store/positional_file.hpp"
#include "store/retry.hpp"
#include "store/variable_files.hpp"

namespace sv {

namespace {

class VariableStore final : public Store {
 public:
  explicit VariableStore(VariableStores how) : how_(std::move(how)) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void prepare_replacement() override {
    each([](Owner &store) { store.prepare_replacement(); });
  }
  void mark_failed_everywhere() noexcept override {
    for (File &file : files_) file.store->mark_failed_everywhere();
  }
  int64_t most_calls(Direction direction, int variable, int64_t mine) override;
  Storing storing(int variable) override {
    Reader &store = *opened(first_of(variable)).store;
    return store.storing(first_id(variable));
  }
  void grow(std::span<const RecordCount> variables) override {
    for (const RecordCount &of : variables)
      each_with(of.variable, [&of](Team &store, int id) { store.grow(std::array{RecordCount{id, of.records}}); });
  }
  void agree(const Error *error) override {
    if (!files_.empty()) return files_.front().store->agree(error);
    Store::agree(error);
  }
  void write(const Slab &slab, std::span<const std::byte> values) override {
    each_with(slab.variable, [&](Writer &store, int id) { store.write(of_file(slab, id), values); });
  }
  void deliver(int variable, Delivery when) override {
    each_with(variable, [when](Team &store, int id) { store.deliver(id, when); });
  }
  void read(const Slab &slab, std::span<std::byte> values) override {
    Reader &store = *opened(first_of(slab.variable)).store;
    store.read(of_file(slab, first_id(slab.variable)), values);
  }
  void write_many(std::span<const SlabPart> parts) override;
  void read_many(std::span<const SlabPart> parts) override;
  void sync() override {
    each_open([](Writer &store) { store.sync(); });
  }
  void duplicate(std::vector<PositionalFile> &descriptors) override {
    each_open([&](Writer &store) { store.duplicate(descriptors); });
  }
  void admit(int64_t records) override {
    schema_.records = std::max(schema_.records, records);
    each_open([records](Reader &store) { store.admit(records); });
  }
  void sync_name() override {
    each([](Owner &store) { store.sync_name(); });
  }
  void be_durable(bool durable) override {
    each([durable](Owner &store) { store.be_durable(durable); });
  }
  void commit(int64_t records) override;
  void detach() override;
  void finish() override;
  void abandon() noexcept override {
    for (File &file : files_)
      if (file.begun && !taken_.is_found()) file.store->abandon();
  }
  StoreCounters counters() const override;
  std::vector<std::string> remarks() const override;

 private:
  struct File {
    std::string path;
    std::unique_ptr<Store> store;
    std::map<int, int> ids{};  // by the variable's id in the whole, that in the file; once it is open
    bool open = false, begun = false;
  };
  struct Parts {
    std::vector<SlabPart> list;
    size_t next = 0;  // the part of the whole that would follow its last
  };

  void use(const PlacedSchema &schema);
  PlacedSchema definitions_of(size_t number) const;
  void know(size_t number, const Schema &own);
  std::vector<PlacedSchema> all_definitions();
  File &first_of(int variable) { return files_[of_variable_[static_cast<size_t>(variable)].front()]; }
  const File &first_of(int variable) const { return files_[of_variable_[static_cast<size_t>(variable)].front()]; }
  int first_id(int variable) const { return first_of(variable).ids.at(variable); }
  File &opened(File &file);
  void open(File &file, PlacedSchema own);
  std::vector<Parts> by_file(std::span<const SlabPart> parts, bool first_only);
  static Slab of_file(Slab slab, int id) {
    slab.variable = id;
    return slab;
  }
  /// Of teams each makes the same calls, also behind a file that has failed.
  template <class Action>
  void in_turn(Action action) {
    FirstError first;
    for (File &file : files_) first.attempt([&] { action(file); });
    first.check();
  }
  template <class Action>
  void each(Action action) {
    in_turn([&](File &file) { action(*file.store); });
  }
  template <class Action>
  void each_open(Action action) {
    in_turn([&](File &file) {
      if (file.open) action(*file.store);
    });
  }
  template <class Action>
  void each_with(int variable, Action action) {
    FirstError first;
    for (const size_t number : of_variable_[static_cast<size_t>(variable)]) {
      File &file = files_[number];
      first.attempt([&] { action(*opened(file).store, file.ids.at(variable)); });
    }
    first.check();
  }

  const VariableStores how_;
  PlacedSchema schema_;  // of the whole
  std::vector<VariableFile> division_;
  std::vector<File> files_;
  std::vector<std::vector<size_t>> of_variable_;  // the files that have it
  StoreCounters past_;                            // of files that it had by earlier definitions
  bool writing_ = false;
  TakenName taken_;
};

void VariableStore::use(const PlacedSchema &schema) {
  schema_ = schema;
  past_ = counters();
  files_.clear();
  division_ = variable_files(schema);
  of_variable_.assign(schema.variables.size(), {});
  for (size_t number = 0; number < division_.size(); ++number) {
    const std::string &name = schema.variables[static_cast<size_t>(division_[number].variable)].name;
    const std::string path = variable_path(how_.path_template, name);
    files_.push_back({path, how_.make(path)});
    for (const int v : division_[number].has) of_variable_[static_cast<size_t>(v)].push_back(number);
  }
}

/// An existing file contains the positions of its values; if a library places them, they are not needed.
PlacedSchema VariableStore::definitions_of(size_t number) const {
  if (!how_.is_new && how_.kind->placing == Placing::in_file)
    return read_definitions(*how_.kind, files_[number].path, false);
  PlacedSchema own{schema_of(schema_, division_, division_[number], *how_.run), {}};
  place_variables(own, how_.placement);
  return own;
}

void VariableStore::know(size_t number, const Schema &own) {
  File &file = files_[number];
  for (const int v : division_[number].has) {
    const std::string &name = schema_.variables[static_cast<size_t>(v)].name;
    file.ids[v] = own.find_variable(name);
    if (file.ids[v] < 0)
      throw Error(Status::format, "the variable is missing in this file of the set", "Give the files of one run")
          .in_variable(name)
          .in_file(file.path);
  }
}

/// Of all files. An error of one rank of a team is thrown on all, before any of them waits for it in a store.
std::vector<PlacedSchema> VariableStore::all_definitions() {
  std::vector<PlacedSchema> all;
  const auto failed = caught(-1, [&] {
    for (size_t number = 0; number < files_.size(); ++number) {
      all.push_back(definitions_of(number));
      know(number, all.back());
    }
  });
  agree(failed ? &*failed : nullptr);
  return all;
}

void VariableStore::create(const PlacedSchema &schema, bool exclusive) {
  use(schema);
  writing_ = true;
  const std::vector<PlacedSchema> definitions = all_definitions();
  for (size_t number = 0; number < files_.size(); ++number) {
    files_[number].begun = true;
    files_[number].store->create(definitions[number], exclusive);
    files_[number].open = true;
  }
}

/// A file of the set that counts fewer records than another one.
struct Lagging {
  const std::string &path;
  const PlacedSchema &own;
};

/// A run that was killed between two counts leaves files of which some have a step less, though its values are there.
/// If they are not, another file counts unwritten records, or this one is older.
void check_has_values(const Lagging &file, int64_t records) {
  int64_t bytes = file.own.places->record_bytes;
  const bool fits = multiply_into(bytes, records) && add_into(bytes, file.own.places->record_begin);
  const auto size = static_cast<int64_t>(std::filesystem::file_size(file.path));
  if (fits && size > file.own.places->end_of_data(records) - 4) return;
  throw Error(Status::format,
              "the file has " + std::to_string(file.own.records) + " records in " + std::to_string(size) +
                  " bytes, and another one of the set counts " + std::to_string(records),
              "One of them is damaged, or of another run: give the files that one run has written")
      .in_file(file.path);
}

void raise_records(const FoundFiles &found, const Lagging &of, int64_t records) {
  StoreCounters counters;
  PositionalFile file(of.path, PositionalFile::Mode::update);
  found.check(of.path, file);
  if (!retry_until([&] { return file.lock(); })) throw busy(of.path, of.path);
  file.write(records_offset, encode_records(of.own.format, records), counters);
  file.close();
}

void VariableStore::reopen(const PlacedSchema &schema) {
  use(schema);
  writing_ = true;
  std::vector<PlacedSchema> definitions = all_definitions();
  const auto failed = caught(-1, [&] {
    std::vector<Lagging> lagging;
    for (size_t number = 0; number < files_.size(); ++number)
      if (const PlacedSchema &own = definitions[number]; own.places && own.records < schema.records)
        lagging.push_back({files_[number].path, own});
    for (const Lagging &each : lagging) check_has_values(each, schema.records);
    for (const Lagging &each : lagging) raise_records(*how_.found, each, schema.records);
    for (PlacedSchema &own : definitions) own.records = schema.records;
  });
  agree(failed ? &*failed : nullptr);
  for (size_t number = 0; number < files_.size(); ++number) {
    files_[number].begun = true;
    files_[number].store->reopen(definitions[number]);
    files_[number].open = true;
  }
}

/// A reader opens a file when it needs it.
void VariableStore::attach(const PlacedSchema &schema, bool writing) {
  use(schema);
  writing_ = writing;
  for (File &file : files_) file.open = false;
  if (!writing && !how_.together) return;
  std::vector<PlacedSchema> definitions = all_definitions();
  for (size_t number = 0; number < files_.size(); ++number) open(files_[number], std::move(definitions[number]));
}

void VariableStore::open(File &file, PlacedSchema own) {
  own.records = schema_.records;
  file.store->attach(own, writing_);
  file.open = true;
}

VariableStore::File &VariableStore::opened(File &file) {
  if (file.open) return file;
  const auto number = static_cast<size_t>(&file - files_.data());
  PlacedSchema own = definitions_of(number);
  know(number, own);
  open(file, std::move(own));
  return file;
}

int64_t VariableStore::most_calls(Direction direction, int variable, int64_t mine) {
  int64_t most = 0;
  const auto ask = [&](File &file) {
    most = std::max(most, opened(file).store->most_calls(direction, file.ids.at(variable), mine));
  };
  if (direction == Direction::read)
    ask(first_of(variable));
  else
    for (const size_t number : of_variable_[static_cast<size_t>(variable)]) ask(files_[number]);
  return most;
}

/// Parts that are contiguous in the whole are so in a file only within a slab: elsewhere others stand between, or none.
std::vector<VariableStore::Parts> VariableStore::by_file(std::span<const SlabPart> parts, bool first_only) {
  std::vector<Parts> all(files_.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const Slab &slab = parts[i].slab;
    for (const size_t number : of_variable_[static_cast<size_t>(slab.variable)]) {
      Parts &of = all[number];
      const bool follows = i > 0 && of.next == i && parts[i - 1].slab.variable == slab.variable &&
                           parts[i - 1].slab.record == slab.record;
      const int id = opened(files_[number]).ids.at(slab.variable);
      of.list.push_back({of_file(slab, id), parts[i].values, parts[i].touches && follows});
      of.next = i + 1;
      if (first_only) break;
    }
  }
  return all;
}

void VariableStore::write_many(std::span<const SlabPart> parts) {
  const std::vector<Parts> all = by_file(parts, false);
  in_turn([&](File &file) {
    const std::vector<SlabPart> &list = all[static_cast<size_t>(&file - files_.data())].list;
    if (how_.kind->has_team || !list.empty()) file.store->write_many(list);
  });
}

void VariableStore::read_many(std::span<const SlabPart> parts) {
  const std::vector<Parts> all = by_file(parts, true);
  in_turn([&](File &file) {
    const std::vector<SlabPart> &list = all[static_cast<size_t>(&file - files_.data())].list;
    if (how_.together || !list.empty()) file.store->read_many(list);
  });
}

void VariableStore::commit(int64_t records) {
  taken_.watch([&] {
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) file->store->commit(records);
  });
  schema_.records = records;
}

void VariableStore::detach() {
  in_turn([](File &file) {
    if (std::exchange(file.open, false)) file.store->detach();
  });
}

/// The set is there when its first file has its name.
void VariableStore::finish() {
  taken_.watch([&] {
    for (auto file = files_.rbegin(); file != files_.rend(); ++file) file->store->finish();
  });
}

StoreCounters VariableStore::counters() const {
  StoreCounters sum = past_;
  for (const File &file : files_) sum.add(file.store->counters());
  return sum;
}

std::vector<std::string> VariableStore::remarks() const {
  if (files_.empty()) return {};
  std::vector<std::string> all = files_.front().store->remarks();
  all.push_back("each of " + std::to_string(files_.size()) + " variables has a file of its own, as '" +
                files_.front().path + "'");
  return all;
}

}  // namespace

std::unique_ptr<Store> make_variable_store(VariableStores how) {
  return std::make_unique<VariableStore>(std::move(how));
}

}  // namespace sv
