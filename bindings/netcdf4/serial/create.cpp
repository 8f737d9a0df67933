// The entry for nc_create: whether a new serial file is undecided, or the real library's at once.
#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "../../face/loaded.hpp"
#include "../deciding.hpp"
#include "../real.hpp"
#include "backend/netcdf4_bound/bound.hpp"
#include "config/configuration.hpp"
#include "engine.hpp"
#include "serial/store_thread.hpp"
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
    if (each->owner != Owner::sverdrup) continue;
    const int code = each->engine->close();
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
  // HDF5 has begun by now, and ends after what is registered here.
  if (reason.empty() && std::atexit(close_all_of_process) != 0) reason = "files cannot be closed at the end";
  return reason;
}

/// As with netCDF, the file is there at once.
void make_empty(const std::string &path) {
  using Mode = PositionalFile::Mode;
  PositionalFile(path, presence_of(path) == Presence::absent ? Mode::make : Mode::update).resize(0);
}

/// nullptr with a `reason`: the real library makes it.
Dataset *serial_file(const sv_netcdf4_call &call, std::string &reason) {
  reason = reason_against_new_file(call.path, call.mode);
  if (reason.empty() && !settings().for_file(call.path).take_over) reason = "the configuration says take_over: false";
  if (reason.empty()) reason = reason_against_library(call.caller);
  if (!reason.empty()) return nullptr;
  make_empty(call.path);
  auto made = std::make_unique<Dataset>();
  made->caller = call.caller;
  made->path = call.path;
  made->mode = call.mode;
  made->engine = std::make_unique<SerialEngine>(SerialCall{call.caller, std::filesystem::absolute(call.path), call.mode,
                                                           &settings().for_file(call.path), compressing_threads()});
  Dataset &own = keep(std::move(made));
  if (!keep_definitions(own)) {
    reason = "netCDF cannot keep its definitions in memory";
    forget(own);
    return nullptr;
  }
  // As with netCDF, the file is there.
  PositionalFile(call.path,
                 presence_of(call.path) == Presence::absent ? PositionalFile::Mode::make : PositionalFile::Mode::update)
      .resize(0);
  return &own;
}

}  // namespace

}  // namespace sv::netcdf4

int sv_netcdf4_create(const sv_netcdf4_call *call, int *ncid, char *reason, size_t length, int *rank, int *ranks) {
  using namespace sv::netcdf4;
  const sv::NoTraps quiet;
  std::string why;
  *rank = 0;
  *ranks = 1;
  const Dataset *made = nullptr;
  try {
    made = serial_file(*call, why);
  } catch (const std::exception &error) {
    why = error.what();
  } catch (const sv::face::Refusal &) {
    why = "netCDF cannot keep its definitions in memory";
  }
  if (made != nullptr) *ncid = made->ncid;
  std::snprintf(reason, length, "%s", why.c_str());
  return made != nullptr ? 1 : 0;
}

void sv_netcdf4_settle(const char *path) {
  using namespace sv::netcdf4;
  for (Dataset *const each : datasets()) {
    std::error_code failed;
    if (each->owner != Owner::sverdrup || !std::filesystem::equivalent(each->path, path, failed)) continue;
    answered([each] {  // the next call on that file returns its error
      each->engine->sync();
      return NC_NOERR;
    });
  }
}
