#include "backend/netcdf4/filter_plug_in.hpp"

#include <dlfcn.h>
#include <hdf5.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "backend/netcdf4/hdf5_calls.hpp"
#include "base/error.hpp"
#include "model/error_encoder.hpp"

namespace sv::netcdf4 {

namespace {

/// It stays loaded: HDF5 keeps the address of its functions.
struct PlugIn {
  std::atomic<H5Z_func_t> function = nullptr;
  void *library = nullptr;
};
PlugIn sz3_plug_in, zfp_plug_in;

PlugIn &plug_in_of(FilterKind kind) { return kind == FilterKind::sz3 ? sz3_plug_in : zfp_plug_in; }

ErrorEncoder encoder_of(FilterKind kind) { return *find_encoder(static_cast<unsigned>(kind)); }

/// In the order in which HDF5 searches them: HDF5_PLUGIN_PATH, or its own default.
std::vector<std::string> folders() {
  unsigned loading = 0, count = 0;
  checked(H5PLget_loading_state(&loading), "H5PLget_loading_state");
  if ((loading & H5PL_FILTER_PLUGIN) == 0) return {};
  checked(H5PLsize(&count), "H5PLsize");
  std::vector<std::string> all;
  for (unsigned i = 0; i < count; ++i) {
    const ssize_t length = checked(H5PLget(i, nullptr, 0), "H5PLget");
    std::string name(static_cast<size_t>(length) + 1, '\0');
    checked(H5PLget(i, name.data(), name.size()), "H5PLget");
    name.resize(static_cast<size_t>(length));
    all.push_back(std::move(name));
  }
  return all;
}

/// The plug-ins of hdf5plugin (Python) contain stand-ins for HDF5's functions, which do nothing until its function
/// init_filter gets the name of the library with the real ones. In a program that is linked with HDF5, they call the
/// real ones anyway, and init_filter would overwrite HDF5's variables. h5py's import connects them to its own HDF5.
void connect_to_hdf5(void *library) {
  const auto init = reinterpret_cast<int (*)(const char *)>(dlsym(library, "init_filter"));
  Dl_info where{};
  if (init == nullptr || dlsym(dlopen(nullptr, RTLD_LAZY), "H5Zregister") != nullptr) return;
  if (dladdr(reinterpret_cast<const void *>(&H5Zregister), &where) == 0) return;
  void *const hdf5 = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (hdf5 == nullptr) return;
  const bool has_all = dlsym(hdf5, "H5Zregister") != nullptr && dlsym(hdf5, "H5E_ARGS_g") != nullptr;
  if (has_all) init(where.dli_fname);
  dlclose(hdf5);
}

/// The filter of this number in a shared library; nullptr: it contains another one, or is none of HDF5's plug-ins.
const H5Z_class2_t *filter_in(void *library, FilterKind kind) {
  const auto type = reinterpret_cast<int (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void *(*)()>(dlsym(library, "H5PLget_plugin_info"));
  if (type == nullptr || info == nullptr || type() != H5PL_TYPE_FILTER) return nullptr;
  const auto *const found = static_cast<const H5Z_class2_t *>(info());
  const bool is_wanted = found != nullptr && found->version == H5Z_CLASS_T_VERS && found->id == static_cast<int>(kind);
  return is_wanted && found->encoder_present != 0 && found->decoder_present != 0 ? found : nullptr;
}

const H5Z_class2_t *load_plug_in(const std::string &path, FilterKind kind) {
  void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const H5Z_class2_t *const found = filter_in(library, kind);
  if (found == nullptr)
    dlclose(library);
  else
    plug_in_of(kind).library = library;
  return found;
}

/// Those with the filter's name first, so that few others are loaded; then in the order of their names, so that all
/// ranks load the same one.
const H5Z_class2_t *find_plug_in(FilterKind kind) {
  for (const std::string &folder : folders()) {
    std::error_code failed;
    std::vector<std::string> libraries;
    for (const auto &entry : std::filesystem::directory_iterator(folder, failed))
      if (entry.path().filename().string().find(".so") != std::string::npos) libraries.push_back(entry.path().string());
    std::ranges::sort(libraries);
    std::ranges::stable_partition(libraries, [word = std::string(encoder_of(kind).word)](const std::string &each) {
      return each.find(word) != std::string::npos;
    });
    for (const std::string &each : libraries)
      if (const H5Z_class2_t *const found = load_plug_in(each, kind)) return found;
  }
  return nullptr;
}

/// Memory as HDF5 gives it to a filter, which may free it and leave other memory in its place.
struct FilterMemory {
  explicit FilterMemory(size_t length) : bytes(length), start(std::malloc(std::max<size_t>(length, 1))) {
    if (start == nullptr) throw std::bad_alloc();
  }
  ~FilterMemory() { std::free(start); }
  FilterMemory(const FilterMemory &) = delete;

  size_t bytes;
  void *start;
};

/// SZ3 (3.1) uses and stores numbers of its configuration that it has not set: they are what the stack contained. With
/// zeros, it behaves alike in each call.
__attribute__((noinline)) void clear_stack() {
  unsigned char below[16384];
  std::memset(below, 0, sizeof below);
  asm volatile("" : : "r"(below) : "memory");  // the zeros are not left out
}

size_t call_plug_in(const Filter &filter, unsigned flags, std::span<const std::byte> from, std::span<std::byte> to) {
  const H5Z_func_t function = plug_in_of(filter.kind).function;
  if (function == nullptr) throw Error(Status::internal, "a filter was not loaded", "Please report this");
  FilterMemory memory(from.size());
  std::memcpy(memory.start, from.data(), from.size());
  size_t made = 0;
  clear_stack();
  try {
    made =
        function(flags, filter.parameters.size(), filter.parameters.data(), from.size(), &memory.bytes, &memory.start);
  } catch (...) {  // of any kind: SZ3 throws
    return 0;
  }
  if (made == 0 || made > to.size()) return 0;
  std::memcpy(to.data(), memory.start, made);
  return made;
}

}  // namespace

void need_plug_in(FilterKind kind) {
  PlugIn &plug_in = plug_in_of(kind);
  if (plug_in.function != nullptr) return connect_to_hdf5(plug_in.library);
  const Silence silence;
  const H5Z_class2_t *const found = find_plug_in(kind);
  if (found == nullptr) {
    const ErrorEncoder encoder = encoder_of(kind);
    throw Error(Status::not_compiled,
                std::string("HDF5 finds no plug-in for ") + encoder.name + " (filter " +
                    std::to_string(static_cast<int>(kind)) +
                    ") here, which encodes values and decodes them for readers",
                std::string("Install the plug-in (Python's hdf5plugin contains it) and name its folder in "
                            "HDF5_PLUGIN_PATH; or leave ':") +
                    encoder.word + "' out of 'compression.quantize', so that values are rounded within the bound");
  }
  connect_to_hdf5(plug_in.library);
  checked(H5Zregister(found), "H5Zregister");
  plug_in.function = found->filter;
}

void need_plug_in(const Filter &filter) {
  need_plug_in(filter.kind);
  const std::vector<unsigned> &values = filter.parameters;
  constexpr unsigned most_dims = 5, version_at = 16;
  const bool is_sz3 = filter.kind == FilterKind::sz3;
  if (is_sz3 ? values.size() >= 13 && values[0] <= most_dims : values.size() >= 4 && values[0] >> version_at != 0)
    return;
  const ErrorEncoder encoder = encoder_of(filter.kind);
  throw Error(Status::not_compiled,
              std::string("the plug-in for ") + encoder.name + " takes other parameters than those of " +
                  (is_sz3 ? "versions up to 3.1" : "versions from 0.5 on"),
              std::string("Use the plug-in of Python's hdf5plugin, or leave ':") + encoder.word +
                  "' out of 'compression.quantize'");
}

size_t encode_by_plug_in(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to) {
  return call_plug_in(filter, 0, from, to);
}

size_t decode_by_plug_in(const Filter &filter, std::span<const std::byte> from, std::span<std::byte> to) {
  return call_plug_in(filter, H5Z_FLAG_REVERSE, from, to);
}

}  // namespace sv::netcdf4
