#include "engine.hpp"

#include <netcdf_par.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "../../face/loaded.hpp"
#include "../copies.hpp"
#include "../deciding.hpp"
#include "../real.hpp"
#include "file_definitions.hpp"
#include "statuses.hpp"

namespace sv::netcdf4 {

namespace {

constinit const RealFunction<decltype(nc_create_par)> real_create_par("nc_create_par");
constinit const RealFunction<decltype(nc_var_par_access)> real_var_par_access("nc_var_par_access");

static_assert(independent_access == NC_INDEPENDENT && collective_access == NC_COLLECTIVE);

void close_all_of_ranks() { close_all("libsverdrup_netcdf4"); }

// A file of any ranks may be put by each of them, so all of them write. Values are converted before.
constexpr const char *filling[] = {"store=netcdf4", "combine=off",       "overlap=allow",
                                   "fill=true",     "out_of_range=fill", "summary.table?=false"};
constexpr const char *not_filling[] = {"store=netcdf4", "combine=off",       "overlap=allow",
                                       "fill=false",    "out_of_range=fill", "summary.table?=false"};
const ContextOptions with_fill{filling, true, close_all_of_ranks}, without_fill{not_filling, true, [] {}};

/// Why Sverdrup would not write such variables; empty: it would.
std::string reason_in(const std::vector<Shape> &shapes) {
  const bool has_threads = asks_for_threads();
  for (const Shape &each : shapes) {
    if (each.type == NC_STRING) return "strings, which HDF5 does not write in parallel";
    if (each.grows_inside && has_threads) return "several unlimited dimensions, and SV_ASYNC=threads";
  }
  return "";
}

std::string reason_in(const Definitions &definitions, const std::vector<Shape> &shapes) {
  const char *const reason = netcdf4::reason_in(definitions);
  return reason != nullptr ? reason : reason_in(shapes);
}

/// Whether others may read the file between its commits. A compressed chunk of several records would be written anew at
/// each of them.
bool can_grow(const Definitions &definitions, const sv_context *io, const std::string &path) {
  const auto waits = [&](const VariableDefinition &each) {
    const bool has_records = !each.dims.empty() && definitions.dims[static_cast<size_t>(each.dims[0])].is_unlimited;
    return has_records && each.is_filtered() && !each.chunk.empty() && each.chunk[0] > 1;
  };
  if (std::any_of(definitions.variables.begin(), definitions.variables.end(), waits)) return false;
  char durability[16] = "";
  size_t length = 0;
  const bool is_known = sv_inq_setting(io, path.c_str(), "durability", &length, nullptr) == SV_OK;
  if (is_known && length < sizeof durability) sv_inq_setting(io, path.c_str(), "durability", nullptr, durability);
  return std::string(durability) != "ordered";
}

/// The marker of Sverdrup's readers at the end of a file that grew.
std::string marker_of(const std::string &path) {
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  return (failed ? path : target.string()) + ".complete";
}

std::string name_before(const std::string &path, int number) {
  std::string name = path + ".before";
  if (number > 0) name.append(1, '.').append(std::to_string(number));
  return name;
}

/// Gives a file a name that no other file has. Returns the number of the name, or a system error below 0.
int set_aside(const std::string &path) {
  constexpr int most = 1000;
  for (int number = 0; number < most; ++number) {
    if (::link(path.c_str(), name_before(path, number).c_str()) == 0)
      return ::unlink(path.c_str()) == 0 ? number : -errno;
    if (errno != EEXIST) return -errno;
  }
  return -EEXIST;
}

/// Why Sverdrup would not write the whole file that it has opened, whose definitions are `there`; empty: it would.
std::string reason_in_opened(const sv_file *file, int there, const void *caller) {
  int dims = 0, variables = 0;
  must(sv_inq(file, &dims, &variables, nullptr, nullptr));
  const Counts counts = counts_of(there, caller);
  if (dims != counts.dims || variables != counts.variables) return "Sverdrup would leave out a part of it";
  if (counts.groups == 1 || stand_alike(definitions_of(there, caller, {}), file)) return "";
  return "its groups stand in an order that Sverdrup would not keep";
}

std::string message() { return std::string("Sverdrup says: ") + sv_message(); }

}  // namespace

const Context *context_for(MPI_Comm comm, bool fills, std::string &reason) {
  return context_of(comm, fills ? with_fill : without_fill, reason);
}

ParallelEngine::ParallelEngine(const ParallelCall &call, int rank, int ranks)
    : call_(call), rank_(rank), ranks_(ranks), reading_(call.caller) {
  if (call.info != MPI_INFO_NULL) MPI_Info_dup(call.info, &call_.info);
}

ParallelEngine::~ParallelEngine() {
  if (call_.info != MPI_INFO_NULL) MPI_Info_free(&call_.info);
}

/// Collective.
void ParallelEngine::add_up(Account &account) const {
  int64_t counts[] = {account.puts, account.gets, account.put_bytes, account.got_bytes};
  MPI_Reduce(rank_ == 0 ? MPI_IN_PLACE : counts, counts, 4, MPI_INT64_T, MPI_SUM, 0, call_.comm);
  account.puts = counts[0], account.gets = counts[1], account.put_bytes = counts[2], account.got_bytes = counts[3];
  account.note = note_;
}

int64_t ParallelEngine::length(int dim) const {
  int64_t length = 0;
  return sv_inq_dim(file_, dim, nullptr, &length) == SV_OK ? length : 0;
}

/// Where ranks have defined different things, those of rank 0 count, as with parallel HDF5.
int ParallelEngine::end_definitions() {
  int status = sv_enddef(file_);
  if (status != SV_EDEFINE) return status;
  const std::string difference = sv_message();
  if (sv_share_definitions(file_) == SV_OK) status = sv_enddef(file_);
  if (status == SV_OK) note_ = difference + ". The definitions of rank 0 were used";
  return status;
}

/// Variables that are new. Compressed ones are put and got by all ranks together, as in netCDF.
void ParallelEngine::take_shapes(const std::vector<Shape> &shapes) {
  const size_t known = is_put_.size();
  shapes_ = shapes;
  is_put_.resize(shapes_.size());
  collective_.resize(shapes_.size());
  for (size_t v = known; v < shapes_.size(); ++v) collective_[v] = collective_[v] || shapes_[v].is_filtered;
}

/// Into the new file. Returns a status.
int ParallelEngine::bring_new(const Definitions &definitions) {
  int code = answered([&] {
    bring_to_sverdrup(definitions, file_);
    return NC_NOERR;
  });
  MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MIN, call_.comm);  // codes are negative
  if (code != NC_NOERR) return SV_EDEFINE;
  const int status = end_definitions();
  return status == SV_OK ? put_by_themselves() : status;
}

bool ParallelEngine::begin(const Definitions &definitions, std::string &reason) {
  take_shapes(shapes_of(definitions));
  reason = reason_in(definitions, shapes_);
  if (!reason.empty()) return false;
  int fills = std::any_of(shapes_.begin(), shapes_.end(), [](const Shape &each) { return each.is_filled; }) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fills, 1, MPI_INT, MPI_MAX, call_.comm);
  const Context *const context = context_for(call_.comm, fills != 0, reason);
  if (context == nullptr) return false;
  const int flags = SV_LITERAL | SV_NETCDF4 | ((call_.mode & NC_CLASSIC_MODEL) != 0 ? SV_CLASSIC : 0) |
                    ((call_.mode & NC_NOCLOBBER) != 0 ? SV_NOCLOBBER : SV_CLOBBER);
  io_ = context->io;
  const int kind = can_grow(definitions, io_, call_.path) ? SV_GROWING : SV_PUBLISHED;
  int status = sv_create(io_, call_.path.c_str(), flags | kind, &file_);
  const bool is_made = status == SV_OK;
  if (is_made) status = bring_new(definitions);
  if (status == SV_OK) return true;
  reason = message();
  if (is_made) sv_abort(file_);
  file_ = nullptr;
  refuse_if(is_of_system(status), code_of(status));
  return false;
}

void ParallelEngine::complete_commit() {
  int is_interrupted = rank_ == 0 && has_journal(call_.path) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &is_interrupted, 1, MPI_INT, MPI_MAX, call_.comm);
  std::string reason;
  const Context *const context = is_interrupted != 0 ? context_for(call_.comm, true, reason) : nullptr;
  sv_file *file = nullptr;
  if (context != nullptr && sv_open(context->io, call_.path.c_str(), SV_LITERAL | SV_WRITE, &file) == SV_OK)
    sv_close(file);
}

bool ParallelEngine::open(int there, int mode, const std::vector<Shape> &shapes, std::string &reason) {
  const Context *const context = context_for(call_.comm, true, reason);
  if (context == nullptr) return false;
  io_ = context->io;
  call_.mode = mode;
  std::error_code failed;
  is_marked_ = std::filesystem::exists(marker_of(call_.path), failed);
  const int status = sv_open(io_, call_.path.c_str(), SV_LITERAL | SV_WRITE, &file_);
  if (status != SV_OK) {
    reason = message();
    file_ = nullptr;
    refuse_if(is_of_system(status), code_of(status));
    return false;
  }
  const int code = answered([&] {
    is_put_.assign(shapes.size(), true);
    take_shapes(shapes);
    reason = reason_in_opened(file_, there, call_.caller);
    if (reason.empty()) reason = reason_in(shapes_);
    if (reason.empty()) must(put_by_themselves());
    return NC_NOERR;
  });
  if (code != NC_NOERR) reason = message();
  return reason.empty();
}

bool ParallelEngine::redefine(const Definitions &definitions, std::string &reason) {
  const std::vector<Shape> shapes = shapes_of(definitions);
  reason = reason_in(definitions, shapes);
  if (!reason.empty()) return false;
  put_together();
  must(sv_redef(file_));
  bring_to_sverdrup(definitions, file_);
  must(end_definitions());
  may_have_new_records_ = false;
  take_shapes(shapes);
  must(put_by_themselves());
  return true;
}

/// Nothing where they do so already.
void ParallelEngine::put_together() {
  if (!std::exchange(is_independent_, false)) return;
  must(sv_end_indep(file_));
}

/// Where some variable allows it. Returns a status.
int ParallelEngine::put_by_themselves() {
  if (is_independent_) return SV_OK;
  int first = 0;
  const int count = static_cast<int>(shapes_.size());
  while (first < count && is_collective(first)) ++first;
  if (first == count) return SV_OK;
  // Independent puts leave cells that no rank knows: all cells are filled before.
  for (int v = 0; v < count; ++v) {
    const Shape &shape = shapes_[static_cast<size_t>(v)];
    if (!shape.is_filled || shape.is_filtered || shape.has_records || is_put_[static_cast<size_t>(v)]) continue;
    const int status = sv_fill_var(file_, v, SV_NO_RECORD);
    if (status != SV_OK) return status;
    is_put_[static_cast<size_t>(v)] = true;
  }
  const int status = sv_begin_indep(file_);
  is_independent_ = status == SV_OK;
  may_have_new_records_ = may_have_new_records_ && !is_independent_;
  return status;
}

/// Carries out this rank's request, if it has one. Collective, or for this rank alone.
int ParallelEngine::carry_out(Request *request, bool alone) {
  sv_request number = SV_NO_REQUEST;
  int status = SV_OK, recorded = SV_OK;
  if (request != nullptr) {
    const int type = shapes_[static_cast<size_t>(request->variable)].type;
    const auto submit = [&](const auto &call) {
      return call(file_, request->variable, request->start.data(), request->count.data(), request->stride.data(),
                  {type, request->values, nullptr}, &number);
    };
    recorded = request->is_put ? submit(sv_iput_vars) : submit(sv_iget_vars);
  }
  const int n = number == SV_NO_REQUEST ? 0 : 1;
  const int all = alone ? sv_wait_indep(file_, n, &number, &status) : sv_wait(file_, n, &number, &status);
  const int code = code_of(recorded != SV_OK ? recorded : status);
  return code != NC_NOERR ? code : code_of(all);
}

/// Whether an unlimited dimension of it is not the record dimension of Sverdrup's file, of which there is one.
bool ParallelEngine::has_growing_lengths(const Shape &shape) const {
  int record_dim = -1;
  must(sv_inq(file_, nullptr, nullptr, nullptr, &record_dim));
  for (size_t d = 0; d < shape.dims.size(); ++d)
    if (shape.lengths[d] == unlimited_length && shape.dims[d] != record_dim) return true;
  return false;
}

/// Collective, for a put that may lengthen dimensions other than the record dimension.
int ParallelEngine::put_growing(int variable, const Request *request) {
  const Shape &shape = shapes_[static_cast<size_t>(variable)];
  const std::vector<int64_t> zeros(shape.dims.size() + 1, 0);
  if (request == nullptr)
    return sv_put_vars(file_, variable, zeros.data(), zeros.data(), nullptr, {shape.type, nullptr, nullptr});
  return sv_put_vars(file_, variable, request->start.data(), request->count.data(), request->stride.data(),
                     {shape.type, request->values, nullptr});
}

/// Collective.
int ParallelEngine::move_together(int variable, bool is_put, Request *request) {
  put_together();
  if (!is_put && may_have_new_records_) {
    must(sv_sync(file_));
    may_have_new_records_ = false;
  }
  int code = NC_NOERR;
  if (is_put && has_growing_lengths(shapes_[static_cast<size_t>(variable)]))
    code = code_of(put_growing(variable, request));
  else
    code = carry_out(request, false);
  if (is_put) {
    may_have_new_records_ = true;
    is_put_[static_cast<size_t>(variable)] = true;
  }
  must(put_by_themselves());
  return code;
}

/// Local. Of a compressed variable that ranks access by themselves: none has put it since the file was opened, and the
/// real library reads it as it was.
int ParallelEngine::get_by_library(const Request &request) const {
  const void *const caller = call_.caller;
  const std::vector<size_t> start(request.start.begin(), request.start.end());
  const std::vector<size_t> count(request.count.begin(), request.count.end());
  const std::vector<ptrdiff_t> stride(request.stride.begin(), request.stride.end());
  int file = -1;
  expect(real::open(caller)(call_.path.c_str(), NC_NOWRITE, &file));
  const Shape &shape = shapes_[static_cast<size_t>(request.variable)];
  const int code = real::get_vars(caller)(group_in(file, shape.group_path, caller), shape.number, start.data(),
                                          count.data(), stride.data(), request.values);
  const int closed = real::close(caller)(file);
  return code != NC_NOERR ? code : closed;
}

int ParallelEngine::transfer(int variable, bool is_put, Request *request) {
  if (reading_.is_open()) return request == nullptr ? NC_NOERR : reading_.get(*request);
  if (is_collective(variable)) return move_together(variable, is_put, request);
  if (request == nullptr) return NC_NOERR;
  if (!shapes_[static_cast<size_t>(variable)].is_filtered) return carry_out(request, true);
  return is_put ? NC_EHDFERR : get_by_library(*request);
}

void ParallelEngine::sync() {
  put_together();
  must(sv_sync(file_));
  may_have_new_records_ = false;
  must(put_by_themselves());
}

int ParallelEngine::close() {
  if (file_ == nullptr) return reading_.close();
  const int status = sv_close(std::exchange(file_, nullptr));
  // HDF5 ends with MPI, before Sverdrup does: the thread must have written all values by then.
  const int code = code_of(status != SV_OK ? status : sv_flush(io_, SV_WRITTEN));
  if (!is_marked_ && rank_ == 0) std::remove(marker_of(call_.path).c_str());
  return code;
}

int ParallelEngine::make_by_library() {
  int there = -1;
  expect(real_create_par(call_.caller)(call_.path.c_str(), call_.mode, call_.comm, call_.info, &there));
  return there;
}

/// HDF5 lets several ranks lengthen variables only in files that were made for that: the library makes a new one.
int ParallelEngine::hand_over(const Definitions &definitions) {
  std::string none;
  redefine(definitions, none);
  put_together();
  expect(close());
  int number = rank_ == 0 ? set_aside(call_.path) : INT_MAX;
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MIN, call_.comm);
  refuse_if(number < 0, -number);
  const std::string before = name_before(call_.path, number);
  call_.mode &= ~NC_NOCLOBBER;
  const int there = make_by_library();
  bring_to_library(definitions, there, call_.caller);
  expect(real::enddef(call_.caller)(there));
  copy_values(before, there);
  if (rank_ == 0) std::remove(before.c_str());
  return there;
}

/// Collective. All values of a file into another one, in which all ranks take part: HDF5 demands it where variables are
/// compressed or grow.
void ParallelEngine::copy_values(const std::string &from, int to) {
  const void *const caller = call_.caller;
  int file = -1;
  expect(real::open(caller)(from.c_str(), NC_NOWRITE, &file));
  for (int v = 0; v < static_cast<int>(shapes_.size()); ++v) {
    const Shape &shape = shapes_[static_cast<size_t>(v)];
    const int group = to + shape.group;
    expect(real_var_par_access(caller)(group, shape.number, NC_COLLECTIVE));
    copy_variable(shape, file, to, rank_ == 0 || shape.dims.empty(), caller);  // of a scalar, all put the same value
    if (!is_collective(v)) expect(real_var_par_access(caller)(group, shape.number, NC_INDEPENDENT));
  }
  expect(real::close(caller)(file));
}

void ParallelEngine::set_access_of_library(const std::vector<Shape> &shapes, int there) {
  take_shapes(shapes);
  for (int v = 0; v < std::ssize(shapes_); ++v) {
    const Shape &shape = shapes_[static_cast<size_t>(v)];
    if (is_collective(v)) expect(real_var_par_access(call_.caller)(there + shape.group, shape.number, NC_COLLECTIVE));
  }
}

void ParallelEngine::set_access(const std::vector<Shape> &shapes, int variable, int access) {
  const auto v = static_cast<size_t>(variable);
  if (collective_.size() < shapes.size()) collective_.resize(shapes.size());
  if (collective_[v] == (access == NC_COLLECTIVE)) return;  // ranks may differ in whether they ask again
  collective_[v] = access == NC_COLLECTIVE;
  if (file_ == nullptr || v >= shapes_.size() || access == NC_COLLECTIVE) return;
  put_together();
  must(put_by_themselves());
}

}  // namespace sv::netcdf4
