# What is installed: the library, its Fortran face, the interface of CFIO, the preparation of grids (where METIS was found), the
# headers, the modules, the programs, the Python package with its command, the licence, and what CMake (find_package(sverdrup), targets sverdrup::sverdrup,
# sverdrup_fortran, cfio, cfio_fortran, sverdrup_grid and sverdrup_grid_fortran) and pkg-config need to find them.
include(CMakePackageConfigHelpers)
set(SV_MODULE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/sverdrup/fortran)

# sv_programs(DIRECTORY OUT): the executables of a directory and those below it that land in build/bin.
function(sv_programs directory out)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(below DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  set(found "")
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(place ${target} RUNTIME_OUTPUT_DIRECTORY)
    if(type STREQUAL "EXECUTABLE" AND place STREQUAL "${CMAKE_BINARY_DIR}/bin")
      list(APPEND found ${target})
    endif()
  endforeach()
  foreach(folder IN LISTS below)
    sv_programs(${folder} more)
    list(APPEND found ${more})
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

if(NOT TARGET sverdrup)
  return()
endif()
set(libraries sverdrup cfio)
if(TARGET sverdrup_grid)
  list(APPEND libraries sverdrup_grid)
endif()
set(c_libraries ${libraries})
if(TARGET sverdrup_fortran)
  set(modules sverdrup_fortran cfio_fortran)
  if(TARGET sverdrup_grid)
    list(APPEND modules sverdrup_grid_fortran)
  endif()
  list(APPEND libraries ${modules})
  set_property(TARGET ${modules} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    $<BUILD_INTERFACE:${CMAKE_Fortran_MODULE_DIRECTORY}> $<INSTALL_INTERFACE:${SV_MODULE_DIR}>)
  install(DIRECTORY ${CMAKE_Fortran_MODULE_DIRECTORY}/ DESTINATION ${SV_MODULE_DIR}
          FILES_MATCHING PATTERN "sverdrup*.mod" PATTERN "cfio.mod")
endif()
set_property(TARGET ${c_libraries} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS ${libraries} EXPORT sverdrup LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(store IN LISTS SV_STORES)
  install(TARGETS store_${store} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sverdrup)
endforeach()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(SV_BUILD_TOOLS)
  foreach(folder models tools benchmarks)
    sv_programs(${CMAKE_SOURCE_DIR}/${folder} programs)
    if(programs)
      install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    endif()
  endforeach()
  # Copied, not built: an installation needs no network, and no Python. The command finds the package beside itself.
  install(DIRECTORY python/sverdrup DESTINATION ${CMAKE_INSTALL_LIBDIR}/sverdrup/python
          FILES_MATCHING REGEX "\\.(py|env|toml|yaml|md|html|css|js|cdl)$" PATTERN __pycache__ EXCLUDE)
  configure_file(cmake/sverdrup-command.in ${CMAKE_BINARY_DIR}/sverdrup-command @ONLY)
  install(PROGRAMS ${CMAKE_BINARY_DIR}/sverdrup-command DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME sverdrup)
endif()

install(EXPORT sverdrup FILE sverdrupTargets.cmake NAMESPACE sverdrup:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sverdrup)
configure_package_config_file(cmake/sverdrupConfig.cmake.in ${CMAKE_BINARY_DIR}/sverdrupConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sverdrup)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sverdrupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sverdrupConfig.cmake ${CMAKE_BINARY_DIR}/sverdrupConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sverdrup)
file(RELATIVE_PATH SV_PC_TO_INCLUDE /x/${CMAKE_INSTALL_LIBDIR}/pkgconfig /x/${CMAKE_INSTALL_INCLUDEDIR})
foreach(library IN LISTS libraries)
  string(REPLACE _ - name ${library})
  configure_file(cmake/${name}.pc.in ${CMAKE_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
