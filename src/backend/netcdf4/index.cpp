#include "backend/netcdf4/index.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "backend/netcdf4/reading_driver.hpp"
#include "backend/netcdf4/strings.hpp"
#include "base/fill.hpp"
#include "model/filling.hpp"
#include "store/journal.hpp"
#include "store/positional_file.hpp"

namespace sv::netcdf4 {

namespace {

using Sizes = std::array<hsize_t, H5S_MAX_RANK + 1>;

Sizes sizes_of(const Index &index) {
  Sizes sizes{};
  for (int d = 0; d < index.n; ++d) sizes[static_cast<size_t>(d)] = static_cast<hsize_t>(index[d]);
  return sizes;
}

hid_t native_type(Type type) {
  switch (type) {
    case Type::int8:
      return H5T_NATIVE_INT8;
    case Type::text:
      return H5T_NATIVE_UINT8;
    case Type::int16:
      return H5T_NATIVE_INT16;
    case Type::int32:
      return H5T_NATIVE_INT32;
    case Type::float32:
      return H5T_NATIVE_FLOAT;
    case Type::float64:
      return H5T_NATIVE_DOUBLE;
    case Type::uint8:
      return H5T_NATIVE_UINT8;
    case Type::uint16:
      return H5T_NATIVE_UINT16;
    case Type::uint32:
      return H5T_NATIVE_UINT32;
    case Type::int64:
      return H5T_NATIVE_INT64;
    case Type::uint64:
      return H5T_NATIVE_UINT64;
    case Type::string:
      break;
  }
  return H5T_NATIVE_UINT8;
}

}  // namespace

/// The schema may not have that dimension, since some are left out.
std::string name_in_hdf5(hid_t file, const Variable &variable) {
  const std::string group(group_of(variable.name)), base(base_of(variable.name));
  const std::string other = (group.empty() ? "" : group + "/") + "_nc4_non_coord_" + base;
  return H5Lexists(file, other.c_str(), H5P_DEFAULT) > 0 ? other : variable.name;
}

namespace {

enum class Order { native, swapped, unknown };

/// How the bytes of values in the file differ from those in memory. Enumerations are read as the integers that they are
/// stored as.
Order order_of(hid_t dataset, Type type) {
  Handle in_file(checked(H5Dget_type(dataset), "H5Dget_type"), H5Tclose);
  if (H5Tget_class(in_file.get()) == H5T_ENUM)
    in_file = Handle(checked(H5Tget_super(in_file.get()), "H5Tget_super"), H5Tclose);
  if (H5Tget_size(in_file.get()) != static_cast<size_t>(size_of(type))) return Order::unknown;
  if (type == Type::text || H5Tequal(in_file.get(), native_type(type)) > 0) return Order::native;
  const Handle other(checked(H5Tcopy(native_type(type)), "H5Tcopy"), H5Tclose);
  const H5T_order_t order = H5Tget_order(other.get());
  checked(H5Tset_order(other.get(), order == H5T_ORDER_LE ? H5T_ORDER_BE : H5T_ORDER_LE), "H5Tset_order");
  return H5Tequal(in_file.get(), other.get()) > 0 ? Order::swapped : Order::unknown;
}

Index length_of(hid_t dataset) {
  const Handle space(checked(H5Dget_space(dataset), "H5Dget_space"), H5Sclose);
  Sizes sizes{};
  const int dims = checked(H5Sget_simple_extent_ndims(space.get()), "H5Sget_simple_extent_ndims");
  checked(H5Sget_simple_extent_dims(space.get(), sizes.data(), nullptr), "H5Sget_simple_extent_dims");
  Index length;
  for (int d = 0; d < dims; ++d) length.push(static_cast<int64_t>(sizes[static_cast<size_t>(d)]));
  return length;
}

/// The filters in the order in which values pass through them; nothing where one of them is unknown to us. A plug-in is
/// known if `encodes`.
std::optional<std::vector<Filter>> filters_of(hid_t creation, bool encodes) {
  std::vector<Filter> filters;
  const int count = checked(H5Pget_nfilters(creation), "H5Pget_nfilters");
  for (int f = 0; f < count; ++f) {
    unsigned flags = 0, config = 0, values[32] = {};
    size_t given = std::size(values);
    const H5Z_filter_t number =
        checked(H5Pget_filter2(creation, static_cast<unsigned>(f), &flags, &given, values, 0, nullptr, &config),
                "H5Pget_filter2");
    Filter filter{static_cast<FilterKind>(number), static_cast<int>(values[0])};
    const bool is_ours = is_plug_in(filter.kind) && encodes && given <= std::size(values);
    if (!is_known(filter.kind) && !is_ours) return std::nullopt;
    if (is_ours) filter.parameters.assign(values, values + given);
    filters.push_back(std::move(filter));
  }
  return filters;
}

/// Whether the file has less of a variable than its dimensions say: another variable made one that grows longer, and
/// what this one lacks has fill values.
bool is_short(const Index &length, const Schema &schema, const Variable &variable) {
  for (int d = 0; d < length.n; ++d)
    if (length[d] < schema.length_of(variable.dims[static_cast<size_t>(d)])) return true;
  return false;
}

/// A file of which a commit was interrupted, as it is when that is completed; otherwise nothing.
std::unique_ptr<Recorded> completed_in_memory(const std::string &path) {
  const auto rest = std::make_shared<const UnfinishedCommit>(unfinished_commit_of(path));
  if (rest->is_empty()) return nullptr;
  const auto file = std::make_shared<PositionalFile>(path, PositionalFile::Mode::read);
  const auto read = [file, rest](int64_t at, std::span<std::byte> to) {
    StoreCounters uncounted;
    const int64_t got = file->read(at, to, uncounted);
    std::fill(to.begin() + got, to.end(), std::byte{});
    rest->apply(at, to);
  };
  return std::make_unique<Recorded>(MetadataImage(read, std::max(file->size(), rest->end_bytes)));
}

Handle opened_file(Recorded *recorded, const std::string &path) {
  if (recorded != nullptr) return {open_recorded(*recorded, path), H5Fclose};
  return {open_unshared(path), H5Fclose};
}

}  // namespace

FileIndex::FileIndex(const std::string &path, const Schema &schema)
    : completed_(completed_in_memory(path)),
      recorded_(completed_.get()),
      path_(path),
      file_(opened_file(recorded_, path)),
      schema_(&schema) {
  open_variables(schema, 0);
}

FileIndex::FileIndex(Recorded &recorded, const std::string &path, const Schema &schema)
    : recorded_(&recorded), path_(path), file_(open_recorded(recorded, path), H5Fclose) {
  open_variables(schema, 0);
}

void FileIndex::add(const Schema &schema, const std::function<void(hid_t)> &definitions) {
  definitions(file_.get());
  checked(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "H5Fflush");  // HDF5 writes global heaps as data, which place() drops
  open_variables(schema, variables_.size());
}

/// Those of a file that is read are opened when something is asked of them.
void FileIndex::open_variables(const Schema &schema, size_t first) {
  variables_.resize(schema.variables.size());
  storages_.resize(variables_.size());
  for (size_t v = first; v < variables_.size(); ++v) {
    has_records_.push_back(schema.variables[v].has_records);
    types_.push_back(schema.variables[v].type);
    if (!is_read()) open_variable(schema, v);
  }
}

void FileIndex::open_variable(const Schema &schema, size_t v) const {
  const Variable &each = schema.variables[v];
  try {
    const std::string name = name_in_hdf5(file_.get(), each);
    Opened opened{name, open_dataset(name), {}, 0, {}, {}};
    opened.length = length_of(opened.dataset.get());
    if (opened.length.n != std::ssize(each.dims))
      throw Error(Status::format, "HDF5 and netCDF-C count its dimensions differently",
                  "The file may be damaged: take another copy");
    if (!is_read()) widen(opened, schema, each);
    if (each.has_records) opened.flushed_records = opened.length[0];
    Storage storage = storage_of(opened.dataset.get(), each.type);
    // A chunk may have anything where the variable has nothing: HDF5 reads it then, as far as there is something.
    if (is_read() && is_short(opened.length, schema, each)) storage = {};
    // A contiguous one cannot grow: it is not written.
    if (each.has_records && storage.kind == Storage::Kind::contiguous) storage = {};
    // Whole chunks are assembled where the variable may come to have more of them.
    if (schema.has_growing_slab(each) && storage.kind == Storage::Kind::plain) storage.kind = Storage::Kind::filtered;
    opened.fill = schema.fill_value(each);
    if (each.type == Type::string) opened.fill_text = fill_text(each);
    storages_[v] = std::move(storage);
    variables_[v] = std::move(opened);
  } catch (Error &error) {
    throw error.in_variable(each.name);
  }
}

const Storage &FileIndex::storage(int variable) const {
  const auto v = static_cast<size_t>(variable);
  if (variables_[v].name.empty()) open_variable(*schema_, v);
  return storages_[v];
}

const std::vector<Storage> &FileIndex::storages() const {
  for (int v = 0; v < std::ssize(variables_); ++v) storage(v);
  return storages_;
}

/// The written part of a variable may be shorter than a dimension that grows.
void FileIndex::widen(Opened &opened, const Schema &schema, const Variable &variable) const {
  Index wanted = opened.length;
  const Index slab = schema.slab_shape(variable);
  for (int d = 0; d < slab.n; ++d) wanted[d + variable.record_axes()] = slab[d];
  if (wanted == opened.length) return;
  if (!opened.dataset.is_open()) opened.dataset = open_dataset(opened.name);
  checked(H5Dset_extent(opened.dataset.get(), sizes_of(wanted).data()), "H5Dset_extent");
  opened.length = wanted;
}

void FileIndex::widen(const Schema &schema) {
  for (size_t v = 0; v < variables_.size(); ++v) widen(variables_[v], schema, schema.variables[v]);
}

Handle FileIndex::open_dataset(const std::string &name) const {
  return {checked(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), "H5Dopen2"), H5Dclose};
}

const FileIndex::Opened &FileIndex::opened(int variable) const {
  storage(variable);
  Opened &found = variables_[static_cast<size_t>(variable)];
  if (!found.dataset.is_open()) found.dataset = open_dataset(found.name);
  return found;
}

/// It keeps them as long as the file is open.
void FileIndex::forget_free() {
  close();
  file_ = Handle(open_recorded(*recorded_, path_), H5Fclose);
}

Storage FileIndex::storage_of(hid_t dataset, Type type) const {
  Storage storage;
  const Handle creation(checked(H5Dget_create_plist(dataset), "H5Dget_create_plist"), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  const Order order = order_of(dataset, type);
  if (order == Order::unknown) return storage;
  storage.is_swapped = order == Order::swapped;
  if (layout == H5D_CONTIGUOUS && !storage.is_swapped && H5Pget_external_count(creation.get()) == 0) {
    storage.kind = Storage::Kind::contiguous;
    const haddr_t place = H5Dget_offset(dataset);
    storage.place = place == HADDR_UNDEF ? -1 : static_cast<int64_t>(place);
  }
  if (layout != H5D_CHUNKED) return storage;
  // To write values without their bound would lose it; of a file that is read, HDF5 calls its plug-ins itself.
  const char *const bound = bound_attributes(Quantization::Mode::absolute).bound;
  const bool encodes = !is_read() && checked(H5Aexists(dataset, bound), "H5Aexists") > 0;
  const auto filters = filters_of(creation.get(), encodes);
  Sizes chunk{};
  const int dims = checked(H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()), "H5Pget_chunk");
  if (!filters) return storage;
  for (int d = 0; d < dims; ++d) storage.chunk.push(static_cast<int64_t>(chunk[static_cast<size_t>(d)]));
  storage.filters = *filters;
  storage.kind = filters->empty() && !storage.is_swapped ? Storage::Kind::plain : Storage::Kind::filtered;
  return storage;
}

std::vector<int> FileIndex::place_contiguous() {
  std::vector<int> placed;
  for (int v = 0; v < std::ssize(storages_); ++v) {
    const Storage &storage = storages_[static_cast<size_t>(v)];
    if (storage.kind != Storage::Kind::contiguous || storage.place >= 0) continue;
    place(v);
    if (storage.place >= 0) placed.push_back(v);
  }
  return placed;
}

/// HDF5 gives it one when the first value is written. That value, and the fill values before it, go nowhere.
void FileIndex::place(int variable) {
  Storage &storage = storages_[static_cast<size_t>(variable)];
  const hid_t dataset = opened(variable).dataset.get();
  const Index &length = opened(variable).length;
  if (Box::whole(length).empty()) return;
  const Handle all(checked(H5Dget_space(dataset), "H5Dget_space"), H5Sclose);
  const Handle one(checked(H5Screate(H5S_SCALAR), "H5Screate"), H5Sclose);
  const Sizes start{};
  Sizes count{};
  std::fill_n(count.begin(), length.n, hsize_t{1});
  if (length.n > 0)
    checked(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
            "H5Sselect_hyperslab");
  const Handle type(checked(H5Dget_type(dataset), "H5Dget_type"), H5Tclose);
  const std::array<std::byte, 8> value{};
  recorded_->drops_data = true;
  const herr_t written = H5Dwrite(dataset, type.get(), one.get(), all.get(), H5P_DEFAULT, value.data());
  checked(H5Dflush(dataset), "H5Dflush");
  recorded_->drops_data = false;
  checked(written, "H5Dwrite");
  const haddr_t place = H5Dget_offset(dataset);
  if (place == HADDR_UNDEF) throw Error(Status::internal, "HDF5 gave a variable no place", "Please report this");
  storage.place = static_cast<int64_t>(place);
}

/// HDF5 keeps the mask of a chunk whose length stays.
int64_t FileIndex::place(int variable, const Index &cell, int64_t bytes, uint32_t mask) {
  if (has_records_[static_cast<size_t>(variable)]) lengthen(variable, cell[0] + 1);
  const Sizes offset = sizes_of(cell);
  const auto write = [&](int64_t length) {
    recorded_->place = -1;
    checked(H5Dwrite_chunk(opened(variable).dataset.get(), H5P_DEFAULT, mask, offset.data(),
                           static_cast<size_t>(length), stand_in),
            "H5Dwrite_chunk");
    if (recorded_->place < 0) throw Error(Status::internal, "HDF5 gave a chunk no place", "Please report this");
    return recorded_->place;
  };
  const int64_t at = write(bytes);
  if (storage(variable).plug_in() < 0) return at;
  if (const auto found = find(variable, cell); !found || found->mask == mask) return at;
  write(bytes + 1);
  return write(bytes);
}

std::optional<ChunkPlace> FileIndex::find_flushed(int variable, const Index &cell) const {
  const bool is_new = has_records_[static_cast<size_t>(variable)] &&
                      cell[0] >= variables_[static_cast<size_t>(variable)].flushed_records;
  return is_new ? std::nullopt : find(variable, cell);
}

std::optional<ChunkPlace> FileIndex::find(int variable, const Index &cell) const {
  const Opened &of = opened(variable);
  for (int d = 0; d < cell.n; ++d)
    if (cell[d] >= of.length[d]) return std::nullopt;
  const Sizes offset = sizes_of(cell);
  uint32_t mask = 0;
  if (recorded_ != nullptr && H5Dread_chunk(of.dataset.get(), H5P_DEFAULT, offset.data(), &mask, stand_in) >= 0)
    return ChunkPlace{recorded_->place, recorded_->bytes, mask};
  // HDF5 goes through all of them, and reports missing ones.
  haddr_t place = HADDR_UNDEF;
  hsize_t bytes = 0;
  checked(H5Dget_chunk_info_by_coord(of.dataset.get(), offset.data(), &mask, &place, &bytes),
          "H5Dget_chunk_info_by_coord");
  if (place == HADDR_UNDEF || bytes == 0) return std::nullopt;
  return ChunkPlace{static_cast<int64_t>(place), static_cast<int64_t>(bytes), mask};
}

void FileIndex::lengthen(int variable, int64_t records) {
  Index &length = variables_[static_cast<size_t>(variable)].length;
  if (length[0] >= records) return;
  length[0] = records;
  checked(H5Dset_extent(opened(variable).dataset.get(), sizes_of(length).data()), "H5Dset_extent");
}

int64_t FileIndex::records() const {
  int64_t most = 0;
  for (size_t v = 0; v < variables_.size(); ++v)
    if (has_records_[v]) most = std::max(most, variables_[v].length[0]);
  return most;
}

void FileIndex::lengthen(int64_t records) {
  for (int v = 0; v < std::ssize(variables_); ++v)
    if (has_records_[static_cast<size_t>(v)]) lengthen(v, records);
}

bool FileIndex::shorten(int64_t records) {
  bool had = false;
  for (int v = 0; v < std::ssize(variables_); ++v) {
    Index &length = variables_[static_cast<size_t>(v)].length;
    const Storage &storage = storages_[static_cast<size_t>(v)];
    if (!has_records_[static_cast<size_t>(v)] || length[0] <= records) continue;
    if (!storage.has_chunks() || records % storage.chunk[0] != 0) continue;
    length[0] = records;
    checked(H5Dset_extent(opened(v).dataset.get(), sizes_of(length).data()), "H5Dset_extent");
    had = true;
  }
  return had;
}

void FileIndex::state(std::span<const LargestError> errors) {
  for (const auto &[variable, attribute, error] : errors) {
    const Handle known(checked(H5Aopen(opened(variable).dataset.get(), attribute, H5P_DEFAULT), "H5Aopen"), H5Aclose);
    checked(H5Awrite(known.get(), H5T_NATIVE_DOUBLE, &error), "H5Awrite");
  }
}

/// What the file lacks has fill values.
void FileIndex::read(int variable, const SubArray &part, std::byte *values) const {
  const Opened &of = opened(variable);
  const Type type = types_[static_cast<size_t>(variable)];
  const int dims = of.length.n;
  Sizes start{}, whole{}, there{};
  bool lacks = false, has = true;
  for (int d = 0; d < dims; ++d) {
    const auto at = static_cast<size_t>(d);
    start[at] = part.start[at];
    whole[at] = part.count[at];
    const auto length = static_cast<hsize_t>(of.length[d]);
    there[at] = start[at] >= length ? 0 : std::min(whole[at], length - start[at]);
    lacks = lacks || there[at] < whole[at];
    has = has && there[at] > 0;
  }
  if (lacks) fill_elements(values, part.elements, of.fill.data(), size_of(type));
  if (!has) return;
  const Handle all(checked(H5Dget_space(of.dataset.get()), "H5Dget_space"), H5Sclose);
  const Handle mine(
      checked(dims > 0 ? H5Screate_simple(dims, whole.data(), nullptr) : H5Screate(H5S_SCALAR), "H5Screate"), H5Sclose);
  const Sizes origin{};
  const auto select = [&there](const Handle &space, const Sizes &from) {
    checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, from.data(), nullptr, there.data(), nullptr),
            "H5Sselect_hyperslab");
  };
  if (dims > 0) {
    select(all, start);
    select(mine, origin);
  }
  Handle own(H5I_INVALID_HID, H5Tclose);
  if (type == Type::text) own = Handle(checked(H5Dget_type(of.dataset.get()), "H5Dget_type"), H5Tclose);
  checked(H5Dread(of.dataset.get(), own.is_open() ? own.get() : native_type(type), mine.get(), all.get(), H5P_DEFAULT,
                  values),
          "H5Dread");
}

std::vector<std::string> FileIndex::read_strings(int variable, const Box &cells) const {
  const Opened &of = opened(variable);
  std::vector<std::string> all(static_cast<size_t>(cells.elements()), of.fill_text);
  const Box there = intersect(cells, Box::whole(of.length));
  if (there.empty()) return all;
  std::vector<std::string> found = strings_in(of.dataset.get(), there);
  for (int64_t i = 0; i < std::ssize(found); ++i)
    all[static_cast<size_t>(position(cells, cell_at(there, i)))] = std::move(found[static_cast<size_t>(i)]);
  return all;
}

/// HDF5 writes its heap as data, which place() would drop.
void FileIndex::write_strings(int variable, const Box &cells, std::span<const std::string> strings) {
  if (cells.empty()) return;
  if (has_records_[static_cast<size_t>(variable)]) lengthen(variable, cells.start[0] + cells.count[0]);
  put_strings(opened(variable).dataset.get(), cells, strings);
  checked(H5Fflush(file_.get(), H5F_SCOPE_LOCAL), "H5Fflush");
}

void FileIndex::flush() {
  checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "H5Fflush");
  for (int v = 0; v < std::ssize(variables_); ++v)
    if (has_records_[static_cast<size_t>(v)])
      variables_[static_cast<size_t>(v)].flushed_records = variables_[static_cast<size_t>(v)].length[0];
}

void FileIndex::close() {
  bool closed = true;
  for (Opened &each : variables_) closed = each.dataset.close() && closed;
  closed = file_.close() && closed;
  if (recorded_ != nullptr && recorded_->failure) throw Error(*recorded_->failure);
  if (!closed) checked(-1, "H5Fclose");
}

}  // namespace sv::netcdf4
