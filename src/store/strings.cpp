// Stores that have no strings refuse them.
#include "base/error.hpp"
#include "store/owner.hpp"
#include "store/reader.hpp"

namespace sv {

namespace {

Error no_strings() {
  return Error(Status::unsupported, "its strings, since this store has none",
               "Write and read one file, with the store netcdf4 or zarr");
}

}  // namespace

std::vector<std::string> Reader::read_strings(int, const Box &) { throw no_strings(); }

void Owner::write_strings(int, const Box &, std::span<const std::string>) { throw no_strings(); }

}  // namespace sv
