#include "engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "../copies.hpp"
#include "../real.hpp"
#include "backend/netcdf4_bound/bound.hpp"
#include "model/rules/netcdf4.hpp"
#include "model/variable_storage.hpp"
#include "schema.hpp"
#include "serial/store_thread.hpp"
#include "store/file_name.hpp"
#include "store/journal.hpp"
#include "store/positional_file.hpp"

namespace sv::netcdf4 {

namespace {

/// A process that was forked has no thread, and its parent writes the file.
void require_own_process() { refuse_if(!StoreThread::own().is_of_this_process(), NC_EPERM); }

Index index_of(const std::vector<int64_t> &numbers) {
  Index made;
  for (const int64_t each : numbers) made.push(each);
  return made;
}

/// Why the real library has an existing file after `failed`; empty: nothing failed. Throws the error of a system that
/// cannot read or write it.
std::string reason_after(const std::optional<Error> &failed) {
  if (!failed) return "";
  const Status status = failed->status();
  if (status == Status::io || status == Status::no_space || status == Status::no_memory) throw Error(*failed);
  return std::string("Sverdrup says: ") + failed->what();
}

}  // namespace

/// `named_at_once`: no marker of Sverdrup's readers stands next to the file at its end.
std::unique_ptr<Store> SerialEngine::make_store(bool named_at_once) const {
  sv::Access access;
  access.chunks = call_.settings->chunks;
  access.chunks.threads = call_.threads;
  access.named_at_once = named_at_once;
  access.hdf5 = &StoreThread::own().hdf5();
  std::unique_ptr<Store> store = bound::make_store(call_.path, access);
  store->be_durable(call_.settings->durability != Durability::written);
  return store;
}

bool SerialEngine::is_marked() const { return presence_of(call_.path + ".complete") == Presence::file; }

std::string SerialEngine::reason_against_completing() const {
  return reason_after(caught(-1, [this] { complete_commit_at(call_.path); }));
}

bool SerialEngine::take_file(const Definitions &definitions, bool is_classic, std::string &reason) {
  reason = reason_against(definitions);
  if (!reason.empty()) return false;
  call_.mode = NC_NETCDF4 | (is_classic ? NC_CLASSIC_MODEL : 0);
  is_new_ = false;
  const auto failed = caught(-1, [&] {
    PlacedSchema schema = schema_of(definitions, is_classic, nullptr);
    place_variables(schema, Placement());
    file_ = StoredFile::open(make_store(!is_marked()), std::move(schema), fills_of(definitions));
  });
  reason = reason_after(failed);
  return !failed;
}

void SerialEngine::take_values(const std::string &name, const Definitions &definitions,
                               const std::vector<bool> &wanted) {
  const PlacedSchema schema = schema_of(definitions, is_classic(), nullptr);
  bound::visit_values_in_memory(name, schema, wanted, [&](int v, const std::vector<std::byte> &values) {
    const std::vector<int> &dims = schema.variables[static_cast<size_t>(v)].dims;
    StridedCells all{v, Index(static_cast<int>(dims.size()), 0), {}, Index(static_cast<int>(dims.size()), 1)};
    for (const int dim : dims) all.count.push(schema.length_of(dim));
    if (!values.empty()) file_->put(all, values.data());
  });
}

/// A file that could not be written does not look like one.
void SerialEngine::write_small_file(const std::string &name) {
  require_own_process();
  StoreCounters uncounted;
  const std::vector<std::byte> bytes = bound::bytes_in_memory(name);
  PositionalFile file(call_.path, PositionalFile::Mode::update);
  remove_if_allowed(journal_of(target_of(call_.path, true)));  // of an older file
  if (const auto failed = caught(-1, [&] { file.write(0, bytes, uncounted); })) {
    file.resize(0);
    throw Error(*failed);
  }
  if (call_.settings->durability == Durability::written) return;
  file.sync();
  sync_directory_of(call_.path);
}

bool SerialEngine::begin(const Definitions &definitions, std::string &reason) {
  reason = reason_against(definitions);
  if (!reason.empty()) return false;
  const auto failed = caught(-1, [&] {
    PlacedSchema schema = schema_of(definitions, is_classic(), nullptr);
    schema.records = 0;
    for (Dimension &each : schema.dims)
      if (each.is_unlimited()) each.length = 0;
    place_variables(schema, Placement());
    file_ = StoredFile::create(make_store(true), std::move(schema), fills_of(definitions), false);
  });
  if (failed) reason = std::string("Sverdrup says: ") + failed->what();
  return !failed;
}

bool SerialEngine::redefine(const Definitions &definitions, std::string &reason) {
  require_own_process();
  const PlacedSchema &before = file().schema();
  reason = reason_against(definitions);
  if (!reason.empty()) return false;
  try {
    PlacedSchema schema = schema_of(definitions, is_classic(), &before);
    place_variables(schema, Placement());
    if (!enhanced::only_adds(before, schema)) {
      reason = "changed definitions after data";
      return false;
    }
    file_->redefine(schema, fills_of(definitions));
  } catch (const Error &error) {
    if (error.status() != Status::define && error.status() != Status::limit) throw;
    reason = std::string("Sverdrup says: ") + error.what();
    return false;
  }
  return true;
}

/// There is none where the real library was to continue it, and could not.
StoredFile &SerialEngine::file() {
  refuse_if(file_ == nullptr, EIO);
  return *file_;
}

int64_t SerialEngine::length(int dim) const {
  const bool is_there = file_ != nullptr && dim < std::ssize(file_->schema().dims);
  return is_there ? file_->schema().length_of(dim) : 0;
}

int SerialEngine::transfer(int variable, bool is_put, Request *request) {
  require_own_process();
  if (request == nullptr) return NC_NOERR;
  const StridedCells cells{variable, index_of(request->start), index_of(request->count), index_of(request->stride)};
  if (file().schema().variables[static_cast<size_t>(variable)].type == Type::string) {
    move_strings(cells, *request);
    return NC_NOERR;
  }
  is_put ? file().put(cells, request->values) : file().get(cells, request->values);
  return NC_NOERR;
}

/// The values are pointers. As with netCDF, nc_free_string frees those of a get.
void SerialEngine::move_strings(const StridedCells &cells, const Request &request) {
  const std::span values(reinterpret_cast<char **>(request.values), static_cast<size_t>(cells.count.product()));
  if (!request.is_put) {
    const std::vector<std::string> strings = file().get_strings(cells);
    for (size_t i = 0; i < values.size(); ++i)
      refuse_if((values[i] = ::strdup(strings[i].c_str())) == nullptr, NC_ENOMEM);
    return;
  }
  std::vector<std::string> strings;
  for (const char *const each : values) strings.emplace_back(each == nullptr ? "" : each);
  file().put_strings(cells, strings);
}

void SerialEngine::sync() {
  require_own_process();
  file().sync();
}

int SerialEngine::close() {
  if (file_ == nullptr) return NC_NOERR;
  const std::unique_ptr<StoredFile> last = std::move(file_);
  if (!StoreThread::own().is_of_this_process()) return NC_NOERR;
  return answered([&] {
    last->close();
    return NC_NOERR;
  });
}

/// nc_abort removes a new file that was never defined.
int SerialEngine::abort() {
  if (file_ == nullptr && is_new_) ::unlink(call_.path.c_str());
  return close();
}

int SerialEngine::make_by_library() {
  int there = -1;
  expect(real::create(call_.caller)(call_.path.c_str(), call_.mode & ~NC_NOCLOBBER, &there));
  return there;
}

int SerialEngine::hand_over(const Definitions &definitions) {
  const auto is_swapped = [](const VariableDefinition &each) { return swaps(static_cast<Endian>(each.endian)); };
  const bool is_numbered = !definitions.enums.empty() || (file_ != nullptr && !file_->schema().groups.empty());
  expect(close());
  if (is_numbered || std::any_of(definitions.variables.begin(), definitions.variables.end(), is_swapped))
    return make_again(definitions);
  int there = -1;
  expect(real::open(call_.caller)(call_.path.c_str(), NC_WRITE, &there));
  expect(real::redef(call_.caller)(there));
  bring_to_library(definitions, there, call_.caller);
  expect(real::enddef(call_.caller)(there));
  return there;
}

/// NetCDF-C 4.9 puts values in the wrong byte order into variables of a file that it has opened, and numbers its groups
/// and types anew.
int SerialEngine::make_again(const Definitions &definitions) {
  const std::string before = call_.path + ".before";
  refuse_if(std::rename(call_.path.c_str(), before.c_str()) != 0, errno);
  const int there = make_by_library();
  bring_to_library(definitions, there, call_.caller);
  expect(real::enddef(call_.caller)(there));
  int file = -1;
  expect(real::open(call_.caller)(before.c_str(), NC_NOWRITE, &file));
  for (const Shape &each : shapes_of(definitions)) copy_variable(each, file, there, true, call_.caller);
  expect(real::close(call_.caller)(file));
  std::remove(before.c_str());
  return there;
}

}  // namespace sv::netcdf4
