#include "led.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <string>

namespace sv::netcdf {

namespace {

/// In the folder of this library, wherever the program works. nullptr: it cannot be loaded.
void *load_led(const char *file_name) {
  Dl_info here{};
  std::string path = file_name;
  static const char inside = 0;
  if (dladdr(&inside, &here) != 0 && here.dli_fname != nullptr) {
    const std::string own = here.dli_fname;
    if (const size_t end = own.rfind('/'); end != std::string::npos) path = own.substr(0, end + 1) + file_name;
  }
  return dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

std::atomic<bool> has_serial_files = false;

/// The library decides, or cannot be loaded: then the real one makes the file, and the summary names the reason.
int begin_led(Led library, const char *entry, const sv_netcdf4_call &call, int *ncid,
              const std::function<int()> &real) {
  char reason[512];
  std::snprintf(reason, sizeof reason, "%s", "netCDF-4, and Sverdrup's library for it cannot be loaded");
  int rank = 0, ranks = 1, number = -1;
  settle_files_at(call.path);
  auto *const create = reinterpret_cast<sv_netcdf4_create_function *>(find_led(library, entry));
  int code = create == nullptr ? NC_NOERR : create(&call, &number, reason, sizeof reason, &rank, &ranks);
  if (code != NC_NOERR) return code;
  if (number >= 0) return assign(ncid, number);
  code = real();
  if (code == NC_NOERR && call.path != nullptr && rank == 0) list_left(call.path, reason, ranks);
  return code;
}

}  // namespace

void *find_led(Led library, const char *name) {
  void *loaded = nullptr;
  if (library == Led::parallel) {
    static void *const parallel = load_led("libsverdrup_netcdf4.so.0");
    loaded = parallel;
  } else {
    static void *const serial = load_led("libsverdrup_netcdf4_serial.so.0");
    loaded = serial;
  }
  return loaded == nullptr ? nullptr : dlsym(loaded, name);
}

int begin_parallel(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real, const char *entry) {
  settle_led_files_at(call.path);
  return is_inside(call.caller) ? real() : begin_led(Led::parallel, entry, call, ncid, real);
}

int begin_serial(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real, const char *entry) {
  has_serial_files = true;
  return begin_led(Led::serial, entry, call, ncid, real);
}

void settle_led_files_at(const char *path) noexcept {
  if (!has_serial_files || path == nullptr) return;
  auto *const settle = reinterpret_cast<sv_netcdf4_settle_function *>(find_led(Led::serial, "sv_netcdf4_settle"));
  if (settle != nullptr) settle(path);
}

}  // namespace sv::netcdf
