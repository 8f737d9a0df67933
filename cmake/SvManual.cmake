# Man pages and completion for bash and zsh, which scripts/manual makes from the --help of the programs of SvInstall, after they are built.
# Without Python 3.11, or where programs cannot run (cross compilation, sanitizers), they are left out.
find_package(Python3 3.11 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND OR CMAKE_CROSSCOMPILING OR SV_SANITIZE)
  return()
endif()
set(described "")
foreach(folder tools benchmarks)
  sv_programs(${PROJECT_SOURCE_DIR}/${folder} programs)
  list(FILTER programs INCLUDE REGEX "^sv-")
  list(APPEND described ${programs})
endforeach()
list(TRANSFORM described REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
# The command as it is in the sources: the installed one looks for its package beside itself.
set(command ${PROJECT_BINARY_DIR}/manual/sverdrup)
file(WRITE ${command} "#!/bin/sh\nPYTHONDONTWRITEBYTECODE=1 PYTHONPATH='${PROJECT_SOURCE_DIR}/python' exec '${Python3_EXECUTABLE}' -m sverdrup \"$@\"\n")
file(CHMOD ${command} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/sverdrup/cli.py ${PROJECT_SOURCE_DIR}/python/sverdrup/commands/*.py)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/manual/programs.md
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/manual ${files} ${command} --out ${PROJECT_BINARY_DIR}/manual
          --release ${PROJECT_VERSION}
  DEPENDS ${described} ${sources} ${PROJECT_SOURCE_DIR}/scripts/manual ${PROJECT_SOURCE_DIR}/docs/configuration.md
  COMMENT "Making man pages and completion from --help" VERBATIM)
add_custom_target(manual ALL DEPENDS ${PROJECT_BINARY_DIR}/manual/programs.md)
add_dependencies(installed manual)
install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/man ${PROJECT_BINARY_DIR}/manual/bash-completion DESTINATION ${CMAKE_INSTALL_DATAROOTDIR})
