// Reads the files of the writers with netCDF-C, which is independent of them.
#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "method.hpp"
#include "workload/netcdf_status.hpp"
#include "workload/workload.hpp"

namespace sv_bench {

namespace {

// The smallest that has all of them: reading it is cheaper than reading many small ones.
Region hull_of(const std::vector<Region> &regions) {
  Region hull = regions.front();
  for (const Region &region : regions) {
    for (size_t d = 0; d < hull.start.size(); ++d) {
      const int64_t end = std::max(hull.start[d] + hull.count[d], region.start[d] + region.count[d]);
      hull.start[d] = std::min(hull.start[d], region.start[d]);
      hull.count[d] = end - hull.start[d];
    }
  }
  return hull;
}

// Copies a region out of the hull's values, in its own order.
void take(const Region &region, const Region &hull, const std::vector<std::byte> &values, std::byte *to,
          int64_t width) {
  if (region.start.empty()) {
    std::memcpy(to, values.data(), static_cast<size_t>(width));
    return;
  }
  const size_t last = region.start.size() - 1;
  std::vector<int64_t> at(region.start);
  const int64_t rows = region.elements() / region.count[last];
  for (int64_t row = 0; row < rows; ++row) {
    int64_t from = 0;
    for (size_t d = 0; d <= last; ++d) from = from * hull.count[d] + at[d] - hull.start[d];
    std::memcpy(to, values.data() + from * width, static_cast<size_t>(region.count[last] * width));
    to += region.count[last] * width;
    for (size_t d = last; d-- > 0;) {
      if (++at[d] < region.start[d] + region.count[d]) break;
      at[d] = region.start[d];
    }
  }
}

bool holds_access(int file, const Workload &workload, const Access &access) {
  const Variable &variable = workload.variable(access);
  int var = 0, type = 0;
  check_netcdf(nc_inq_varid(file, variable.name.c_str(), &var), "inq_varid");
  check_netcdf(nc_inq_vartype(file, var, &type), "inq_vartype");
  if (type != variable.type.number) return false;
  if (access.elements() == 0) return true;
  const Region hull = hull_of(access.regions);
  const int64_t width = variable.type.bytes;
  std::vector<std::byte> read(static_cast<size_t>(hull.elements() * width));
  const std::vector<size_t> start(hull.start.begin(), hull.start.end()), count(hull.count.begin(), hull.count.end());
  check_netcdf(nc_get_vara(file, var, start.data(), count.data(), read.data()), "get_vara");
  std::vector<std::byte> values(static_cast<size_t>(access.elements() * width));
  std::byte *to = values.data();
  for (const Region &region : access.regions) {
    take(region, hull, read, to, width);
    to += region.elements() * width;
  }
  return workload.holds(access, values);
}

bool holds_attributes(int file, int var, const std::vector<Attribute> &attributes) {
  int count = 0;
  check_netcdf(var == NC_GLOBAL ? nc_inq_natts(file, &count) : nc_inq_varnatts(file, var, &count), "inq_natts");
  bool equal = count == static_cast<int>(attributes.size());
  for (const Attribute &attribute : attributes) {
    int type = 0;
    size_t values = 0;
    if (!equal || nc_inq_att(file, var, attribute.name.c_str(), &type, &values) != NC_NOERR) return false;
    if (type != attribute.type || static_cast<int64_t>(values) != attribute.count) return false;
    std::vector<std::byte> found(attribute.values.size());
    check_netcdf(nc_get_att(file, var, attribute.name.c_str(), found.data()), "get_att");
    equal = found == attribute.values;
  }
  return equal;
}

// The attributes of a workload that has any; the variables' numbers in the file are those of the schema.
bool holds_attributes(int file, const Schema &schema) {
  bool any = !schema.attributes.empty();
  for (const Variable &variable : schema.variables) any = any || !variable.attributes.empty();
  if (!any) return true;
  bool equal = holds_attributes(file, NC_GLOBAL, schema.attributes);
  for (size_t v = 0; v < schema.variables.size(); ++v)
    equal = equal && holds_attributes(file, static_cast<int>(v), schema.variables[v].attributes);
  return equal;
}

}  // namespace

std::optional<bool> check_with_netcdf(const Workload &workload, const std::string &path, size_t first, size_t end) {
  int file = 0;
  bool good = true;
  check_netcdf(nc_open(path.c_str(), NC_NOWRITE, &file), "open");
  good = holds_attributes(file, workload.schema);
  for (size_t step = first; step < end; ++step) {
    workload.advance(step);
    const auto [begin, last] = workload.step(step);
    for (size_t a = begin; a < last; ++a) good = good && holds_access(file, workload, workload.accesses()[a]);
  }
  check_netcdf(nc_close(file), "close");
  return workload.team.all(good);
}

std::string netcdf_version() { return nc_inq_libvers(); }

}  // namespace sv_bench
