// ncmpi_copy_att, of which either file may be ours and the other PnetCDF's.
#include <vector>

#include "calls.hpp"
#include "real.hpp"

namespace sv::pnetcdf {

int copy_att(int from, int from_variable, const char *name, int to, int to_variable) {
  Dataset *const source = dataset(from), *const target = dataset(to);
  if (source == nullptr && target == nullptr) {
    static const Real<decltype(ncmpi_copy_att)> real("ncmpi_copy_att");
    return real()(from, from_variable, name, to, to_variable);
  }
  if (from == to && from_variable == to_variable) return inq_att(*target, to_variable, name, nullptr, nullptr);
  nc_type type = NC_NAT;
  MPI_Offset length = 0;
  refuse_if(target != nullptr && !target->is_writable, NC_EPERM);
  // By their C names: each goes to whom the file belongs to.
  if (const int code = ncmpi_inq_att(from, from_variable, name, &type, &length); code != NC_NOERR) return code;
  std::vector<uint64_t> values(static_cast<size_t>(length) + 1);
  if (const int code = ncmpi_get_att(from, from_variable, name, values.data()); code != NC_NOERR) return code;
  return ncmpi_put_att(to, to_variable, name, type, length, values.data());
}

}  // namespace sv::pnetcdf
