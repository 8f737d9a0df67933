// A file's life: it is taken over or left to PnetCDF when it is made or opened, and never later.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "../face/loaded.hpp"
#include "../face/mpi/contexts.hpp"
#include "calls.hpp"
#include "definitions.hpp"
#include "hints.hpp"
#include "transfer.hpp"

namespace sv::pnetcdf {

namespace {

/// The format of a new file, as a number of nc_inq_format; 0: a mode that PnetCDF refuses.
int format_of(int mode) {
  const int formats = mode & (NC_64BIT_OFFSET | NC_64BIT_DATA);
  if (formats == NC_64BIT_OFFSET) return NC_FORMAT_CDF2;
  if (formats == NC_64BIT_DATA) return NC_FORMAT_CDF5;
  if (formats != 0) return 0;
  static constinit const RealFunction<decltype(ncmpi_inq_default_format)> inquire("ncmpi_inq_default_format");
  int format = NC_FORMAT_CLASSIC;
  inquire()(&format);
  return format;
}

/// Why this rank would leave the file to PnetCDF; empty: it would not.
std::string reason_to_leave(const Call &call) {
  if (call.path == nullptr || *call.path == '\0') return "it has no name";
  const std::string path = call.path;
  if (path.find(':') < path.find('/')) return "its name begins with a kind of file system";
  // PnetCDF ignores flags that it does not know (NC_PNETCDF, NC_LOCK), and refuses these two.
  if ((call.mode & (NC_DISKLESS | NC_MMAP)) != 0) return "its mode has NC_DISKLESS or NC_MMAP";
  if (call.is_new) {
    if ((call.mode & NC_NETCDF4) != 0) return "netCDF-4";
    const int format = format_of(call.mode);
    if (format != NC_FORMAT_CLASSIC && format != NC_FORMAT_CDF2 && format != NC_FORMAT_CDF5)
      return "its format is none of CDF-1, CDF-2 and CDF-5";
  }
  // There each call is compared between the ranks.
  const char *const safe = std::getenv("PNETCDF_SAFE_MODE");
  if (safe != nullptr && std::strcmp(safe, "0") != 0) return "PNETCDF_SAFE_MODE";
  return reason_in_hints(call.info);
}

/// Collective. Whether all ranks would take it over, with the same mode.
bool all_agree(const Call &call, std::string &reason) {
  int most[] = {reason.empty() ? 0 : 1, call.mode, -call.mode};
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_INT, MPI_MAX, call.comm);
  const bool all = most[0] == 0 && most[1] == -most[2];
  if (!all && reason.empty()) reason = "ranks ask for different things";
  return all;
}

int flags_of(const Call &call, int format) {
  if (!call.is_new) return SV_LITERAL | ((call.mode & NC_WRITE) != 0 ? SV_WRITE : SV_NOWRITE);
  const int flags = SV_LITERAL | ((call.mode & NC_NOCLOBBER) != 0 ? SV_NOCLOBBER : SV_CLOBBER);
  return flags | (format == NC_FORMAT_CDF5 ? SV_64BIT_DATA : format == NC_FORMAT_CDF2 ? SV_64BIT_OFFSET : SV_CLASSIC);
}

void describe(Dataset &own, const Call &call) {
  own.path = call.path;
  own.is_new = call.is_new;
  own.is_writable = call.is_new || (call.mode & NC_WRITE) != 0;
  own.mode = call.is_new ? Mode::define : Mode::collective;
  must(sv_inq_format(own.file, &own.format));
  must(sv_inq(own.file, nullptr, nullptr, nullptr, &own.record_dim_));
  own.fills.assign(static_cast<size_t>(own.variable_count()),
                   true);  // nothing in a file says otherwise, and PnetCDF fills
  if (!call.is_new) own.old_variables = own.variable_count();
  own.hints = hints_in_force(call.info, own.alignments);
}

bool is_excluded(const Context &context, const char *path) {
  char value[8] = "";
  must(sv_inq_setting(context.io, path, "take_over", nullptr, value));
  return std::string(value) == "false";
}

// The behaviour of PnetCDF, and the kinds of its files.
constexpr const char *options[] = {"store=cdf",  "format=auto",       "combine=off",         "overlap=allow",
                                   "fill=false", "out_of_range=fill", "summary.table?=false"};
const ContextOptions context_options{options, false, [] {
                                       for (Dataset *const each : datasets()) answered([&] { return close(*each); });
                                     }};

/// Collective. nullptr with a `reason`: it is left to PnetCDF.
Dataset *taken_over(const Call &call, std::string &reason) {
  if (call.comm == MPI_COMM_NULL) {
    reason = "it has no communicator";
    return nullptr;
  }
  reason = reason_to_leave(call);
  if (!all_agree(call, reason)) return nullptr;
  const Context *const context = context_of(call.comm, context_options, reason);
  if (context == nullptr) return nullptr;
  if (is_excluded(*context, call.path)) {
    reason = "the configuration says take_over: false";
    return nullptr;
  }
  auto made = std::make_unique<Dataset>();
  made->io = context->io;
  made->comm = context->comm;
  made->ranks = context->ranks;
  const int flags = flags_of(call, call.is_new ? format_of(call.mode) : 0);
  const int status = call.is_new ? sv_create(context->io, call.path, flags, &made->file)
                                 : sv_open(context->io, call.path, flags, &made->file);
  if (status != SV_OK) {
    reason = std::string("Sverdrup says: ") + sv_message();
    return nullptr;
  }
  describe(*made, call);
  if (!is_cdf(made->format)) {
    sv_close(made->file);
    reason = "its format is none of CDF-1, CDF-2 and CDF-5";
    return nullptr;
  }
  if (!call.is_new) find_layout(*made);
  return &keep(std::move(made));
}

}  // namespace

int begin(const Call &call, int *ncid, const std::function<int()> &real) {
  std::string reason;
  int ranks = 0, rank = 0;
  if (call.comm != MPI_COMM_NULL) MPI_Comm_size(call.comm, &ranks);
  const auto turn = turn_of(ranks);
  if (const Dataset *const own = taken_over(call, reason)) return assign(ncid, own->ncid);
  const int code = real();
  if (code != NC_NOERR) return code;
  MPI_Comm_rank(call.comm, &rank);
  if (rank == 0) list_left(call.path, reason, ranks);
  return code;
}

int inq_files_opened(int *count, int *ncids, const std::function<int()> &real) {
  refuse_if(count == nullptr, NC_EINVAL);
  const int code = real();
  for (const Dataset *each : datasets()) {
    if (ncids != nullptr) ncids[*count] = each->ncid;
    ++*count;
  }
  return code;
}

namespace {

/// Collective. Commits the puts; all ranks know the records that one of them has written.
int sync_file(Dataset &own) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  if (!own.is_writable) return NC_NOERR;
  own.may_have_new_records = false;
  const bool alone = own.mode == Mode::independent;
  const int code = code_of(sv_sync(own.file));
  if (alone && code == NC_NOERR) must(sv_begin_indep(own.file));  // it goes on
  return code;
}

}  // namespace

int redef(Dataset &own) {
  refuse_if(!own.is_writable, NC_EPERM);
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  must(sv_redef(own.file));
  own.requests.carried_out();
  own.may_have_new_records = false;
  own.mode = Mode::define;
  return NC_NOERR;
}

int sync(Dataset &own) { return sync_file(own); }
int sync_numrecs(Dataset &own) { return sync_file(own); }

int flush(Dataset &own) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  return NC_NOERR;
}

int begin_indep_data(Dataset &own) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  if (own.mode == Mode::independent) return NC_NOERR;
  must(sv_begin_indep(own.file));
  own.may_have_new_records = false;
  own.mode = Mode::independent;
  return NC_NOERR;
}

int end_indep_data(Dataset &own) {
  refuse_if(own.mode == Mode::define, NC_EINDEFINE);
  refuse_if(own.mode != Mode::independent, NC_ENOTINDEP);
  own.mode = Mode::collective;
  own.may_have_new_records = own.is_writable;
  return code_of(sv_end_indep(own.file));
}

namespace {

/// Collective. Rank 0 lists what the ranks have put and got.
void list_handled_by_all(const Dataset &own, int code) {
  if (!lists_files()) return;
  Account sums = own.account;
  int64_t counts[] = {sums.puts, sums.gets, sums.put_bytes, sums.got_bytes};
  int rank = 0;
  MPI_Comm_rank(own.comm, &rank);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : counts, counts, 4, MPI_INT64_T, MPI_SUM, 0, own.comm);
  sums.puts = counts[0], sums.gets = counts[1], sums.put_bytes = counts[2], sums.got_bytes = counts[3];
  if (rank == 0) list_handled(own.path, sums, own.ranks, code);
}

/// Collective. It is gone in any case.
int end_life(Dataset &own, decltype(sv_close) *ending) {
  const int closed = code_of(ending(own.file));
  list_handled_by_all(own, closed);
  MPI_Info_free(&own.hints);
  forget(own);
  return closed;
}

}  // namespace

int close(Dataset &own) {
  int code = own.mode == Mode::define ? answered([&] { return enddef(own); }) : NC_NOERR;
  const bool pending = own.requests.count() > 0;
  if (pending) cancel(own, NC_REQ_ALL, nullptr, nullptr);
  const int closed = end_life(own, sv_close);
  if (code == NC_NOERR) code = closed;
  return code == NC_NOERR && pending ? NC_EPENDING : code;
}

int abort(Dataset &own) {
  cancel(own, NC_REQ_ALL, nullptr, nullptr);
  return end_life(own, sv_abort);
}

}  // namespace sv::pnetcdf
