// The store zarr: a Zarr group of version 3, in a directory. Every writer compresses the chunks that come to it, and
// writes their files by itself; the file's owner writes the metadata (docs/adr/0044-zarr.md). The shape in the group's
// zarr.json says which records count: it is replaced, at once, behind all data.
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "backend/backend.hpp"
#include "backend/chunked/chunked_store.hpp"
#include "backend/zarr/folder_name.hpp"
#include "backend/zarr/metadata.hpp"
#include "backend/zarr/strings.hpp"
#include "base/first_error.hpp"
#include "model/rules/netcdf4.hpp"
#include "store/stale_names.hpp"

namespace sv {

namespace {

using namespace zarr;

/// As netCDF-C does in its files; of a bound, also the largest error: the bound, until the file is closed.
void declare_quantization(Schema &schema, const std::vector<Array> &arrays) {
  for (size_t v = 0; v < arrays.size(); ++v) {
    Variable &variable = schema.variables[v];
    const Quantization &how = arrays[v].quantization;
    if (how.amount == 0) continue;
    std::vector<Attribute> made;
    if (how.has_bound()) {
      const auto bits = static_cast<int32_t>(most_bits(variable.type, how));
      made.push_back({"quantization_nsb", Type::int32, 1, SmallBytes(std::as_bytes(std::span(&bits, 1)))});
      const BoundAttributes names = bound_attributes(how.mode);
      made.push_back(number_attribute(names.bound, how.bound));
      made.push_back(number_attribute(names.worst, how.most_error()));
    } else {
      made.push_back(quantization_attribute(how));
    }
    for (Attribute &each : made) {
      std::erase_if(variable.attributes, [&](const Attribute &known) { return known.name == each.name; });
      variable.attributes.push_back(std::move(each));
    }
  }
}

class ZarrStore final : public ChunkedStore {
 public:
  ZarrStore(const std::string &path, Kind kind, const Access &access)
      : ChunkedStore(path, access),
        name_(path, kind, access.progress),
        values_(schema_, access.chunks, access.progress) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  int64_t most_calls(Direction direction, int variable, int64_t mine) override;
  Storing storing(int variable) override {
    const Array &array = values_.arrays()[static_cast<size_t>(variable)];
    return {true, array.chunk, array.in_file, false};
  }
  void grow(std::span<const RecordCount>) override { has_uncommitted_ = true; }
  void redefine(const PlacedSchema &schema) override;
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void write_strings(int variable, const Box &cells, std::span<const std::string> strings) override;
  std::vector<std::string> read_strings(int variable, const Box &cells) override;
  void deliver(int, Delivery) override { has_uncommitted_ = is_behind_ = true; }
  void admit(int64_t) override {
    if (writing_ && peers_.alone()) in_file([this] { values_.complete(); });
  }
  void sync() override;
  void sync_name() override {
    if (owns()) name_.sync_name();
  }
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
  void await_own(const std::string &place);
  std::unique_ptr<Folder> folder_at(const std::string &place, Folder::Links links = Folder::Links::refuse) const {
    return std::make_unique<Folder>(place, path_, links, access_.progress);
  }
  zarr::Group find_arrays(const Objects &objects);
  Folder::Links links() const { return access_.untrusted ? Folder::Links::refuse : Folder::Links::follow; }
  void check_writable() const;
  void check_arrays();
  void take_place(int v);
  void complete_together(bool on_disk);
  void write_metadata(bool is_complete);
  void state(const std::vector<LargestError> &errors);
  FolderName name_;
  Values values_;
  Strings strings_{schema_, values_};
  std::optional<MetadataTexts> texts_;  // the owner's
  std::set<int> changed_;               // variables whose definitions have changed since the last commit; the owner's
};

void ZarrStore::create(const PlacedSchema &schema, bool exclusive) {
  schema_ = schema;
  schema_.records = records_ = 0;
  writing_ = true;
  in_file([&] {
    together([&] {
      check_names(schema_);
      std::vector<Array> arrays;
      for (const Variable &each : schema_.variables)
        arrays.push_back(array_of(schema_, each, access_.chunks, access_.writers));
      declare_quantization(schema_, arrays);
      values_.stored_as(std::move(arrays));
      if (!owns()) return;
      name_.begin(exclusive);
      values_.open(folder_at(name_.part()), true);
      texts_.emplace(schema_, values_.arrays());
      write_metadata(false);
    });
    await_own(name_.part());
    together([&] {
      if (!owns()) values_.open(folder_at(name_.part()), true);
    });
  });
  if (owns()) remarks_ = described_chunks(schema_, access_.chunks, access_.writers);
  if (const std::string codec = values_.codec(); owns() && !codec.empty())
    remarks_.push_back("chunks are compressed with " + codec + ", by " + std::to_string(access_.writers) +
                       (access_.writers == 1 ? " writer" : " writers"));
}

/// Collective. The directory of this name is the owner's, on all hosts. Directories have no locks between hosts.
void ZarrStore::await_own(const std::string &place) {
  int64_t mine = 0;
  together([&] {
    if (owns()) mine = number_where_names_are_kept(place);
  });
  const int64_t number = peers_.most(mine);
  together([&] {
    if (!owns()) await_number(place, number);
  });
}

/// How a file that is there stores its variables.
zarr::Group ZarrStore::find_arrays(const Objects &objects) {
  zarr::Group found = read_group(objects, values_.counters, owns());
  std::unordered_map<std::string, size_t> known;
  for (size_t v = 0; v < found.schema.variables.size(); ++v) known.emplace(found.schema.variables[v].name, v);
  std::vector<Array> arrays;
  for (const Variable &each : schema_.variables) {
    const auto v = known.find(each.name);
    if (v == known.end() || found.schema.variables[v->second].type != each.type ||
        found.arrays[v->second].shape.n != std::ssize(each.dims) ||
        found.schema.slab_shape(found.schema.variables[v->second]) != schema_.slab_shape(each))
      throw Error(Status::not_found, "it has other variables than when it was opened", "Open it again")
          .in_variable(each.name);
    arrays.push_back(std::move(found.arrays[v->second]));
  }
  values_.stored_as(std::move(arrays));
  return found;
}

/// Chunks are written as those of new files, even if other programs' arrays differ.
void ZarrStore::check_writable() const {
  for (int v = 0; v < std::ssize(schema_.variables); ++v)
    if (const Array &array = values_.arrays()[static_cast<size_t>(v)];
        !array.is_as_written_here() ||
        (variable(v).type == Type::string && variable(v).has_records && array.chunk[0] > 1))
      throw Error(Status::format, "the variable is stored in a way that Sverdrup can read, but not write",
                  "Copy the group with sv-copy, and write to the copy")
          .in_variable(variable(v).name);
}

/// Of a run that was killed, an array's own metadata may be ahead of those of the group, by records that do not count.
/// But what another program has added without consolidating the metadata is not to be removed.
void ZarrStore::check_arrays() {
  for (int v = 0; v < std::ssize(schema_.variables); ++v) {
    if (!variable(v).has_records) continue;
    const std::string name = variable(v).name + "/" + metadata_name;
    const auto text = values_.objects().text(name, most_metadata_bytes, values_.counters);
    const int64_t records = text ? records_in(*text) : 0;
    if (records > records_ && *text != texts_->of_array(v, records))
      throw Error(Status::format,
                  "its '" + name + "' says that it has " + std::to_string(records) + " records, but the group's '" +
                      metadata_name + "' that it has " + std::to_string(records_) +
                      ": another program has added some, and has not consolidated the metadata",
                  "Call zarr.consolidate_metadata on the group, or copy it with sv-copy to do without these records")
          .in_variable(variable(v).name);
  }
}

void ZarrStore::reopen(const PlacedSchema &schema) {
  schema_ = schema;
  records_ = schema.records;
  writing_ = true;
  in_file([&] {
    const FoundFiles &files = *access_.found;
    bool is_changed = false;  // since its definitions were read
    together([&] {
      if (owns()) {
        name_.hold();
        files.check(path_);
        is_changed = has_changed(files, path_, identity_at(path_));
      }
      name_.resume(peers_.is_owner());
    });
    await_own(name_.place());
    Documents documents;
    together([&] {
      auto folder = folder_at(name_.place());
      zarr::Group found = find_arrays(*folder);
      documents = std::move(found.documents);
      files.check(path_);
      if (is_changed && found.schema.records > records_) throw written_meanwhile();
      check_writable();
      values_.open(std::move(folder), true);
      values_.committed(records_);
    });
    together([&] {  // when all have read the present state
      if (!owns()) return;
      texts_.emplace(schema_, documents);
      check_arrays();
      values_.cut(records_);
      state(bounds_as_errors());  // more values will come
      write_metadata(false);
    });
  });
}

void ZarrStore::attach(const PlacedSchema &schema, bool writing) {
  schema_ = schema;
  records_ = schema.records;
  in_file([&] {
    FoundFiles &found = *access_.found;
    found.check(path_);
    auto folder = folder_at(name_.place_for(writing), links());
    FirstError failed;
    failed.attempt([&] { find_arrays(*folder); });
    found.check(path_);  // the entry that had the name is removed after it has lost it
    failed.check();
    values_.open(std::move(folder), false);
  });
}

/// The reading rank may not have the chunk that it needs: before a read, all chunks go into their files. A single
/// rank finds its own chunks.
int64_t ZarrStore::most_calls(Direction direction, int variable, int64_t mine) {
  if (direction == Direction::read && is_behind_ && !peers_.alone()) complete_together(false);
  return Store::most_calls(direction, variable, mine);
}

/// Collective. The next commit adds the definitions to the metadata.
void ZarrStore::redefine(const PlacedSchema &schema) {
  has_uncommitted_ = true;
  if (enhanced::only_lengthens(schema_, schema)) {
    schema_.dims = schema.dims;
    if (texts_) texts_->lengthen(schema_);
    return;
  }
  const PlacedSchema before = std::exchange(schema_, schema);
  schema_.records = before.records;
  together([&] {
    check_names(schema_);
    std::vector<Array> arrays = values_.arrays();
    for (size_t v = arrays.size(); v < schema_.variables.size(); ++v)
      arrays.push_back(array_of(schema_, schema_.variables[v], access_.chunks, access_.writers));
    declare_quantization(schema_, arrays);
    values_.stored_as(arrays);
    if (!owns()) return;
    changed_.merge(texts_->add(before, schema_, arrays));
    for (size_t v = before.variables.size(); v < arrays.size(); ++v)
      in_variable(static_cast<int>(v), [&] { take_place(static_cast<int>(v)); });
  });
}

/// For a new array: removes the leftovers of a killed run in its place. Anything else stays.
void ZarrStore::take_place(int v) {
  const std::string name = variable(v).name;
  const auto text = values_.objects().text(name + "/" + metadata_name, most_metadata_bytes, values_.counters);
  if (text && *text != texts_->of_array(v, records_in(*text)))
    throw Error(Status::exists, "there is something else with its name in the group",
                "Call zarr.consolidate_metadata on the group and open it again, or use another name");
  values_.objects().remove_chunks(name + "/c");
}

void ZarrStore::write(const Slab &slab, std::span<const std::byte> values) {
  has_uncommitted_ = true;
  in_variable(slab.variable, [&] {
    require_writing();
    for_parts(slab, [&](const SubArray &part, int64_t offset_bytes) {
      values_.write(slab.variable, part, values.data() + offset_bytes);
    });
  });
}

/// The owner's.
void ZarrStore::write_strings(int v, const Box &cells, std::span<const std::string> strings) {
  has_uncommitted_ = true;
  in_variable(v, [&] {
    require_writing();
    strings_.write(v, cells, strings);
  });
}

std::vector<std::string> ZarrStore::read_strings(int v, const Box &cells) {
  std::vector<std::string> strings;
  in_variable(v, [&] {
    if (variable(v).has_records && !cells.empty()) check_record(cells.start[0] + cells.count[0] - 1, records_);
    strings = strings_.read(v, cells);
  });
  return strings;
}

void ZarrStore::sync() {
  in_file([&] {
    if (writing_) values_.complete();
    if (values_.is_open()) values_.objects().sync();
  });
}

/// Collective. When it returns, the values that all ranks have written are in files, or `on_disk`; or it throws on all.
void ZarrStore::complete_together(bool on_disk) {
  is_behind_ = false;
  together([&] {
    values_.complete();
    if (on_disk) values_.objects().sync();
  });
}

/// On the owner. Writes the metadata of each array, then, when these are on the disk, those of the group. Readers
/// that use only the group's metadata find consistent data whenever the run, or the machine, ends; readers that use
/// those of arrays find at most more records, whose data are there.
void ZarrStore::write_metadata(bool is_complete) {
  Objects &objects = values_.objects();
  const bool is_new = !objects.has(metadata_name);
  if (is_new) objects.put({{metadata_name, texts_->of_group(records_, false)}}, values_.counters);
  std::vector<Objects::Text> texts;
  for (const auto &[name, text] : texts_->groups())
    if (is_new) texts.push_back({name + "/" + metadata_name, text});
  for (int v = 0; v < std::ssize(schema_.variables); ++v) {
    const bool is_defined = is_new || changed_.count(v) > 0;
    if (!is_defined && !variable(v).has_records && !schema_.has_growing_slab(variable(v))) continue;
    texts.push_back({variable(v).name + "/" + metadata_name, texts_->of_array(v, records_)});
    if (is_defined && !texts_->netcdf_document(v).empty())
      texts.push_back({variable(v).name + "/" + netcdf_name, texts_->netcdf_document(v)});
  }
  objects.put(texts, values_.counters);
  changed_.clear();
  if (is_new) return;
  objects.sync();
  objects.put({{metadata_name, texts_->of_group(records_, is_complete)}}, values_.counters);
}

/// The owner's: the next metadata have them.
void ZarrStore::state(const std::vector<LargestError> &errors) {
  for (const auto &[v, attribute, error] : errors) {
    texts_->set(schema_, v, number_attribute(attribute, error));
    changed_.insert(v);
  }
}

/// Collective. A group that is published at its end has no readers before. With any `durability`, all is put on the
/// disk: a group that is closed has too many files to synchronise later.
void ZarrStore::commit(int64_t records) {
  if (name_.kind() == Kind::growing) complete_together(true);
  together([&] {
    if (!owns()) return;
    if (name_.kind() == Kind::growing) {
      records_ = records;
      write_metadata(false);
      values_.objects().sync();
    }
    name_.committed();
  });
  records_ = records;
  has_uncommitted_ = false;
  if (name_.kind() == Kind::growing) values_.committed(records);
}

/// Of a file that has failed, or is given up in the middle of a step, metadata stay as they were committed last. On the
/// disk as after commit.
void ZarrStore::detach() {
  if (!values_.is_open()) return;
  const bool is_given_up = name_.kind() == Kind::growing && has_uncommitted_;
  if (writing_ && !has_failed_ && !is_given_up) {
    complete_together(true);
    const std::vector<LargestError> errors = largest_errors(values_.losses);
    together([&] {
      if (!owns()) return;
      state(errors);
      write_metadata(true);
      values_.objects().sync();
    });
  }
  in_file([&] { values_.close(); });
}

void ZarrStore::finish() {
  in_file([&] {
    if (owns()) name_.finish();
  });
}

Schema read_definitions(const std::string &path, Folder::Links links) {
  try {
    StoreCounters counters;
    return read_group(Folder(path, {}, links), counters).schema;
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

class Zarr final : public BackendOf<ZarrStore> {
 public:
  Schema read_schema(const std::string &path) const override { return read_definitions(path, Folder::Links::follow); }
  Schema read_untrusted(const std::string &path) const override {
    return read_definitions(path, Folder::Links::refuse);
  }
};

}  // namespace

}  // namespace sv

extern "C" __attribute__((visibility("default"))) const sv::Backend *sv_backend() {
  static const sv::Zarr one;
  return &one;
}
