#include <algorithm>
#include <vector>

#include "backend/netcdf_c/netcdf_c.hpp"
#include "backend/netcdf_c/opened_to_read.hpp"
#include "base/error.hpp"

namespace sv::netcdf4 {

namespace {

Error beyond(const std::string &what) {
  return Error(Status::format, what + ", which the classic data model does not have",
               "Bring the file into the classic model, for example with ncks -3 or nccopy -k nc7");
}

/// netCDF's own bookkeeping, which nc_put_att refuses, and what belongs to how a variable was stored.
bool is_hidden(const std::string &name) {
  return name == "_NCProperties" || name == "_Netcdf4Dimid" || name == "_Netcdf4Coordinates" ||
         name == "DIMENSION_LIST" || name == "REFERENCE_LIST" || name == "CLASS" || name == "NAME";
}

/// One string is text; several have no counterpart.
Attribute string_attribute(int id, int variable, const std::string &name, size_t count) {
  if (count != 1) throw beyond("attribute '" + name + "' is a list of " + std::to_string(count) + " strings");
  char *text = nullptr;
  check(nc_get_att_string(id, variable, name.c_str(), &text), "nc_get_att_string of '" + name + "'");
  const std::string copy = text == nullptr ? "" : text;
  nc_free_string(1, &text);
  return text_attribute(name, copy);
}

std::vector<Attribute> attributes_of(int id, int variable) {
  int count = 0;
  check(variable == NC_GLOBAL ? nc_inq_natts(id, &count) : nc_inq_varnatts(id, variable, &count), "nc_inq_natts");
  std::vector<Attribute> attributes;
  for (int a = 0; a < count; ++a) {
    char name[NC_MAX_NAME + 1] = "";
    nc_type type = NC_NAT;
    size_t length = 0;
    check(nc_inq_attname(id, variable, a, name), "nc_inq_attname");
    check(nc_inq_att(id, variable, name, &type, &length), "nc_inq_att");
    if (is_hidden(name)) continue;
    if (type == NC_STRING) {
      attributes.push_back(string_attribute(id, variable, name, length));
      continue;
    }
    if (type < NC_BYTE || type > NC_UINT64)
      throw beyond(std::string("attribute '") + name + "' is of a type of its own");
    Attribute made{name, static_cast<Type>(type), static_cast<int64_t>(length), {}};
    made.values.resize(length * static_cast<size_t>(size_of(made.type)));
    if (length > 0) check(nc_get_att(id, variable, name, made.values.data()), "nc_get_att");
    attributes.push_back(std::move(made));
  }
  return attributes;
}

/// The classic model has one dimension that grows: the first one that is slowest in some variable. Others have the
/// length that they have now.
std::vector<int> read_dims(int id, Schema &schema) {
  int count = 0, growing = 0;
  check(nc_inq_dimids(id, &count, nullptr, 0), "nc_inq_dimids");
  std::vector<int> ids(static_cast<size_t>(count)), unlimited(static_cast<size_t>(count));
  check(nc_inq_dimids(id, &count, ids.data(), 0), "nc_inq_dimids");
  check(nc_inq_unlimdims(id, &growing, unlimited.data()), "nc_inq_unlimdims");
  unlimited.resize(static_cast<size_t>(growing));
  std::sort(unlimited.begin(), unlimited.end());
  for (const int dim : ids) {
    char name[NC_MAX_NAME + 1] = "";
    size_t length = 0;
    check(nc_inq_dim(id, dim, name, &length), "nc_inq_dim");
    const bool is_record = !unlimited.empty() && dim == unlimited.front();
    if (is_record) schema.records = static_cast<int64_t>(length);
    schema.dims.push_back({name, is_record ? 0 : static_cast<int64_t>(length), is_record});
  }
  return ids;
}

Variable read_variable(int id, int variable, const std::vector<int> &dim_ids) {
  char name[NC_MAX_NAME + 1] = "";
  nc_type type = NC_NAT;
  int dims = 0;
  check(nc_inq_var(id, variable, name, &type, &dims, nullptr, nullptr), "nc_inq_var");
  if (type < NC_BYTE || type > NC_UINT64)
    throw beyond(std::string("variable '") + name + "' is of type string or its own");
  std::vector<int> ids(static_cast<size_t>(dims));
  check(nc_inq_vardimid(id, variable, ids.data()), "nc_inq_vardimid");
  Variable made{.name = name, .type = static_cast<Type>(type), .dims = {}, .attributes = {}};
  for (const int dim : ids) {
    const auto at = std::find(dim_ids.begin(), dim_ids.end(), dim);
    if (at == dim_ids.end()) throw beyond("variable '" + made.name + "' has a dimension of another group");
    made.dims.push_back(static_cast<int>(at - dim_ids.begin()));
  }
  made.attributes = attributes_of(id, variable);
  return made;
}

}  // namespace

Schema inquire(int id) {
  Schema schema;
  int format = 0, variables = 0, groups = 0;
  check(nc_inq_format(id, &format), "nc_inq_format");
  schema.format = format == NC_FORMAT_NETCDF4_CLASSIC ? Format::netcdf4_classic : Format::netcdf4;
  check(nc_inq_grps(id, &groups, nullptr), "nc_inq_grps");
  if (groups > 0) throw beyond("the file has " + std::to_string(groups) + " groups");
  const std::vector<int> dim_ids = read_dims(id, schema);
  schema.attributes = attributes_of(id, NC_GLOBAL);
  check(nc_inq_nvars(id, &variables), "nc_inq_nvars");
  for (int v = 0; v < variables; ++v) schema.variables.push_back(read_variable(id, v, dim_ids));
  return schema;
}

Schema read_definitions(const std::string &path) {
  try {
    OpenedToRead file(path);
    Schema schema = inquire(file.id());
    file.close();
    return schema;
  } catch (Error &error) {
    throw error.in_file(path);
  }
}

}  // namespace sv::netcdf4
