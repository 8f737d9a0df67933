# The netCDF libraries that stores, tests, tools and benchmarks may use; empty what was not found, or is linked to another
# MPI than the one we build with (two in one process do not work, but they link):
#   SV_PNETCDF_INCLUDE, SV_PNETCDF_LIBRARY         PnetCDF
#   SV_NETCDF_PAR_INCLUDE, SV_NETCDF_PAR_LIBRARY   parallel netCDF-C
#   SV_NETCDF_INCLUDE, SV_NETCDF_LIBRARY           any netCDF-C: the parallel one where there is one, since both define the
#                                                  same symbols and one of them must serve for all
option(SV_USE_PNETCDF "Use PnetCDF, where it is found" ON)
option(SV_USE_NETCDF "Use netCDF-C and its HDF5, where they are found" ON)
set(SV_STATIC_NETCDF "" CACHE PATH
    "A folder with static netCDF-C and HDF5 (scripts/static-netcdf), which the store netcdf4 then contains; empty: shared ones")
find_path(SV_PNETCDF_INCLUDE pnetcdf.h)
find_library(SV_PNETCDF_LIBRARY pnetcdf)
# Debian's parallel netCDF lies beside the serial one, whose headers would hide it.
set(sv_parallel_hints /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/netcdf/mpi/include /usr/lib/netcdf/mpi/include)
find_path(SV_NETCDF_PAR_INCLUDE netcdf_par.h HINTS ${sv_parallel_hints})
find_library(SV_NETCDF_PAR_LIBRARY NAMES netcdf_mpi netcdf NAMES_PER_DIR)
find_path(SV_NETCDF_SERIAL_INCLUDE netcdf.h)
find_library(SV_NETCDF_SERIAL_LIBRARY netcdf)
find_program(SV_LDD ldd)

# The MPI libraries that a program or library needs, without their folders.
function(sv_mpi_of file out)
  execute_process(COMMAND ${SV_LDD} ${file} OUTPUT_VARIABLE needs ERROR_QUIET)
  string(REGEX MATCHALL "libmpi(ch)?\\.so[.0-9]*" found "${needs}")
  list(REMOVE_DUPLICATES found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

set(sv_mpi_folder ${PROJECT_BINARY_DIR}/CMakeFiles/sv_mpi)
if(NOT EXISTS ${sv_mpi_folder}/mpi)
  file(WRITE ${sv_mpi_folder}/mpi.c "#include <mpi.h>\nint main(void) { return MPI_Init(0, 0); }\n")
  try_compile(SV_MPI_LINKS ${sv_mpi_folder} SOURCES ${sv_mpi_folder}/mpi.c LINK_LIBRARIES MPI::MPI_C
              COPY_FILE ${sv_mpi_folder}/mpi)
endif()
sv_mpi_of(${sv_mpi_folder}/mpi sv_own_mpi)

foreach(name IN ITEMS SV_PNETCDF SV_NETCDF_PAR)
  set(needs "")
  if(${name}_LIBRARY)
    sv_mpi_of(${${name}_LIBRARY} needs)
  endif()
  list(REMOVE_ITEM needs ${sv_own_mpi})
  if(needs)
    message(STATUS "${${name}_LIBRARY} is left out: it needs ${needs}, but we build with ${sv_own_mpi}")
  endif()
  set(used ${SV_USE_PNETCDF})
  if(name STREQUAL "SV_NETCDF_PAR")
    set(used ${SV_USE_NETCDF})
    if(SV_STATIC_NETCDF)  # one netCDF-C and HDF5 for all stores
      set(used OFF)
    endif()
  endif()
  if(needs OR NOT used OR NOT ${name}_LIBRARY OR NOT ${name}_INCLUDE)
    set(${name}_LIBRARY "")
    set(${name}_INCLUDE "")
  endif()
endforeach()

set(SV_NETCDF_INCLUDE ${SV_NETCDF_PAR_INCLUDE})
set(SV_NETCDF_LIBRARY ${SV_NETCDF_PAR_LIBRARY})
if(SV_USE_NETCDF AND NOT SV_NETCDF_LIBRARY AND SV_NETCDF_SERIAL_INCLUDE AND SV_NETCDF_SERIAL_LIBRARY)
  set(SV_NETCDF_INCLUDE ${SV_NETCDF_SERIAL_INCLUDE})
  set(SV_NETCDF_LIBRARY ${SV_NETCDF_SERIAL_LIBRARY})
endif()
if(SV_STATIC_NETCDF)
  set(SV_NETCDF_INCLUDE ${SV_STATIC_NETCDF}/include)
  set(SV_NETCDF_LIBRARY ${SV_STATIC_NETCDF}/lib/libnetcdf.a)
endif()

# The HDF5 that this netCDF-C is linked to: SV_HDF5_INCLUDE, SV_HDF5_LIBRARY (with its dimension scales); empty where there is none, or its headers are not
# installed. Debian's kinds of HDF5 lie beside each other, each under a name of its own.
set(SV_HDF5_INCLUDE "")
set(SV_HDF5_LIBRARY "")
if(SV_STATIC_NETCDF)
  set(SV_HDF5_INCLUDE ${SV_STATIC_NETCDF}/include)
  set(SV_HDF5_LIBRARY ${SV_STATIC_NETCDF}/lib/libhdf5_hl.a ${SV_STATIC_NETCDF}/lib/libhdf5.a z m ${CMAKE_DL_LIBS})
elseif(SV_NETCDF_LIBRARY)
  execute_process(COMMAND ${SV_LDD} ${SV_NETCDF_LIBRARY} OUTPUT_VARIABLE needs ERROR_QUIET)
  if(needs MATCHES "libhdf5(_[a-z]+)?\\.so[.0-9]* => ([^ \n]*)")
    set(sv_hdf5_kind "${CMAKE_MATCH_1}")
    set(sv_hdf5_found ${CMAKE_MATCH_2})
    string(REPLACE "_" "" sv_hdf5_folder "${sv_hdf5_kind}")
    string(REGEX MATCH "libhdf5(_[a-z]+)?_hl\\.so[.0-9]* => ([^ \n]*)" sv_hdf5_scales "${needs}")
    set(sv_hdf5_scales "${CMAKE_MATCH_2}")
    find_path(SV_HDF5_HEADERS hdf5_hl.h HINTS /usr/include/hdf5/${sv_hdf5_folder})
    if(SV_HDF5_HEADERS)
      set(SV_HDF5_INCLUDE ${SV_HDF5_HEADERS})
      set(SV_HDF5_LIBRARY ${sv_hdf5_scales} ${sv_hdf5_found})
    endif()
  endif()
endif()
