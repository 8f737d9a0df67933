// Values of a model, because compression depends on values.
#include "field.hpp"
#include "peers/netcdf.hpp"

namespace sv_bench {

std::vector<float> values_of_file(const Block &block, const std::string &path, const std::string &variable) {
  int file = 0, var = 0, dims = 0, ids[NC_MAX_VAR_DIMS];
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file), "open");
  check_netcdf(nc_inq_varid(file, variable.c_str(), &var), "inq_varid");
  check_netcdf(nc_inq_varndims(file, var, &dims), "inq_varndims");
  if (dims < 3) throw std::runtime_error("--values: the variable has less than 3 dimensions");
  check_netcdf(nc_inq_vardimid(file, var, ids), "inq_vardimid");
  std::vector<size_t> start(static_cast<size_t>(dims), 0), count(start.size(), 1);
  std::array<size_t, 3> length{};
  for (size_t d = 0; d < 3; ++d) {
    check_netcdf(nc_inq_dimlen(file, ids[start.size() - 3 + d], &length[d]), "inq_dimlen");
    count[start.size() - 3 + d] = d == 0 ? 1 : length[d];
  }
  std::vector<float> level(length[1] * length[2]), values(static_cast<size_t>(block.elements()));
  auto to = values.begin();
  for (int64_t z = 0; z < block.count[0]; ++z) {
    start[start.size() - 3] = static_cast<size_t>(block.start[0] + z) % length[0];
    check_netcdf(nc_get_vara_float(file, var, start.data(), count.data(), level.data()), "get_vara");
    for (int64_t y = 0; y < block.count[1]; ++y)
      for (int64_t x = 0; x < block.count[2]; ++x)
        *to++ = level[static_cast<size_t>(block.start[1] + y) % length[1] * length[2] +
                      static_cast<size_t>(block.start[2] + x) % length[2]];
  }
  check_netcdf(nc_close(file), "close");
  return values;
}

}  // namespace sv_bench
