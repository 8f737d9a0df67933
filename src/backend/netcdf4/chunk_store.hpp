// The store netcdf4, as its plug-in makes it.
#pragma once

#include <memory>
#include <string>

#include "backend/access.hpp"
#include "store/store.hpp"

namespace sv::netcdf4 {

/// Local. The store of one file for this rank.
std::unique_ptr<Store> make_chunk_store(const std::string &path, Kind kind, const Access &access);

}  // namespace sv::netcdf4
