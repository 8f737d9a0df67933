#include "backend/netcdf4_bound/bound.hpp"

#include <dlfcn.h>

#include "backend/netcdf4/chunk_store.hpp"
#include "backend/netcdf4/define_in_memory.hpp"

namespace sv::bound {

Names names;

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
  return "";
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
