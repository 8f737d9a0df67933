#include "tracer/datasets.hpp"

#include <iterator>
#include <vector>

namespace sv::profile {
namespace {

constexpr int longest_name = 256;  // NC_MAX_NAME of netCDF-C and PnetCDF

// The types of netCDF, NC_BYTE to NC_STRING, by number; strings have no size of their own.
constexpr int64_t bytes_of_types[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8, 0};

}  // namespace

void Datasets::learn(const void *function) {
  find_sibling(library_.name, function, inquiries_.name);
  find_sibling(library_.ndims, function, inquiries_.ndims);
  find_sibling(library_.type, function, inquiries_.type);
  find_sibling(library_.dims, function, inquiries_.dims);
  find_sibling(library_.length, function, inquiries_.length);
  find_sibling(library_.user_type, function, inquiries_.user_type);
  find_sibling(library_.attribute, function, inquiries_.attribute);
}

bool Datasets::ask(Word handle, int varid, std::string &name, KnownVariable &known) const {
  const int ncid = static_cast<int>(handle);
  char text[longest_name + 1];
  int type = 0;
  if (library_.name == nullptr || library_.ndims == nullptr || library_.type == nullptr ||
      library_.name(ncid, varid, text) != 0 || library_.ndims(ncid, varid, &known.ndims) != 0 ||
      library_.type(ncid, varid, &type) != 0) {
    return false;
  }
  name = text;
  known.type_bytes = bytes_of(ncid, type);
  return true;
}

int64_t Datasets::bytes_of(int ncid, int type) const {
  if (type >= 0 && type < static_cast<int>(std::size(bytes_of_types))) {
    return bytes_of_types[type];
  }
  size_t bytes = 0;
  const bool known = library_.user_type != nullptr && library_.user_type(ncid, type, nullptr, &bytes) == 0;
  return known ? static_cast<int64_t>(bytes) : 0;
}

int64_t Datasets::attribute_bytes(int ncid, int varid, const char *name, int64_t element_bytes) const {
  int type = 0;
  int64_t length = 0;
  if (library_.attribute == nullptr || library_.attribute(ncid, varid, name, &type, &length) != 0) return -1;
  const int64_t each = element_bytes == as_in_file ? bytes_of(ncid, type) : element_bytes;
  return each > 0 ? length * each : -1;
}

int64_t Datasets::elements(int ncid, int varid) const {
  int ndims = 0;
  if (library_.ndims == nullptr || library_.dims == nullptr || library_.length == nullptr ||
      library_.ndims(ncid, varid, &ndims) != 0) {
    return -1;
  }
  std::vector<int> dims(static_cast<size_t>(ndims) + 1);
  if (library_.dims(ncid, varid, dims.data()) != 0) {
    return -1;
  }
  int64_t elements = 1;
  for (int d = 0; d < ndims; ++d) {
    int64_t length = 0;
    if (library_.length(ncid, dims[static_cast<size_t>(d)], &length) != 0) {
      return -1;
    }
    elements *= length;
  }
  return elements;
}

// They live as long as the process: libraries close files in their destructors.
Datasets &datasets_of(Layer layer) {
  static Datasets &netcdf = *new Datasets({"nc_inq_varname", "nc_inq_varndims", "nc_inq_vartype", "nc_inq_vardimid",
                                           "nc_inq_dimlen", "nc_inq_type", "nc_inq_att", 16});
  static Datasets &pnetcdf = *new Datasets({"ncmpi_inq_varname", "ncmpi_inq_varndims", "ncmpi_inq_vartype",
                                            "ncmpi_inq_vardimid", "ncmpi_inq_dimlen", nullptr, "ncmpi_inq_att", 0});
  return layer == Layer::netcdf ? netcdf : pnetcdf;
}

}  // namespace sv::profile
