// The store over PnetCDF. The owner keeps header and names of the file, as our own CDF store does. The data go
// through PnetCDF, each writer's contiguous ranges by themselves. Every writer has our own store open, too: it syncs
// by itself (a rank that fails in ncmpi_sync would block the others for ever), and its close returns errors that
// MPI_File_close may hide (OpenMPI's does).
#include <pnetcdf.h>

#include <cerrno>
#include <optional>
#include <utility>

#include "backend/backend.hpp"
#include "backend/mpi_io/team_store.hpp"
#include "base/first_error.hpp"
#include "mpi/comm.hpp"
#include "store/cdf_store.hpp"
#include "store/publication.hpp"

namespace sv {

namespace {

Status status_of(int code, int system) {
  switch (code) {
    case NC_ENOENT:
      return Status::not_found;
    case NC_EEXIST:
      return Status::exists;
    case NC_EACCESS:
    case NC_EPERM:
      return Status::access;
    case NC_EQUOTA:
    case NC_ENO_SPACE:
      return Status::no_space;
    case NC_ENOTNC:
      return Status::format;
    case NC_ENOMEM:
      return Status::no_memory;
    default:
      return status_of_system(system);
  }
}

void check(int code, const std::string &call) {
  const int system = errno;
  if (code == NC_NOERR) return;
  throw library_error({status_of(code, system), "PnetCDF", call + ": " + ncmpi_strerror(code), system});
}

MPI_Datatype datatype_of(Type type) {
  switch (type) {
    case Type::int8:
      return MPI_SIGNED_CHAR;
    case Type::text:
      return MPI_CHAR;
    case Type::int16:
      return MPI_SHORT;
    case Type::int32:
      return MPI_INT;
    case Type::float32:
      return MPI_FLOAT;
    case Type::float64:
      return MPI_DOUBLE;
    case Type::uint8:
      return MPI_UNSIGNED_CHAR;
    case Type::uint16:
      return MPI_UNSIGNED_SHORT;
    case Type::uint32:
      return MPI_UNSIGNED;
    case Type::int64:
      return MPI_LONG_LONG_INT;
    case Type::uint64:
      return MPI_UNSIGNED_LONG_LONG;
    case Type::string:
      break;
  }
  return MPI_DATATYPE_NULL;
}

bool sieves_in(int id) {
  MPI_Info hints = MPI_INFO_NULL;
  check(ncmpi_inq_file_info(id, &hints), "ncmpi_inq_file_info");
  const bool found = sieves(hints);
  check_mpi(MPI_Info_free(&hints), "MPI_Info_free");
  return found;
}

class PnetcdfStore final : public TeamStore {
 public:
  PnetcdfStore(const std::string &path, Kind kind, const Access &access)
      : TeamStore(path, access), kind_(kind), cdf_(make_cdf_store(path, kind, {.found = access.found})) {}

  void create(const PlacedSchema &schema, bool exclusive) override;
  void reopen(const PlacedSchema &schema) override;
  void attach(const PlacedSchema &schema, bool writing) override;
  void mark_failed_everywhere() noexcept override { forget_failure(); }
  int64_t most_calls(Direction direction, int variable, int64_t mine) override;
  void write(const Slab &slab, std::span<const std::byte> values) override {
    note_put(slab);
    TeamStore::write(slab, values);
  }
  void write_many(std::span<const SlabPart> parts) override;
  void read_many(std::span<const SlabPart> parts) override;
  void sync() override { cdf_->sync(); }
  void sync_name() override {
    own([&] { cdf_->sync_name(); });
  }
  void be_durable(bool durable) override { cdf_->be_durable(durable); }
  void commit(int64_t records) override;
  void detach() override;
  void finish() override {
    own([&] { cdf_->finish(); });
  }
  void abandon() noexcept override;
  StoreCounters counters() const override;

 private:
  void put(int v, const SubArray &box, const std::byte *values) override;
  void get(int v, const SubArray &box, std::byte *values) override;
  template <typename Action>
  void own(Action action) {
    if (owns()) action();
  }
  void open(const std::string &place);
  void check_found();
  template <typename Call>
  void call(const std::string &what, Call made) const {
    team_.call(what, path_, [&] { check(made(), what); });
  }
  bool is_collective() const { return !writing_ && team_.access().collective; }
  /// A sub-array, and where its values stand in the slab's buffer.
  struct Part {
    std::vector<MPI_Offset> start, count;
    int64_t offset_bytes, elements;
    MPI_Datatype type;
  };
  Part part_of(int v, const SubArray &box) const;
  void note_put(const Slab &slab) {
    if (variable(slab.variable).has_records && slab.first < slab.last) put_ = std::max(put_, slab.record + 1);
  }
  bool counts_too_many() const;
  template <typename Post>
  void post_all(std::span<const SlabPart> parts, Post post);
  void wait_for(std::span<int> requests);

  const Kind kind_;
  std::unique_ptr<Store> cdf_;  // while writing; the owner's keeps header, record count and names
  int64_t put_ = 0;             // records up to the last that this rank has put values into
  int id_ = -1;
  bool committed_ = false;
  bool sieves_ = false;  // in writes with gaps: so every part is written by itself
};

void PnetcdfStore::open(const std::string &place) {
  const Info info(team_.comm(), team_.access());
  const ScopedFileErrorHandler handler;
  if (writing_)
    team_.together([&] {
      if (!owns()) cdf_->attach(schema_, true);
    });
  team_.open("ncmpi_open", path_, [&] {
    check(ncmpi_open(team_.comm(), place.c_str(), writing_ ? NC_WRITE : NC_NOWRITE, info.get(), &id_), "ncmpi_open");
  });
  check_found();
  if (is_collective()) return;
  try {
    team_.together([&] {
      call("ncmpi_begin_indep_data", [&] { return ncmpi_begin_indep_data(id_); });
      if (writing_) sieves_ = sieves_in(id_);
    });
  } catch (const Error &) {
    if (!team_.alone()) id_ = -1;  // ncmpi_close would wait for ever for those of the other mode
    throw;
  }
}

/// As collective as opening was. PnetCDF opens names: it has another file where the name leads to one.
void PnetcdfStore::check_found() {
  if (!team_.access().found->of(path_).is_known()) return;  // on all ranks: it is new
  const auto check_place = [&] { team_.access().found->check(path_); };
  const bool is_together = writing_ || is_collective();
  try {
    is_together ? team_.together(check_place) : check_place();
  } catch (const Error &) {
    const int closed = ncmpi_close(std::exchange(id_, -1));
    static_cast<void>(closed);  // the first error is reported
    throw;
  }
}

void PnetcdfStore::create(const PlacedSchema &schema, bool exclusive) {
  schema_ = schema;
  schema_.records = records_ = 0;
  writing_ = true;
  team_.together([&] { own([&] { cdf_->create(schema, exclusive); }); });
  const std::string place = Publication(path_, kind_).part();
  open(place);
  remarks_ = hint_remarks(team_, place);
}

void PnetcdfStore::reopen(const PlacedSchema &schema) {
  schema_ = schema;
  records_ = schema.records;
  writing_ = committed_ = true;
  team_.together([&] { own([&] { cdf_->reopen(schema); }); });
  open(path_);
}

void PnetcdfStore::attach(const PlacedSchema &schema, bool writing) {
  schema_ = schema;
  records_ = schema.records;
  open(Publication(path_, kind_).place_for(writing));  // another rank may be writing it: this one reads
}

int64_t PnetcdfStore::most_calls(Direction, int, int64_t mine) {
  return is_collective() ? team_.most(mine) : std::max<int64_t>(mine, 0);
}

PnetcdfStore::Part PnetcdfStore::part_of(int v, const SubArray &box) const {
  const Type type = variable(v).type;
  return {{box.start.begin(), box.start.end()},
          {box.count.begin(), box.count.end()},
          box.first_element * size_of(type),
          box.elements,
          datatype_of(type)};
}

void PnetcdfStore::put(int v, const SubArray &box, const std::byte *values) {
  const Part part = part_of(v, box);
  call("ncmpi_put_vara",
       [&] { return ncmpi_put_vara(id_, v, part.start.data(), part.count.data(), values, part.elements, part.type); });
}

void PnetcdfStore::get(int v, const SubArray &box, std::byte *values) {
  const Part part = part_of(v, box);
  const auto get_vara = is_collective() ? ncmpi_get_vara_all : ncmpi_get_vara;
  call("ncmpi_get_vara",
       [&] { return get_vara(id_, v, part.start.data(), part.count.data(), values, part.elements, part.type); });
}

/// Posts all parts as the library's own requests, and waits for them together: it combines them then.
template <typename Post>
void PnetcdfStore::post_all(std::span<const SlabPart> parts, Post post) {
  std::vector<int> requests;
  try {
    for (const SlabPart &each : parts)
      for (const SubArray &box : sub_arrays(each.slab, variable(each.slab.variable).has_records)) {
        const Part part = part_of(each.slab.variable, box);
        int request = NC_REQ_NULL;
        try {
          check(post(each, part, &request), "posting a request");
        } catch (Error &error) {
          throw error.in_variable(variable(each.slab.variable).name);
        }
        requests.push_back(request);
      }
  } catch (Error &error) {
    const int cancelled = ncmpi_cancel(id_, static_cast<int>(requests.size()), requests.data(), nullptr);
    static_cast<void>(cancelled);  // the first error is reported
    if (!is_collective()) throw error.in_file(path_);
    requests.clear();
    wait_for(requests);
    throw error.in_file(path_);
  }
  wait_for(requests);
}

void PnetcdfStore::wait_for(std::span<int> requests) {
  const auto n = static_cast<int>(requests.size());
  std::vector<int> statuses(requests.size(), NC_NOERR);
  const auto wait = is_collective() ? ncmpi_wait_all : ncmpi_wait;
  call("ncmpi_wait", [&] { return wait(id_, n, requests.data(), statuses.data()); });
  for (const int status : statuses) check(status, "ncmpi_wait");
}

void PnetcdfStore::write_many(std::span<const SlabPart> parts) {
  if (sieves_) return Store::write_many(parts);
  for (const SlabPart &each : parts) note_put(each.slab);
  post_all(parts, [&](const SlabPart &each, const Part &part, int *request) {
    ++counters_.writes;
    return ncmpi_iput_vara(id_, each.slab.variable, part.start.data(), part.count.data(),
                           each.values.data() + part.offset_bytes, part.elements, part.type, request);
  });
  for (const SlabPart &each : parts) counters_.written_bytes += static_cast<int64_t>(each.values.size());
}

void PnetcdfStore::read_many(std::span<const SlabPart> parts) {
  post_all(parts, [&](const SlabPart &each, const Part &part, int *request) {
    if (variable(each.slab.variable).has_records) check_record(each.slab.record, records_);
    ++counters_.reads;
    return ncmpi_iget_vara(id_, each.slab.variable, part.start.data(), part.count.data(),
                           each.values.data() + part.offset_bytes, part.elements, part.type, request);
  });
  for (const SlabPart &each : parts) counters_.read_bytes += static_cast<int64_t>(each.values.size());
}

/// PnetCDF's own count, which its reading goes by, comes after ours: ours is what other programs see.
void PnetcdfStore::commit(int64_t records) {
  call("ncmpi_sync_numrecs", [&] { return ncmpi_sync_numrecs(id_); });
  own([&] { cdf_->commit(records); });
  records_ = records;
  committed_ = true;
}

/// Collective over the writers. Whether the count that PnetCDF writes in closing includes records that are not
/// committed, in a file that others see.
bool PnetcdfStore::counts_too_many() const {
  if (!writing_ || kind_ != Kind::growing) return false;
  return team_.most(committed_ && put_ > records_ ? 1 : 0) > 0;
}

/// In closing, PnetCDF writes how many records were put. Where some of them are not committed, the file was abandoned:
/// PnetCDF keeps it open to the end of the program, and has nothing left to write to it. Ours comes last all the same:
/// PnetCDF's is too small where records have no values, and too large after a commit that failed.
void PnetcdfStore::detach() {
  if (id_ < 0) return;
  const int id = std::exchange(id_, -1);
  FirstError failed;
  failed.attempt([&] {
    if (!counts_too_many()) call("ncmpi_close", [&] { return ncmpi_close(id); });
  });
  if (committed_) own([&] { cdf_->commit(records_); });
  if (writing_) cdf_->detach();
  failed.check();
}

void PnetcdfStore::abandon() noexcept {
  if (owns()) cdf_->abandon();
}

StoreCounters PnetcdfStore::counters() const {
  StoreCounters sum = TeamStore::counters();
  sum.add(cdf_->counters());
  return sum;
}

}  // namespace

}  // namespace sv

extern "C" __attribute__((visibility("default"))) const sv::Backend *sv_backend() {
  static const sv::BackendOf<sv::PnetcdfStore> one;
  return &one;
}
