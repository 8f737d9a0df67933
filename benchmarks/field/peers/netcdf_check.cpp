// What netCDF-C, which knows nothing of the writers, finds in their files.
#include "peer.hpp"
#include "peers/netcdf.hpp"

namespace sv_bench {

bool holds_block(const Block &block, const std::string &path, const std::array<int64_t, 3> &start) {
  int file = 0, var = 0, type = 0;
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file), "open");
  check_netcdf(nc_inq_varid(file, "field", &var), "inq_varid");
  check_netcdf(nc_inq_vartype(file, var, &type), "inq_vartype");
  std::vector<std::byte> values(static_cast<size_t>(block.bytes()));
  if (type == block.field.type.number && !values.empty())
    check_netcdf(nc_get_vara(file, var, sizes(start).data(), sizes(block.count).data(), values.data()), "get_vara");
  check_netcdf(nc_close(file), "close");
  return type == block.field.type.number && block.matches(values);
}

std::optional<bool> check_with_netcdf(const Block &block, const std::string &path) {
  return all_ranks(block, holds_block(block, path, block.start));
}

std::string netcdf_version() { return nc_inq_libvers(); }

}  // namespace sv_bench
