// Stores over other people's libraries, PnetCDF and parallel netCDF-4. Each is a shared library of its own that is
// loaded when a file first asks for it: who never does needs neither library, and programs may link another netCDF
// (docs/adr/0017-stores-over-libraries.md).
#pragma once

#include <memory>
#include <string>

#include "backend/access.hpp"
#include "store/store.hpp"

namespace sv {

class Backend {
 public:
  virtual ~Backend() = default;
  /// Local. The store of one file for this rank.
  virtual std::unique_ptr<Store> make_store(const std::string &path, Kind kind, const Access &access) const = 0;
  /// Local. The definitions of a file that is not CDF. Error(not_found), Error(format).
  virtual Schema read_schema(const std::string &path) const = 0;
};

/// "pnetcdf" or "netcdf4". Local; loaded once per process. Error(not_compiled) where it is not there.
const Backend &backend(const std::string &name);

}  // namespace sv
