#include "backend/netcdf_c/guarded.hpp"

#include "backend/netcdf4/outline.hpp"
#include "backend/netcdf4/reader.hpp"
#include "backend/netcdf_c/netcdf_c.hpp"
#include "base/error.hpp"
#include "store/journal.hpp"

namespace sv::netcdf4 {

namespace {

Schema read_odd_definitions(const std::string &path, const std::string &odd) {
  try {
    return ReaderProcess(path, Trust::trusted).schema();
  } catch (const Error &error) {
    if (error.status() != Status::format) throw;  // another error keeps the helper from reading
    throw Error(
        Status::format, "netCDF-C cannot read it: " + odd,
        "Write that object otherwise with the program that has made the file; HDF5's tools can read the file as "
        "it is");
  }
}

}  // namespace

/// HDF5 alone finds the odd cases, quickly. A process of its own for each file would be slow.
Schema read_guarded_definitions(const std::string &path) {
  if (!unfinished_commit_of(path).is_empty())
    return read_definitions(path);  // a file of ours, which HDF5 alone misreads
  try {
    require_whole(path);
    const std::string odd = oddity_of(path);
    return odd.empty() ? read_definitions(path) : read_odd_definitions(path, odd);
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

}  // namespace sv::netcdf4
