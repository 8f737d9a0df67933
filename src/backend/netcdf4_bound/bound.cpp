#include "backend/netcdf4_bound/bound.hpp"

#include <dlfcn.h>

#include <string_view>

#include "backend/netcdf4/chunk_store.hpp"
#include "backend/netcdf4/define_in_memory.hpp"

namespace sv::bound {

Names names;

namespace {

/// HDF5 has set the numbers in its variables. Where a program uses such a variable itself, the linker may have given
/// the program a copy of it, which HDF5 uses, too (a copy relocation): then the library's own remains unset.
std::string use_copies_of_variables() {
  for (const Entry &each : entries) {
    if (!std::string_view(each.name).ends_with("_g")) continue;
    const auto is_set = [&] { return H5Iget_type(*static_cast<const hid_t *>(*each.to)) != H5I_BADID; };
    if (is_set()) continue;
    if (void *const copy = dlsym(RTLD_DEFAULT, each.name)) *each.to = copy;
    if (!is_set()) return std::string("the program's HDF5 has set no ") + each.name;
  }
  return "";
}

}  // namespace

std::string bind(void *library) {
  for (const Entry &each : entries) {
    *each.to = dlsym(library, each.name);
    if (*each.to == nullptr) return std::string("the program's netCDF, or its HDF5, has no ") + each.name;
  }
  unsigned major = 0, minor = 0, release = 0;
  if (H5open() < 0 || H5get_libversion(&major, &minor, &release) < 0) return "the program's HDF5 does not start";
  if (major != H5_VERS_MAJOR || minor != H5_VERS_MINOR)
    return "the program has HDF5 " + std::to_string(major) + "." + std::to_string(minor) +
           ", and Sverdrup was built with " + std::to_string(H5_VERS_MAJOR) + "." + std::to_string(H5_VERS_MINOR);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return use_copies_of_variables();
}

std::unique_ptr<Store> make_store(const std::string &path, const Access &access) {
  return netcdf4::make_chunk_store(path, Kind::growing, access);
}

std::vector<std::byte> bytes_in_memory(const std::string &name) { return netcdf4::bytes_in_memory(name); }

void visit_values_in_memory(const std::string &name, const Schema &schema, const std::vector<bool> &wanted,
                            const std::function<void(int variable, const std::vector<std::byte> &values)> &visit) {
  netcdf4::visit_values_in_memory(name, schema, wanted, visit);
}

}  // namespace sv::bound
