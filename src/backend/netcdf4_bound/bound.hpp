// The store netcdf4 over the netCDF and HDF5 that a program has loaded, of any build: the sources of the
// store are compiled once more, and their calls of both libraries go through pointers (cmake/SvBound.cmake). So a
// program with a serial netCDF needs neither another one nor MPI. The library for serial netCDF-4 files has it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/access.hpp"
#include "store/store.hpp"

namespace sv::bound {

/// Local, once per process, before anything else. `library`: of dlopen, the program's netCDF, which needs its HDF5.
/// Returns why the store cannot use them; empty: it can.
std::string bind(void *library);

/// Local. The store of a file, for one rank.
std::unique_ptr<Store> make_store(const std::string &path, const Access &access);

/// Local. All bytes of the file that the program's netCDF has in memory under this name, as it would be after its end.
std::vector<std::byte> bytes_in_memory(const std::string &name);

/// Local. Calls visit(variable, all values in native order) for the `wanted` variables of that file, whose definitions,
/// with its lengths, are `schema`.
void visit_values_in_memory(const std::string &name, const Schema &schema, const std::vector<bool> &wanted,
                            const std::function<void(int variable, const std::vector<std::byte> &values)> &visit);

}  // namespace sv::bound
