#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include "backend/backend.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"

namespace sv {

namespace {

/// The function that the program's calls of `function` reach. The tracer (src/tracer) and libsv_run (bindings/run)
/// are in front of every library, in any order, and return the function behind them.
std::vector<void *> reached(const char *function) {
  std::vector<void *> all{dlsym(RTLD_DEFAULT, function)};
  for (const char *next : {"sv_run_next", "sv_trace_next"})
    if (const auto behind = reinterpret_cast<void *(*)(const char *)>(dlsym(RTLD_DEFAULT, next)))
      all.push_back(behind(function));
  return all;
}

/// A program that brings another build of the same library (libnetcdff brings the serial netCDF) hides the store's:
/// both have the same names. Returns where the hiding one is, or nothing.
std::string hiding(void *store) {
  for (const char *function : {"nc_open", "ncmpi_open", "H5Fopen"}) {
    const std::vector<void *> all = reached(function);
    void *const own = dlsym(store, function);
    const bool is_hidden = own != nullptr && std::find(all.begin(), all.end(), own) == all.end();
    Dl_info where{};
    if (is_hidden && all.back() != nullptr && dladdr(all.back(), &where) != 0) return where.dli_fname;
  }
  return "";
}

const Backend &load(const std::string &name) {
  const std::string file = plug_in_path(name);
  const auto refuse = [&](const std::string &why) {
    return Error(Status::not_compiled, "the store '" + name + "' is not there: " + why,
                 "Build Sverdrup where the library is found (docs/stores.md), or choose the store 'cdf'");
  };
  if (!std::filesystem::exists(file)) throw refuse("it was not compiled ('" + file + "' does not exist)");
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw refuse(dlerror());
  if (const std::string other = hiding(handle); !other.empty())
    throw Error(Status::not_compiled, "the store '" + name + "' cannot work in this program, which has linked " + other,
                "Link the program with the parallel build of that library, or choose the store 'cdf'");
  using Entry = const Backend *(*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, "sv_backend"));
  if (entry == nullptr) throw refuse(dlerror());
  return *entry();
}

}  // namespace

const Backend &backend(const std::string &name) {
  static Mutex mutex;
  static auto &loaded = *new std::map<std::string, const Backend *>;  // needed until the very end
  const MutexLock lock(mutex);
  const auto known = loaded.find(name);
  if (known != loaded.end()) return *known->second;
  return *(loaded[name] = &load(name));
}

const StoreKind &kind_named(const std::string &name) {
  for (const StoreKind &kind : store_kinds())
    if (kind.name == name) return kind;
  const StoreKind *const kind = backend(name).kind();
  if (kind != nullptr && kind->name == name) return *kind;
  throw Error(Status::not_compiled, "the plug-in of the store '" + name + "' returns no store kind",
              "See docs/stores.md, 'How to add a store'");
}

}  // namespace sv
