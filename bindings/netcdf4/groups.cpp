// Calls whose answers are numbers of groups: the program knows those of a file behind the file's number here.
#include "access.hpp"
#include "calls.hpp"
#include "real.hpp"

namespace sv::netcdf4 {

namespace {

/// What the real library has answered, in the program's numbers.
int in_own_numbers(const Dataset &own, int code, int *groups, int count = 1) {
  if (code != NC_NOERR || groups == nullptr) return code;
  for (int g = 0; g < count; ++g) groups[g] += own.ncid - own.there;
  return code;
}

}  // namespace

int def_grp(Dataset &own, const RealCall &real, const char *, int *group) {
  return in_own_numbers(own, define(own, real, nullptr), group);
}

int rename_grp(Dataset &own, const RealCall &real, const char *) {
  return define(own, real, own.owner == Owner::sverdrup ? "the name of a group changes after data" : nullptr);
}

int inq_grps(Dataset &own, const RealCall &real, int *, int *groups) {
  int count = 0;
  const int code = real(own.there);
  if (code == NC_NOERR) expect(real::inq_grps(own.caller)(own.there + real.group(), &count, nullptr));
  return in_own_numbers(own, code, groups, count);
}

int inq_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return in_own_numbers(own, real(own.there), group);
}

int inq_grp_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return in_own_numbers(own, real(own.there), group);
}

int inq_grp_full_ncid(Dataset &own, const RealCall &real, const char *, int *group) {
  return in_own_numbers(own, real(own.there), group);
}

int inq_grp_parent(Dataset &own, const RealCall &real, int *group) {
  return in_own_numbers(own, real(own.there), group);
}

}  // namespace sv::netcdf4
