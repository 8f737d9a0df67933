#include "config/settings.hpp"

#include <fnmatch.h>

namespace sv {

std::string_view name_of(StoreName store) {
  switch (store) {
    case StoreName::cdf:
      return "cdf";
    case StoreName::pnetcdf:
      return "pnetcdf";
    case StoreName::netcdf4:
      return "netcdf4";
    default:
      return "auto";
  }
}

const FileSettings &Settings::for_file(const std::string &path) const {
  const std::string last = path.substr(path.find_last_of('/') + 1);
  for (const auto &[pattern, file_settings] : patterns)
    if (fnmatch(pattern.c_str(), last.c_str(), 0) == 0 || fnmatch(pattern.c_str(), path.c_str(), 0) == 0)
      return file_settings;
  return file;
}

}  // namespace sv
