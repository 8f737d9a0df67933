// The entries for nc_create, and for nc_open with NC_WRITE: whether a new file is undecided, or the real library's at
// once, and who has an existing file.
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>

#include "../../face/loaded.hpp"
#include "../deciding.hpp"
#include "../real.hpp"
#include "backend/netcdf4_bound/bound.hpp"
#include "config/configuration.hpp"
#include "engine.hpp"
#include "serial/store_thread.hpp"
#include "store/file_name.hpp"
#include "store/journal.hpp"
#include "store/positional_file.hpp"

namespace sv::netcdf4 {

namespace {

/// Read when the first file is made, and never destroyed: destructors of the program may still make files.
const Settings &settings() {
  static const auto *const own = new Settings(load_settings("", environment(), {}));
  return *own;
}

/// As many threads as are configured; otherwise as this process has processors, but no more than four.
int compressing_threads() {
  if (settings().server_threads > 1) return settings().server_threads;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return 1;
  return std::clamp(CPU_COUNT(&mine), 1, 4);
}

/// When the process ends. NetCDF may have ended before: definitions that are not in the file yet stay away.
void close_all_of_process() {
  if (!StoreThread::own().is_of_this_process()) return;
  for (Dataset *const each : datasets()) {
    const bool is_small = each->is_in_memory() && each->is_defined;
    if (each->owner != Owner::sverdrup && !is_small) continue;
    const int code = answered([&] {
      if (is_small) write_small_file(*each);
      return each->engine->close();
    });
    list_handled(each->path, each->account, 1, code);
    if (code != NC_NOERR)
      std::fprintf(stderr, "libsverdrup_netcdf4_serial: '%s' was left open, and cannot be closed: code %d\n",
                   each->path.c_str(), code);
  }
}

/// Why the store cannot use the netCDF that `caller` reaches; empty: it can. The first one of a process is the store's.
std::string reason_against_library(const void *caller) {
  static const void *bound_to = nullptr;
  static std::string reason;
  auto *const create = reinterpret_cast<void *>(real::create(caller));
  if (bound_to != nullptr) return bound_to == create ? reason : "the process has several netCDF libraries";
  bound_to = create;
  Dl_info where{};
  if (dladdr(create, &where) == 0 || where.dli_fname == nullptr) return reason = "its netCDF is not a shared library";
  void *const library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);  // it stays
  if (library == nullptr) return reason = "its netCDF is not a shared library";
  reason = bound::bind(library);
  // HDF5 has begun by now, and ends after the function that is registered here.
  if (reason.empty() && std::atexit(close_all_of_process) != 0) reason = "files cannot be closed at the end";
  return reason;
}

/// As with netCDF, the file is there at once.
void make_empty(const std::string &path) {
  using Mode = PositionalFile::Mode;
  PositionalFile(path, presence_of(path) == Presence::absent ? Mode::make : Mode::update).resize(0);
}

/// Why files of this call are the real library's; empty: they are not.
std::string reason_against_call(const sv_netcdf4_call &call) {
  if (!settings().for_file(call.path).take_over) return "the configuration says take_over: false";
  return reason_against_library(call.caller);
}

/// A file with its engine, of which nothing is known yet.
Dataset &begin_file(const sv_netcdf4_call &call) {
  auto made = std::make_unique<Dataset>();
  made->caller = call.caller;
  made->path = call.path;
  made->place = std::filesystem::absolute(call.path);
  made->mode = call.mode;
  made->engine =
      std::make_unique<SerialEngine>(SerialCall{call.caller, made->place, call.mode, &settings().for_file(call.path),
                                                compressing_threads(), identity_at(call.path)});
  return keep(std::move(made));
}

/// nullptr with a `reason`: the real library makes it.
Dataset *created(const sv_netcdf4_call &call, std::string &reason) {
  reason = reason_against_new_file(call.path, call.mode);
  if (reason.empty()) reason = reason_against_call(call);
  if (!reason.empty()) return nullptr;
  make_empty(call.path);
  Dataset &own = begin_file(call);
  if (keep_definitions(own)) return &own;
  reason = "netCDF cannot keep its definitions in memory";
  forget(own);
  return nullptr;
}

/// Files at this path that are or may become Sverdrup's. They may have been opened by another name, or from another
/// directory.
template <class Visit>
void for_files_at(const char *path, const Visit &visit) {
  FileIdentity wanted;
  if (caught(-1, [&] { wanted = identity_at(path); }) || !wanted.is_known()) return;
  for (Dataset *const each : datasets())
    if ((each->owner != Owner::library || each->is_small) && static_cast<SerialEngine &>(*each->engine).has(wanted))
      visit(*each);
}

/// Whether it is small, and the real library has opened it, until it grows; or cannot, for a `reason`. Not where
/// another program has a commit to end, or where Sverdrup's readers look for a marker.
bool open_small(Dataset &own, std::string &reason) {
  constexpr std::uintmax_t most_bytes = 4 << 20;
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(own.place, failed);
  if (failed || bytes > most_bytes) return false;
  const std::string target = target_of(own.place, true);
  if (presence_of(journal_of(target)) != Presence::absent || static_cast<SerialEngine &>(*own.engine).is_marked())
    return false;
  reason = open_there(own, own.mode);
  if (!reason.empty()) return false;
  own.owner = Owner::library;
  return own.is_small = true;
}

/// nullptr with a `reason`: the real library opens it. Throws the code of a file that cannot be read.
Dataset *opened(const sv_netcdf4_call &call, std::string &reason) {
  reason = reason_against_opening(call.path, call.mode);
  if (reason.empty()) reason = reason_against_call(call);
  if (!reason.empty()) return nullptr;
  for_files_at(call.path, [&](Dataset &each) { keep_small(each, reason = "the program has it open already"); });
  if (!reason.empty()) return nullptr;
  Dataset &own = begin_file(call);
  const int code = answered([&] {
    Definitions definitions;
    reason = static_cast<SerialEngine &>(*own.engine).reason_against_completing();
    if (reason.empty() && open_small(own, reason)) return NC_NOERR;
    if (reason.empty()) reason = open_there(own, NC_NOWRITE);
    if (reason.empty()) reason = take_definitions(own, definitions);
    if (reason.empty()) own.engine->take_file(definitions, own.is_classic(), reason);
    return NC_NOERR;
  });
  if (code == NC_NOERR && reason.empty()) return &own;
  give_up(own);
  refuse_if(code != NC_NOERR, code);
  return nullptr;
}

}  // namespace

}  // namespace sv::netcdf4

int sv_netcdf4_create(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  *rank = 0, *ranks = 1;
  return sv::netcdf4::answer_entry(ncid, {reason, length},
                                   [call](auto &why) { return sv::netcdf4::created(*call, why); });
}

int sv_netcdf4_open(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  *rank = 0, *ranks = 1;
  return sv::netcdf4::answer_entry(ncid, {reason, length},
                                   [call](auto &why) { return sv::netcdf4::opened(*call, why); });
}

void sv_netcdf4_settle(const char *path) {
  using namespace sv::netcdf4;
  for_files_at(path, [](Dataset &each) {
    keep_small(each, "the program has it open already");
    answered([&each] {  // the next call on that file returns its error
      if (each.is_in_memory() && each.is_defined && !each.is_defining) settle_definitions(each);
      if (each.owner == Owner::sverdrup) each.engine->sync();
      return NC_NOERR;
    });
  });
}
