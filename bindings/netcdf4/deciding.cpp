#include "deciding.hpp"

#include <netcdf_par.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "../face/loaded.hpp"
#include "access.hpp"
#include "calls.hpp"
#include "definitions.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

constinit const RealFunction<decltype(nc_create_par)> real_create_par("nc_create_par");
constinit const RealFunction<decltype(nc_var_par_access)> real_var_par_access("nc_var_par_access");

void close_all() {
  for (Dataset *const each : datasets()) {
    const auto real = [](int) { return NC_NOERR; };
    const std::string path = each->path;
    if (const int code = answered([&] { return close(*each, RealCall(real)); }); code != NC_NOERR)
      std::fprintf(stderr, "libsverdrup_netcdf4: '%s' was left open, and cannot be closed: code %d\n", path.c_str(),
                   code);
  }
}

// A file of any ranks may be put by each of them, so all of them write. Values are converted before.
constexpr const char *filling[] = {"store=netcdf4", "combine=off", "overlap=allow", "fill=true", "out_of_range=fill"};
constexpr const char *not_filling[] = {"store=netcdf4", "combine=off", "overlap=allow", "fill=false",
                                       "out_of_range=fill"};
const ContextOptions with_fill{filling, true, close_all}, without_fill{not_filling, true, [] {}};

/// The real library takes over its numbers for a file, with the access that the program has asked for.
void continue_there(Dataset &own, int there) {
  own.shapes = shapes_of(own);
  drop_definitions(own);
  own.there = there;
  own.owner = Owner::library;
  const int count = static_cast<int>(own.shapes.size());
  for (int v = 0; v < count; ++v)
    if (own.is_collective(v)) expect(real_var_par_access(own.caller)(there, v, NC_COLLECTIVE));
}

/// For the summary.
void list(const Dataset &own, const std::string &reason) {
  if (own.rank == 0) list_left(own.path, reason, own.ranks);
}

/// Collective. All values of a file into another one, in which all ranks take part: HDF5 demands it where variables are
/// compressed or grow.
void copy_values(const Dataset &own, const std::string &from, int to) {
  const void *const caller = own.caller;
  int file = -1;
  expect(real::open(caller)(from.c_str(), NC_NOWRITE, &file));
  for (int v = 0; v < static_cast<int>(own.shapes.size()); ++v) {
    const Shape &shape = own.shapes[static_cast<size_t>(v)];
    expect(real_var_par_access(caller)(to, v, NC_COLLECTIVE));
    std::vector<size_t> start(shape.dims.size() + 1, 0), count(shape.dims.size() + 1, 1);
    size_t values = 1;
    for (size_t d = 0; d < shape.dims.size(); ++d) {
      expect(real::inq_dim(caller)(file, shape.dims[d], nullptr, &count[d]));
      if (d > 0) values *= count[d];
    }
    const size_t rows = shape.dims.empty() ? 1 : std::exchange(count[0], 1);
    std::vector<uint64_t> row(values + 1);
    for (start[0] = 0; start[0] < rows && values > 0; ++start[0]) {
      const bool puts = own.rank == 0 || shape.dims.empty();  // of a scalar, all put the same value
      const std::vector<size_t> none(count.size(), 0);
      if (puts) expect(real::get_vara(caller)(file, v, start.data(), count.data(), row.data()));
      expect(real::put_vara(caller)(to, v, start.data(), puts ? count.data() : none.data(), row.data()));
    }
    if (!own.is_collective(v)) expect(real_var_par_access(caller)(to, v, NC_INDEPENDENT));
  }
  expect(real::close(caller)(file));
}

/// Collective. Where ranks have defined different things, those of rank 0 count, as with parallel HDF5.
int end_definitions(Dataset &own) {
  int status = sv_enddef(own.file);
  if (status != SV_EDEFINE) return status;
  const std::string difference = sv_message();
  if (sv_share_definitions(own.file) == SV_OK) status = sv_enddef(own.file);
  if (status == SV_OK) own.account.note = difference + ". The definitions of rank 0 were used";
  return status;
}

/// Why Sverdrup would not write such variables; empty: it would.
std::string reason_in(const std::vector<Shape> &shapes) {
  for (const Shape &each : shapes) {
    // The store quantizes whole chunks, which ranks do not put by themselves.
    if (each.is_quantized && !each.is_filtered) return "quantization without compression";
    if (each.grows_inside && asks_for_threads()) return "several unlimited dimensions, and SV_ASYNC=threads";
  }
  return "";
}

/// Collective. False with a `reason`: Sverdrup cannot have it, and nothing of it is left.
bool begin_file(Dataset &own, std::string &reason) {
  const std::vector<Shape> shapes = shapes_of(own);
  reason = reason_in(shapes);
  if (!reason.empty()) return false;
  int fills = std::any_of(shapes.begin(), shapes.end(), [](const Shape &each) { return each.is_filled; }) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &fills, 1, MPI_INT, MPI_MAX, own.comm);
  const Context *const context = context_for(own.comm, fills != 0, reason);
  if (context == nullptr) return false;
  const int flags = SV_LITERAL | SV_NETCDF4 | (own.is_classic() ? SV_CLASSIC : 0) |
                    ((own.mode & NC_NOCLOBBER) != 0 ? SV_NOCLOBBER : SV_CLOBBER);
  own.io = context->io;
  int status = sv_create(own.io, own.path.c_str(), flags, &own.file);
  if (status == SV_OK) {
    int code = answered([&] {
      bring_to_sverdrup(own);
      return NC_NOERR;
    });
    reason = std::string("Sverdrup says: ") + sv_message();
    MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MIN, own.comm);  // codes are negative
    if (code == NC_NOERR) status = end_definitions(own);
    if (code == NC_NOERR && status == SV_OK) {
      own.shapes = shapes;
      own.is_put.assign(shapes.size(), false);
      code = answered([&] {
        put_by_themselves(own);
        return NC_NOERR;
      });
      if (code == NC_NOERR) return true;
    }
    if (status != SV_OK || code != NC_NOERR) reason = std::string("Sverdrup says: ") + sv_message();
    sv_abort(own.file);
  } else {
    reason = std::string("Sverdrup says: ") + sv_message();
  }
  own.file = nullptr;
  return false;
}

}  // namespace

const Context *context_for(MPI_Comm comm, bool fills, std::string &reason) {
  return context_of(comm, fills ? with_fill : without_fill, reason);
}

int close_file(Dataset &own) {
  const int status = sv_close(std::exchange(own.file, nullptr));
  // HDF5 ends with MPI, before Sverdrup does: what a thread still has to write cannot wait for that.
  return status != SV_OK ? status : sv_flush(own.io, SV_WRITTEN);
}

void drop_definitions(Dataset &own) noexcept {
  if (own.owner != Owner::library && own.there >= 0) real::close(own.caller)(own.there);
  own.there = -1;
}

void leave(Dataset &own, const std::string &reason) {
  int there = -1;
  if (own.owner == Owner::undecided) {
    expect(real_create_par(own.caller)(own.path.c_str(), own.mode, own.comm, own.info, &there));
    bring_to_library(own, there);
    if (!own.is_defining) expect(real::enddef(own.caller)(there));
    list(own, reason);
    continue_there(own, there);
    return;
  }
  // HDF5 lets several ranks lengthen variables only in files that were made for that: the library makes a new one.
  put_together(own);
  if (own.is_changed) settle_definitions(own);
  must(close_file(own));
  const std::string before = own.path + ".before";
  int renamed = own.rank == 0 && std::rename(own.path.c_str(), before.c_str()) != 0 ? errno : 0;
  MPI_Allreduce(MPI_IN_PLACE, &renamed, 1, MPI_INT, MPI_MAX, own.comm);
  refuse_if(renamed != 0, renamed);
  expect(real_create_par(own.caller)(own.path.c_str(), own.mode & ~NC_NOCLOBBER, own.comm, own.info, &there));
  bring_to_library(own, there);
  expect(real::enddef(own.caller)(there));
  copy_values(own, before, there);
  if (own.rank == 0) std::remove(before.c_str());
  if (own.is_defining) real::redef(own.caller)(there);
  list(own, "after Sverdrup had begun it: " + reason);
  continue_there(own, there);
}

void settle_definitions(Dataset &own) {
  std::string reason;
  if (own.owner == Owner::undecided) {
    if (!begin_file(own, reason)) return leave(own, reason);
    own.owner = Owner::sverdrup;
  } else if (own.is_changed) {
    put_together(own);
    must(sv_redef(own.file));
    bring_to_sverdrup(own);
    must(end_definitions(own));
    own.may_have_new_records = false;
  }
  own.is_changed = false;
  own.shapes = shapes_of(own);
  own.is_put.resize(own.shapes.size());
  put_by_themselves(own);
}

void put_together(Dataset &own) {
  if (!std::exchange(own.is_independent, false)) return;
  must(sv_end_indep(own.file));
}

void put_by_themselves(Dataset &own) {
  if (own.is_independent) return;
  int first = 0;
  const int count = static_cast<int>(own.shapes.size());
  while (first < count && own.is_collective(first)) ++first;
  if (first == count) return;
  // Of what ranks put by themselves, nobody knows which cells it leaves: those are filled before.
  for (int v = 0; v < count; ++v) {
    const Shape &shape = own.shapes[static_cast<size_t>(v)];
    if (!shape.is_filled || shape.is_filtered || shape.has_records || own.is_put[static_cast<size_t>(v)]) continue;
    must(sv_fill_var(own.file, v, SV_NO_RECORD));
    own.is_put[static_cast<size_t>(v)] = true;
  }
  must(sv_begin_indep(own.file));
  own.is_independent = true;
  own.may_have_new_records = false;
}

}  // namespace sv::netcdf4
