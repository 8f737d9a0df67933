# Where programs and libraries look for libraries: those of the build in the build and where the build found others, installed ones
# beside themselves only. CMake would end the run path of what is installed later with a colon, an empty entry, which the dynamic
# linker takes for the working directory. So the run path of the build is the one that CMake installs, and sv_install_run_paths
# changes it afterwards. The path is long enough for any other (tests/house/run_paths.sh).
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(CMAKE_INSTALL_RPATH ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/././././././././././././././././././././././././././././.)

# `target` loads the library `file` by its name. The build finds it where CMake did, like the libraries that `target` is linked to.
function(sv_loads target file)
  get_filename_component(folder ${file} DIRECTORY)
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH ${folder})
  endif()
endfunction()

# To be called after all install(): its rules are carried out in order.
function(sv_install_run_paths)
  install(CODE "set(sv_built \"${CMAKE_INSTALL_RPATH}\")\nset(sv_libraries \"${CMAKE_INSTALL_LIBDIR}\")\nset(sv_is_wheel \"${SKBUILD}\")")
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/install_run_paths.cmake)
endfunction()
