#include "real.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace sv::netcdf {

namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_netcdf(std::string_view file) { return file.starts_with("libnetcdf.so") || file.starts_with("libnetcdf_"); }

/// Which netCDF library is there already, though not for all to see; otherwise the one of this machine.
void *load() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info *each, size_t, void *found) {
        const bool fits = each->dlpi_name != nullptr && is_netcdf(last_part(each->dlpi_name));
        if (fits) *static_cast<std::string *>(found) = each->dlpi_name;
        return fits ? 1 : 0;
      },
      &path);
  return dlopen(path.empty() ? SV_NETCDF_SONAME : path.c_str(), RTLD_LAZY | RTLD_LOCAL);
}

}  // namespace

void *find_real(const char *name) {
  if (void *const next = dlsym(RTLD_NEXT, name)) return next;
  static void *const library = load();
  return library == nullptr ? nullptr : dlsym(library, name);
}

void *real_function(const char *name) {
  if (void *const found = find_real(name)) return found;
  std::fprintf(stderr,
               "libsverdrup_netcdf: %s is left to netCDF, but " SV_NETCDF_SONAME
               " has no such function or "
               "cannot be loaded\n",
               name);
  std::abort();
}

bool is_inside(const void *address) {
  Dl_info object{};
  if (dladdr(address, &object) == 0 || object.dli_fname == nullptr) return false;
  const std::string_view file = last_part(object.dli_fname);
  return is_netcdf(file) || file.starts_with("libsverdrup") || file.starts_with("libstore_") ||
         file.starts_with("store_") || file.starts_with("sv-");
}

}  // namespace sv::netcdf
