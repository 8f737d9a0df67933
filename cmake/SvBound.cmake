# sv_bound_names(LIST HEADER): writes a C++ header that is included before all others in sources whose calls of netCDF-C and HDF5
# are to go through pointers (src/backend/netcdf4_bound). LIST names the functions and variables, a line each. The linker finds
# what it lacks.
function(sv_bound_names list header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} names)
  set(members "")
  set(entries "")
  set(macros "")
  foreach(name IN LISTS names)
    string(APPEND members "  decltype(::${name}) *${name}_;\n")
    string(APPEND entries "    {SV_BOUND_NAME(${name}), reinterpret_cast<void **>(&names.${name}_)},\n")
    string(APPEND macros "#undef ${name}\n#define ${name} (*::sv::bound::names.${name}_)\n")
  endforeach()
  file(CONFIGURE OUTPUT ${header} CONTENT "// Made by cmake/SvBound.cmake.
#pragma once
#include <hdf5.h>
#include <hdf5_hl.h>
#include <netcdf.h>
#include <netcdf_filter.h>
#include <netcdf_mem.h>
#define SV_BOUND_TEXT(name) #name
#define SV_BOUND_NAME(name) SV_BOUND_TEXT(name)
namespace sv::bound {
struct Names {
${members}};
extern Names names;
struct Entry {
  const char *name;
  void **to;
};
inline const Entry entries[] = {
${entries}};
inline int same_version(unsigned, unsigned, unsigned) { return 0; }
}  // namespace sv::bound
${macros}#define H5check_version ::sv::bound::same_version
" @ONLY)
endfunction()
