#include "parallel.hpp"

#include <dlfcn.h>

#include <string>

namespace sv::netcdf {

namespace {

constexpr const char *file_name = "libsverdrup_netcdf4.so.0";

/// In the folder of this library, wherever the program works. nullptr: it cannot be loaded.
void *parallel_library() {
  static void *const library = [] {
    Dl_info here{};
    std::string path = file_name;
    static const char inside = 0;
    if (dladdr(&inside, &here) != 0 && here.dli_fname != nullptr) {
      const std::string own = here.dli_fname;
      if (const size_t end = own.rfind('/'); end != std::string::npos) path = own.substr(0, end + 1) + file_name;
    }
    return dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  }();
  return library;
}

}  // namespace

void *find_parallel(const char *name) {
  void *const library = parallel_library();
  return library == nullptr ? nullptr : dlsym(library, name);
}

int begin_parallel(const sv_netcdf4_call &call, int *ncid, const std::function<int()> &real) {
  if (is_inside(call.caller)) return real();
  char reason[512] = "opened in parallel, by a program for which libsverdrup_netcdf4 cannot be loaded";
  int rank = 0, ranks = 1, number = -1;
  settle_files_at(call.path);
  auto *const create = reinterpret_cast<sv_netcdf4_create_function *>(find_parallel("sv_netcdf4_create"));
  if (create != nullptr && create(&call, &number, reason, sizeof reason, &rank, &ranks) == 1)
    return assign(ncid, number);
  const int code = real();
  if (code == NC_NOERR && call.path != nullptr && rank == 0) list_left(call.path, reason, ranks);
  return code;
}

}  // namespace sv::netcdf
