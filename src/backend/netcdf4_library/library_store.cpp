// The store over netCDF-4 and parallel HDF5. One rank defines the file, the writers open it together: that is one round
// of metadata instead of one per writer and definition. Data: every writer writes its own ranges by itself, which no
// other rank can hold up; variables with filters only collectively, which HDF5 demands.
#include <netcdf.h>
// need the one above
#include <netcdf_filter.h>
#include <netcdf_par.h>

#include <optional>

#include "backend/backend.hpp"
#include "backend/mpi_io/team_store.hpp"
#include "backend/netcdf4_library/held_file.hpp"
#include "backend/netcdf_c/guarded.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"
#include "store/journal.hpp"
#include "store/positional_file.hpp"
#include "store/publication.hpp"
#include "store/stale_names.hpp"

namespace sv {

namespace {

using netcdf4::check;

class LibraryStore final : public TeamStore {
 public:
  LibraryStore(const std::string &path, Kind kind, const Access &access)
      : TeamStore(path, access), name_(path, kind, false, access.stripes) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void mark_failed_everywhere() noexcept override;
  int64_t most_calls(Direction direction, int variable, int64_t mine) override;
  void grow(std::span<const RecordCount> variables) override;
  /// NetCDF makes a dimension longer when one rank alone writes behind its end.
  void redefine(const PlacedSchema &schema) override {
    if (!team_.alone())
      throw Error(Status::unsupported,
                  "a dimension other than that of records grows in a file that ranks write together",
                  "Set 'store: netcdf4', or write the file from one rank");
    schema_.dims = schema.dims;
  }
  std::vector<std::string> read_strings(int variable, const Box &cells) override;
  void admit(int64_t) override {
    if (writing_ && team_.alone()) flush();
  }
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

 private:
  /// A variable in the file, by the numbers of its group and its own.
  struct Number {
    int group, variable;
  };
  void put(int v, const SubArray &part, const std::byte *values) override;
  void get(int v, const SubArray &part, std::byte *values) override;
  template <typename Call>
  void call(const std::string &what, Call made) const {
    team_.call(what, path_, [&] { check(made(), what); });
  }
  template <typename Call>
  void open(const std::string &what, Call made) const {
    team_.open(what, path_, [&] { check(made(), what); });
  }
  void flush() {
    call("nc_sync", [&] { return nc_sync(id_); });
  }
  void refuse_unfinished() const;
  void lengthen(int v, int64_t records);
  void watch_writing();
  void leave_open() noexcept;
  void close();
  void open_together();
  void find_variables();
  bool is_filtered(const Number &id);
  void check_found();
  void check_records();

  Publication name_;
  PositionalFile witness_;  // while writing: reports failed writes of the system, of any descriptor
  int group_with(const std::string &name);
  Number number_of(const std::string &name);
  std::vector<Number> ids_;       // of the schema's variables
  std::vector<bool> collective_;  // per variable
  std::vector<int64_t> lengths_;  // per variable: records it has room for
  int id_ = -1;
  int64_t held_ = netcdf4::not_held;  // HDF5's id of the file, while writing
  bool parallel_ = false;
  bool is_changed_ = false;  // since its definitions were read; the owner's
};

/// NetCDF-C rounds without a bound, and its chunks are never compared with the original.
void refuse_bounds(const Schema &schema, const Access &access) {
  const ChunkRequest request = summed(access.chunks, schema);
  for (const Variable &each : schema.variables)
    if (chunks_of(schema, each, request, access.writers).quantization.has_bound())
      throw Error(Status::unsupported, "an error bound, in a file of the store 'netcdf4_library'",
                  "Choose the store netcdf4 or zarr, or a 'compression.quantize' that netCDF-C has")
          .in_variable(each.name);
}

/// Through MPI-IO even by one rank: HDF5 then allocates chunks when a variable grows, as the writers need it. A file of
/// one writer needs no MPI-IO, and keeps the system's own errors.
void LibraryStore::create(const PlacedSchema &schema, bool exclusive) {
  schema_ = schema;
  schema_.records = records_ = 0;
  writing_ = true;
  const int mode = NC_NETCDF4 | NC_CLOBBER | (schema.format == Format::netcdf4_classic ? NC_CLASSIC_MODEL : 0);
  const std::string place = name_.part();
  team_.together([&] {
    if (!owns()) return;
    refuse_bounds(schema, team_.access());
    name_.begin(exclusive);
    try {
      const Info info(MPI_COMM_SELF, team_.access());
      if (team_.alone())
        call("nc_create", [&] { return nc_create(place.c_str(), mode, &id_); });
      else
        open("nc_create_par", [&] { return nc_create_par(place.c_str(), mode, MPI_COMM_SELF, info.get(), &id_); });
      held_ = netcdf4::hold_last_opened();
      netcdf4::define(id_, schema, team_.access());
    } catch (Error &error) {
      leave_open();
      throw error.in_file(path_);
    }
    if (!team_.alone()) close();
  });
  watch_writing();
  if (!team_.alone()) open_together();
  find_variables();
  remarks_ = hint_remarks(team_, place, team_.alone() ? nullptr : netcdf4::mpi_file_of(held_));
  if (owns()) std::ranges::copy(name_.held().stripe_remarks(team_.access().stripes), std::back_inserter(remarks_));
}

/// Collective. MPI's MPI_File_close may hide the error of close (OpenMPI's does), and netCDF's nc_close may crash
/// when HDF5's fails. Linux reports a failed write-back to every descriptor.
void LibraryStore::watch_writing() {
  team_.together([&] {
    witness_ = opened_held(name_.place(), [&] { return PositionalFile(name_.place(), PositionalFile::Mode::update); });
  });
}

void LibraryStore::open_together() {
  const Info info(team_.comm(), team_.access());
  const ScopedFileErrorHandler handler;
  const std::string place = writing_ ? name_.place() : path_;
  open("nc_open_par",
       [&] { return nc_open_par(place.c_str(), writing_ ? NC_WRITE : NC_NOWRITE, team_.comm(), info.get(), &id_); });
  if (!writing_) return;
  held_ = netcdf4::hold_last_opened();
  const MPI_File *file = netcdf4::mpi_file_of(held_);
  if (file != nullptr) team_.call("MPI_File_set_info", path_, [&] { ask_again(*file, team_.access()); });
}

/// HDF5's filter would encode new values without a check.
void refuse_encoders(const Schema &schema) {
  for (const Variable &each : schema.variables) {
    const Quantization how = each.storage == nullptr ? Quantization{} : each.storage->quantization();
    if (how.has_bound() && how.encoder != Quantization::Encoder::rounding)
      throw Error(Status::unsupported, "an error bound that an encoder keeps, in a file that HDF5 is to write",
                  "Choose the store netcdf4")
          .in_variable(each.name);
  }
}

void LibraryStore::reopen(const PlacedSchema &schema) {
  refuse_encoders(schema);
  schema_ = schema;
  records_ = schema.records;
  writing_ = true;
  team_.together([&] {
    if (team_.is_owner()) {
      name_.hold();
      team_.access().found->check(path_, name_.held());
      is_changed_ = has_changed(*team_.access().found, path_, name_.held().identity());
      complete_commit(name_.held(), name_.held_place());  // of the store netcdf4
    }
    name_.resume(team_.is_owner());
  });
  watch_writing();
  if (team_.alone()) {
    call("nc_open", [&] { return nc_open(path_.c_str(), NC_WRITE, &id_); });
    held_ = netcdf4::hold_last_opened();
  } else {
    open_together();
  }
  check_found();
  find_variables();
}

/// HDF5 reads the file as it stands, by itself or together with others.
void LibraryStore::refuse_unfinished() const {
  if (unfinished_commit_of(path_).is_empty()) return;
  throw Error(Status::format, "a commit of it was interrupted, which the store netcdf4_library cannot read past",
              "Read it with the store netcdf4, or open it once with SV_WRITE")
      .in_file(path_);
}

void LibraryStore::attach(const PlacedSchema &schema, bool writing) {
  schema_ = schema;
  records_ = schema.records;
  const auto refuse = [&] {
    if (!writing && team_.is_owner()) refuse_unfinished();
  };
  team_.access().collective ? team_.together(refuse) : refuse();
  if (team_.access().collective)
    open_together();
  else
    call("nc_open, for reading,", [&] { return nc_open(name_.place_for(writing).c_str(), NC_NOWRITE, &id_); });
  check_found();
  find_variables();
}

/// As collective as opening was. NetCDF opens names: it has another file where the name leads to one.
void LibraryStore::check_found() {
  const bool is_together = writing_ || team_.access().collective;
  const auto check_place = [&] { team_.access().found->check(path_); };
  try {
    is_together ? team_.together(check_place) : check_place();
    if (writing_) check_records();
  } catch (const Error &) {
    close();
    throw;
  }
}

/// Collective. Of a file that is opened to be written. All ask: netCDF may look into a file that is open in parallel
/// together.
void LibraryStore::check_records() {
  if (schema_.record_dim() < 0) return;
  const std::string &name = schema_.dims[static_cast<size_t>(schema_.record_dim())].name;
  int dim = -1;
  size_t records = 0;
  const int group = group_with(name);
  call("nc_inq_dimid", [&] { return nc_inq_dimid(group, std::string(base_of(name)).c_str(), &dim); });
  call("nc_inq_dimlen", [&] { return nc_inq_dimlen(group, dim, &records); });
  team_.together([&] {
    if (is_changed_ && static_cast<int64_t>(records) > records_) throw written_meanwhile().in_file(path_);
  });
}

/// The number of the group that something is in.
int LibraryStore::group_with(const std::string &name) {
  const std::string group(group_of(name));
  int found = id_;
  if (!group.empty()) call("nc_inq_grp_full_ncid", [&] { return nc_inq_grp_full_ncid(id_, group.c_str(), &found); });
  return found;
}

LibraryStore::Number LibraryStore::number_of(const std::string &name) {
  Number found{group_with(name), -1};
  call("nc_inq_varid", [&] { return nc_inq_varid(found.group, std::string(base_of(name)).c_str(), &found.variable); });
  return found;
}

/// All ranks inquire each variable: netCDF reads its description at the first inquiry, and in a file that is open in
/// parallel HDF5 reads that collectively.
void LibraryStore::find_variables() {
  parallel_ = !team_.alone() && (writing_ || team_.access().collective);
  for (const Variable &each : schema_.variables) {
    int storage = NC_CHUNKED;
    const Number id = number_of(each.name);
    call("nc_inq_var_chunking", [&] { return nc_inq_var_chunking(id.group, id.variable, &storage, nullptr); });
    const bool collective = parallel_ && (!writing_ || (!each.dims.empty() && is_filtered(id)));
    if (parallel_)
      call("nc_var_par_access",
           [&] { return nc_var_par_access(id.group, id.variable, collective ? NC_COLLECTIVE : NC_INDEPENDENT); });
    ids_.push_back(id);
    collective_.push_back(collective);
    lengths_.push_back(each.has_records ? records_ : 0);
  }
}

/// Whether values pass through any filter: HDF5 writes chunks of such a variable collectively only. NetCDF lists those
/// filters by themselves that have functions of their own.
bool LibraryStore::is_filtered(const Number &id) {
  int shuffled = 0, deflated = 0, level = 0, checksum = NC_NOCHECKSUM;
  size_t others = 0;
  call("nc_inq_var_deflate", [&] { return nc_inq_var_deflate(id.group, id.variable, &shuffled, &deflated, &level); });
  call("nc_inq_var_fletcher32", [&] { return nc_inq_var_fletcher32(id.group, id.variable, &checksum); });
  call("nc_inq_var_filter_ids", [&] { return nc_inq_var_filter_ids(id.group, id.variable, &others, nullptr); });
  return shuffled != 0 || deflated != 0 || checksum != NC_NOCHECKSUM || others > 0;
}

/// A value written past the end makes the variable longer; HDF5 wants all writers for that.
void LibraryStore::grow(std::span<const RecordCount> variables) {
  for (const RecordCount &each : variables) lengthen(each.variable, each.records);
}

void LibraryStore::lengthen(int v, int64_t records) {
  const auto at = static_cast<size_t>(v);
  if (team_.alone() || collective_[at] || !variable(v).has_records || records <= lengths_[at]) return;
  const std::vector<size_t> nothing(variable(v).dims.size(), 0);
  std::vector<size_t> start = nothing, count(nothing.size(), 1);
  start.front() = static_cast<size_t>(records - 1);
  const Element fill = schema_.fill_value(variable(v));
  call("nc_var_par_access", [&] { return nc_var_par_access(ids_[at].group, ids_[at].variable, NC_COLLECTIVE); });
  call("nc_put_vara, which makes a variable longer,", [&] {
    return nc_put_vara(ids_[at].group, ids_[at].variable, start.data(),
                       team_.is_owner() ? count.data() : nothing.data(), fill.data());
  });
  call("nc_var_par_access", [&] { return nc_var_par_access(ids_[at].group, ids_[at].variable, NC_INDEPENDENT); });
  lengths_[at] = records;
}

/// In a file that is open in parallel, netCDF asks all who have it open for the number of records before it reads any.
int64_t LibraryStore::most_calls(Direction direction, int v, int64_t mine) {
  const bool asks = parallel_ && direction == Direction::read && variable(v).has_records;
  return asks || collective_[static_cast<size_t>(v)] ? team_.most(mine) : std::max<int64_t>(mine, 0);
}

void LibraryStore::put(int v, const SubArray &part, const std::byte *values) {
  const Number &id = ids_[static_cast<size_t>(v)];
  call("nc_put_vara", [&] { return nc_put_vara(id.group, id.variable, part.start.data(), part.count.data(), values); });
}

/// They are not written: HDF5 writes no strings from several ranks.
std::vector<std::string> LibraryStore::read_strings(int v, const Box &cells) {
  const Number id = ids_[static_cast<size_t>(v)];
  std::vector<size_t> start, count;
  for (int d = 0; d < cells.dims(); ++d) {
    start.push_back(static_cast<size_t>(cells.start[d]));
    count.push_back(static_cast<size_t>(cells.count[d]));
  }
  std::vector<char *> texts(static_cast<size_t>(cells.elements()), nullptr);
  call("nc_get_vara_string",
       [&] { return nc_get_vara_string(id.group, id.variable, start.data(), count.data(), texts.data()); });
  std::vector<std::string> strings;
  for (const char *each : texts) strings.emplace_back(each == nullptr ? "" : each);
  nc_free_string(texts.size(), texts.data());
  return strings;
}

void LibraryStore::get(int v, const SubArray &part, std::byte *values) {
  const Number &id = ids_[static_cast<size_t>(v)];
  call("nc_get_vara", [&] { return nc_get_vara(id.group, id.variable, part.start.data(), part.count.data(), values); });
}

void LibraryStore::sync() {
  flush();
  witness_.sync();
}

/// No program can open an HDF5 file before its first flush; a published one has time until it is closed.
void LibraryStore::commit(int64_t records) {
  if (name_.kind() == Kind::growing) {
    flush();
    if (owns()) name_.committed();
  }
  records_ = records;
}

/// Of a file that has failed: HDF5, which cannot close it, would crash in MPI_Finalize.
void LibraryStore::leave_open() noexcept {
  held_ = netcdf4::not_held;
  if (std::exchange(id_, -1) >= 0) netcdf4::close_nothing_at_the_end();
}

/// Some writers may not have opened it, or be elsewhere in the library than others: a collective flush would not end.
/// HDF5 may keep objects of a file that netCDF could not open, and would close them in MPI_Finalize, also collectively.
void LibraryStore::mark_failed_everywhere() noexcept {
  forget_failure();
  if (!writing_ || team_.alone()) return;
  leave_open();
  netcdf4::close_nothing_at_the_end();
}

/// As collective as opening was. A file that cannot be closed stays open.
void LibraryStore::close() {
  const int64_t held = std::exchange(held_, netcdf4::not_held);
  try {
    call("nc_close", [&] { return nc_close(std::exchange(id_, -1)); });
    team_.call("H5Fclose", path_, [&] { netcdf4::close_held(held); });
  } catch (const Error &) {
    netcdf4::close_nothing_at_the_end();
    throw;
  }
}

/// A rank that fails in nc_close leaves the others there for ever: so what can fail comes before, and is agreed on. A
/// file that has failed is left open by all.
void LibraryStore::detach() {
  if (id_ < 0) return;
  try {
    if (writing_)
      team_.together([&] {
        call("nc_sync", [&] { return nc_sync(id_); });
        if (name_.durable()) witness_.sync();
        if (team_.alone()) witness_.close();
      });
  } catch (const Error &) {
    leave_open();
    throw;
  }
  close();
  if (witness_.is_open()) witness_.close();
}

void LibraryStore::finish() {
  if (!owns()) return;
  PositionalFile file(name_.place(), PositionalFile::Mode::update);
  if (name_.durable()) file.sync();
  file.close();
  name_.finish();
}

class Netcdf4Library final : public BackendOf<LibraryStore> {
 public:
  Netcdf4Library() : BackendOf(netcdf4::read_guarded_definitions) {}
  Schema read_untrusted(const std::string &path) const override {
    throw Error(Status::config,
                "the store netcdf4_library reads with HDF5 in this process, and the file is not trusted",
                "Leave 'store' out, or set 'reading.untrusted: false'")
        .in_file(path);
  }
};

}  // namespace

}  // namespace sv

extern "C" __attribute__((visibility("default"))) const sv::Backend *sv_backend() {
  sv::netcdf4::start_hdf5_without_locks();
  static const sv::Netcdf4Library one;
  return &one;
}
