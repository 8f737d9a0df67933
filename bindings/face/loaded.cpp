#include "loaded.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>

namespace sv::face {

namespace {

// A library of this kind (bindings/CMakeLists.txt): the prefix of its public names, of which each defines open; the
// file that is loaded if the process has none; its name in messages, and that of its replacement.
constexpr const char *prefix = SV_FACE_PREFIX, *open_name = SV_FACE_PREFIX "open", *file_name = SV_FACE_FILE,
                     *library_name = SV_FACE_LIBRARY, *own_name = SV_FACE_NAME;

/// A library that the process has loaded already; empty where it has not. Does not keep it loaded.
struct Close {
  void operator()(void *handle) const { dlclose(handle); }
};
using Handle = std::unique_ptr<void, Close>;
Handle loaded(const std::string &path) { return Handle(dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD)); }

link_map *map_of(void *handle) {
  link_map *map = nullptr;
  return handle != nullptr && dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void *>(&map)) == 0 ? map : nullptr;
}

Dl_info object_of(const void *address) {
  Dl_info found{};
  if (address == nullptr || dladdr(address, &found) == 0) found = {};
  return found;
}

bool is_ours(const void *address) {
  const char *const path = object_of(address).dli_fname;
  if (path == nullptr) return false;
  const std::string_view all(path), file = all.substr(all.rfind('/') + 1);
  return file.starts_with("libsverdrup") || file.starts_with("libsv_");
}

/// The function that all can see behind ours: sv-run preloads a library that has loaded this one (bindings/run).
void *visible_behind_ours(const char *name) {
  static auto *const preloaded = reinterpret_cast<void *(*)(const char *)>(dlsym(RTLD_DEFAULT, "sv_run_next"));
  return preloaded != nullptr ? preloaded(name) : dlsym(RTLD_NEXT, name);
}

using Object = LoadedLibraries::Object;

std::vector<Object> objects() {
  std::vector<Object> all;
  dl_iterate_phdr(
      [](dl_phdr_info *each, size_t, void *to) {
        Object object{each->dlpi_name == nullptr ? "" : each->dlpi_name, each->dlpi_addr};
        for (int h = 0; h < each->dlpi_phnum; ++h)
          if (each->dlpi_phdr[h].p_type == PT_GNU_RELRO) {
            object.fixed = each->dlpi_addr + each->dlpi_phdr[h].p_vaddr;
            object.fixed_end = object.fixed + each->dlpi_phdr[h].p_memsz;
          }
        static_cast<std::vector<Object> *>(to)->push_back(std::move(object));
        return 0;
      },
      &all);
  return all;
}

#if defined(__LP64__) && !defined(__mips__)
/// The relocations of a library that name its own public functions, and lead elsewhere, lead to its own afterwards.
class Binding {
 public:
  Binding(const Object &object, const link_map &map) : object_(object) {
    const char *entries = nullptr, *calls = nullptr;
    size_t entry_bytes = 0, call_bytes = 0;
    bool known_calls = false;
    for (const ElfW(Dyn) *each = map.l_ld; each->d_tag != DT_NULL; ++each) {
      const auto *const at = reinterpret_cast<const char *>(placed(each->d_un.d_ptr));
      if (each->d_tag == DT_SYMTAB) symbols_ = reinterpret_cast<const ElfW(Sym) *>(at);
      if (each->d_tag == DT_STRTAB) names_ = at;
      if (each->d_tag == DT_RELA) entries = at;
      if (each->d_tag == DT_RELASZ) entry_bytes = each->d_un.d_val;
      if (each->d_tag == DT_JMPREL) calls = at;
      if (each->d_tag == DT_PLTRELSZ) call_bytes = each->d_un.d_val;
      if (each->d_tag == DT_PLTREL) known_calls = each->d_un.d_val == DT_RELA;
    }
    if (symbols_ == nullptr || names_ == nullptr) return;
    if (entries != nullptr) bind(entries, entry_bytes, false);
    if (calls != nullptr && known_calls) bind(calls, call_bytes, true);
  }

 private:
  /// Some systems relocate these addresses, others do not.
  uintptr_t placed(uintptr_t address) const { return address < object_.bias ? address + object_.bias : address; }

  /// `calls`: of functions, which the dynamic linker may not have looked up yet.
  void bind(const char *begin, size_t bytes, bool calls) {
    const auto *const first = reinterpret_cast<const ElfW(Rela) *>(begin), *const last = first + bytes / sizeof *first;
    for (const ElfW(Rela) *each = first; each != last; ++each) {
      const ElfW(Sym) &symbol = symbols_[ELF64_R_SYM(each->r_info)];
      if (ELF64_R_SYM(each->r_info) == 0 || symbol.st_shndx == SHN_UNDEF) continue;
      if (!std::string_view(names_ + symbol.st_name).starts_with(prefix)) continue;
      auto *const slot = reinterpret_cast<void **>(object_.bias + each->r_offset);
      if (calls || is_ours(*slot)) set(slot, reinterpret_cast<void *>(object_.bias + symbol.st_value));
    }
  }

  void set(void **slot, void *function) const {
    const auto place = reinterpret_cast<uintptr_t>(slot), page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    auto *const begin = reinterpret_cast<void *>(place / page * page);
    const bool is_fixed = place >= object_.fixed && place < object_.fixed_end;
    if (*slot == function || (is_fixed && mprotect(begin, page, PROT_READ | PROT_WRITE) != 0)) return;
    __atomic_store_n(slot, function, __ATOMIC_RELEASE);
    if (is_fixed) mprotect(begin, page, PROT_READ);
  }

  const Object &object_;
  const ElfW(Sym) *symbols_ = nullptr;
  const char *names_ = nullptr;
};
#endif

void bind_to_itself([[maybe_unused]] const Object &object) {
#if defined(__LP64__) && !defined(__mips__)
  const Handle handle = loaded(object.path);
  if (const link_map *const map = map_of(handle.get())) Binding(object, *map);
#endif
}

}  // namespace

LoadedLibraries &libraries() {
  static auto *const own = new LoadedLibraries;
  return *own;
}

uint64_t LoadedLibraries::generation() {
  uint64_t counted = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *each, size_t, void *to) {
        *static_cast<uint64_t *>(to) = each->dlpi_adds + each->dlpi_subs;
        return 1;
      },
      &counted);
  return counted;
}

const LoadedLibraries::Library *LoadedLibraries::at(const void *base) const {
  const auto found =
      std::find_if(libraries_.begin(), libraries_.end(), [&](const Library &each) { return each.base == base; });
  return base == nullptr || found == libraries_.end() ? nullptr : &*found;
}

/// Asks the dynamic linker only after it has let go of its own lock (dl_iterate_phdr).
void LoadedLibraries::refresh() {
  const uint64_t now = generation();
  if (now == generation_) return;
  std::vector<Library> found, fresh;
  for (const Object &each : objects()) {
    const Handle handle = each.path.empty() ? nullptr : loaded(each.path);
    const void *const function = handle ? dlsym(handle.get(), open_name) : nullptr;
    const link_map *const map = map_of(handle.get());
    if (function == nullptr || map == nullptr || is_ours(function)) continue;
    const Dl_info object = object_of(function);
    if (object.dli_fbase == nullptr || object_of(map->l_ld).dli_fbase != object.dli_fbase)
      continue;  // it only needs it
    const Library *const known = at(object.dli_fbase);
    (known == nullptr ? fresh : found).push_back({object.dli_fbase, each, known != nullptr && known->is_bound});
  }
  has_fresh_ = !fresh.empty();
  found.insert(found.end(), fresh.begin(), fresh.end());
  libraries_ = std::move(found);
  for (Library &each : libraries_)
    if (libraries_.size() > 1 && !std::exchange(each.is_bound, true)) bind_to_itself(each.object);
  by_caller_.clear();
  generation_ = now;
  if (libraries_.size() == 1) one_in_.store(now, std::memory_order_release);
}

/// The one that the dynamic linker would have bound that code to: the first for all to see, itself, or one that it
/// needs.
const LoadedLibraries::Library *LoadedLibraries::reached_from(const void *caller) const {
  if (const Library *const next = at(object_of(visible_behind_ours(open_name)).dli_fbase)) return next;
  const Dl_info object = object_of(caller);
  if (object.dli_fname == nullptr) return nullptr;
  if (const Library *const itself = at(object.dli_fbase)) return itself;
  const Handle handle = loaded(object.dli_fname);
  return handle ? at(object_of(dlsym(handle.get(), open_name)).dli_fbase) : nullptr;
}

/// nullptr: there is none, and none can be loaded.
const LoadedLibraries::Library *LoadedLibraries::chosen(const void *caller) {
  refresh();
  if (libraries_.empty() && dlopen(file_name, RTLD_LAZY | RTLD_LOCAL) != nullptr) refresh();
  if (libraries_.size() < 2) return libraries_.empty() ? nullptr : &libraries_.front();
  if (const auto known = by_caller_.find(caller); known != by_caller_.end()) return known->second;
  if (const Library *const reached = reached_from(caller)) return by_caller_[caller] = reached;
  // The caller knows functions of a library by a handle. One that was not bound to itself until now may have led here.
  return std::exchange(has_fresh_, false) ? &libraries_.back() : &libraries_.front();
}

void *LoadedLibraries::find(const char *name, const void *caller) {
  const RecursiveLock lock(mutex_);
  const Library *const library = chosen(caller);
  if (void *const visible = visible_behind_ours(name); visible != nullptr && !is_ours(visible)) return visible;
  const Handle handle = library == nullptr ? nullptr : loaded(library->object.path);
  return handle ? dlsym(handle.get(), name) : nullptr;
}

void *LoadedLibraries::must_find(const char *name, const void *caller) {
  if (void *const found = find(name, caller)) return found;
  std::fprintf(stderr,
               "%s: %s is left to %s, but the %s library that the program has, or %s, has no such function or cannot "
               "be loaded\n",
               own_name, name, library_name, library_name, file_name);
  std::abort();
}

bool LoadedLibraries::contain(const void *address) {
  const RecursiveLock lock(mutex_);
  refresh();
  return at(object_of(address).dli_fbase) != nullptr;
}

}  // namespace sv::face
