// The reference with which tests compare stores: the same semantics as the CDF store, in the plainest way, an element
// at a time. Files are byte strings in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "store/header_format.hpp"
#include "store/store.hpp"

namespace sv {

using FileBytes = std::vector<std::byte>;

/// Files by path. Like open descriptors, the handles of stores survive renaming and removal. Stores of one thread may
/// share them.
struct MemoryFiles {
  std::map<std::string, std::shared_ptr<FileBytes>> files;
};

class MemoryStore final : public Store {
 public:
  MemoryStore(std::shared_ptr<MemoryFiles> memory, std::string path, Kind kind)
      : memory_(std::move(memory)), path_(std::move(path)), kind_(kind) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void redefine(const PlacedSchema &schema) override;
  void write(const Slab &slab, std::span<const std::byte> values) override;
  void read(const Slab &slab, std::span<std::byte> values) override;
  void sync() override { open_bytes(); }
  void commit(int64_t records) override;
  void detach() override { bytes_.reset(); }
  void finish() override;
  void abandon() noexcept override;
  StoreCounters counters() const override { return counters_; }  // a slab counts as one call

 private:
  std::string part() const { return path_ + ".part"; }
  std::string marker() const { return path_ + ".complete"; }
  std::shared_ptr<FileBytes> find(const std::string &path) const;
  FileBytes &open_bytes() const;
  void put(int64_t offset, std::span<const std::byte> values);
  int64_t offset_of(const Slab &slab, int64_t element) const;
  void check(const Slab &slab, size_t buffer_bytes) const;
  void publish();

  std::shared_ptr<MemoryFiles> memory_;
  std::string path_;
  Kind kind_;
  PlacedSchema schema_;
  std::shared_ptr<FileBytes> bytes_;
  StoreCounters counters_;
  int64_t records_ = 0;
  bool owner_ = false, named_ = false, writing_ = false, restates_ = false;
};

inline std::shared_ptr<FileBytes> MemoryStore::find(const std::string &path) const {
  const auto found = memory_->files.find(path);
  if (found == memory_->files.end())
    throw Error(Status::not_found, "there is no such file in memory", "Create it first").in_file(path);
  return found->second;
}

inline FileBytes &MemoryStore::open_bytes() const {
  if (!bytes_)
    throw Error(Status::internal, "the store is used before it was opened", "Please report this").in_file(path_);
  return *bytes_;
}

inline void MemoryStore::put(int64_t offset, std::span<const std::byte> values) {
  if (!writing_) throw Error(Status::io, "the file is open for reading only", "Open it with SV_WRITE").in_file(path_);
  FileBytes &bytes = open_bytes();
  bytes.resize(std::max(bytes.size(), static_cast<size_t>(offset) + values.size()));
  std::copy(values.begin(), values.end(), bytes.begin() + offset);
}

inline void MemoryStore::create(const PlacedSchema &schema, bool exclusive) {
  if (exclusive && memory_->files.count(path_) > 0)
    throw Error(Status::exists, "the file exists", "Remove it, or create without SV_NOCLOBBER").in_file(path_);
  memory_->files.erase(marker());
  schema_ = schema;
  schema_.records = records_ = 0;
  bytes_ = memory_->files[part()] = std::make_shared<FileBytes>();
  owner_ = writing_ = true;
  named_ = false;
  put(0, encode_header(schema_));
}

inline void MemoryStore::reopen(const PlacedSchema &schema) {
  bytes_ = find(path_);
  schema_ = schema;
  records_ = schema.records;
  kind_ = Kind::growing;
  owner_ = named_ = writing_ = true;
  const int64_t end = schema_.places->end_of_data(records_);
  const auto size = static_cast<int64_t>(bytes_->size());
  if (size <= end - 4) throw Error(Status::format, "the file is truncated", "Take another copy").in_file(path_);
  memory_->files.erase(marker());
  memory_->files.erase(part());
  bytes_->resize(static_cast<size_t>(std::min(size, end)));
}

inline void MemoryStore::attach(const PlacedSchema &schema, bool writing) {
  const bool unnamed = writing && (kind_ == Kind::published || memory_->files.count(part()) > 0);
  bytes_ = find(unnamed ? part() : path_);
  schema_ = schema;
  records_ = schema.records;
  owner_ = false;
  writing_ = writing;
}

inline void MemoryStore::redefine(const PlacedSchema &schema) {
  schema_ = schema;
  restates_ = true;
}

inline void MemoryStore::check(const Slab &slab, size_t buffer_bytes) const {
  const bool known = slab.variable >= 0 && slab.variable < static_cast<int>(schema_.variables.size());
  bool inside = known;
  if (known) {
    const Variable &variable = schema_.variables[slab.variable];
    const Index shape = schema_.slab_shape(variable);
    inside = slab.box.dims() == shape.n && intersect(slab.box, Box::whole(shape)) == slab.box && slab.first >= 0 &&
             slab.first <= slab.last && slab.last <= slab.box.elements() && slab.record >= 0 &&
             (slab.record == 0 || variable.has_records) &&
             static_cast<int64_t>(buffer_bytes) == (slab.last - slab.first) * size_of(variable.type);
  }
  if (!inside) throw Error(Status::internal, "a slab is out of bounds", "Please report this").in_file(path_);
}

inline int64_t MemoryStore::offset_of(const Slab &slab, int64_t element) const {
  const Variable &variable = schema_.variables[slab.variable];
  const int64_t place = position(Box::whole(schema_.slab_shape(variable)), cell_at(slab.box, element));
  return schema_.place(slab.variable).of_record(slab.record) + place * size_of(variable.type);
}

inline void MemoryStore::write(const Slab &slab, std::span<const std::byte> values) {
  check(slab, values.size());
  const auto width = static_cast<size_t>(size_of(schema_.variables[slab.variable].type));
  for (int64_t i = slab.first; i < slab.last; ++i)
    put(offset_of(slab, i), values.subspan(static_cast<size_t>(i - slab.first) * width, width));
  ++counters_.writes;
  counters_.written_bytes += static_cast<int64_t>(values.size());
}

inline void MemoryStore::read(const Slab &slab, std::span<std::byte> values) {
  check(slab, values.size());
  const Variable &variable = schema_.variables[slab.variable];
  const FileBytes &bytes = open_bytes();
  records_ = std::max(records_, decode_records(schema_.format, &bytes.at(records_offset)));
  if (variable.has_records && slab.record >= records_)
    throw Error(Status::not_found, "the record does not exist", "Read an earlier one")
        .in_record(slab.record)
        .in_file(path_)
        .in_variable(variable.name);
  const int64_t width = size_of(variable.type);
  for (int64_t i = slab.first; i < slab.last; ++i) {
    const int64_t offset = offset_of(slab, i);
    if (offset + width > static_cast<int64_t>(bytes.size()))
      throw Error(Status::format, "the file ends too early", "Take another copy")
          .in_file(path_)
          .in_variable(variable.name);
    std::copy_n(bytes.begin() + offset, width, values.begin() + (i - slab.first) * width);
  }
  ++counters_.reads;
  counters_.read_bytes += static_cast<int64_t>(values.size());
}

inline void MemoryStore::commit(int64_t records) {
  if (!owner_ || records < records_)
    throw Error(Status::internal, "a commit by another rank than the owner, or of fewer records than before",
                "Please report this")
        .in_file(path_);
  schema_.records = records;
  if (std::exchange(restates_, false)) put(0, encode_header(schema_));
  put(records_offset, encode_records(schema_.format, records));
  records_ = records;
  if (kind_ == Kind::growing) publish();
}

inline void MemoryStore::publish() {
  if (named_) return;
  memory_->files[path_] = find(part());
  memory_->files.erase(part());
  named_ = true;
}

inline void MemoryStore::finish() {
  if (!owner_)
    throw Error(Status::internal, "finished by another rank than the owner", "Please report this").in_file(path_);
  detach();
  publish();
  find(path_)->resize(static_cast<size_t>(schema_.places->end_of_data(records_)));
  if (kind_ == Kind::growing) memory_->files[marker()] = std::make_shared<FileBytes>();
  owner_ = false;
}

inline void MemoryStore::abandon() noexcept {
  bytes_.reset();
  if (!owner_) return;
  owner_ = false;
  const auto found = memory_->files.find(named_ ? path_ : part());
  if (found == memory_->files.end()) return;
  if (!named_) {
    memory_->files.erase(found);
  } else if (const auto end = static_cast<size_t>(schema_.places->end_of_data(records_)); found->second->size() > end) {
    found->second->erase(found->second->begin() + static_cast<std::ptrdiff_t>(end), found->second->end());
  }
}

inline std::unique_ptr<Store> make_memory_store(std::shared_ptr<MemoryFiles> memory, const std::string &path,
                                                Kind kind) {
  return std::make_unique<MemoryStore>(std::move(memory), path, kind);
}

}  // namespace sv
