# Tests declare themselves. The files tests/<folder>/<name>_test.cpp are a GoogleTest program without MPI, the test
# unit.<folder> (build/tests/<folder>_test --gtest_filter=... runs some of it; see cmake/SvUnity.cmake on names). A file
# tests/mpi/<name>.{cpp,c,f90} is an MPI program; its first lines declare how it is run, each line one test:
#
#   // run: ranks=5 limit=60 [name=suffix] [env=SV_TESTING_RANKS_PER_NODE=2;SV_ROUTE=serial] [hosts=1] [processors=1] [sanitize=no] [behind] [args=a b]
#
# (in Fortran "! run: ..."). CTest starts exactly that many ranks, in a folder of its own, with that time limit in seconds.
# hosts: on so many hosts at most, where there are several (scripts/cluster): a rank acts upon the process of another one, say.
# Of each file, the first line belongs to what `make check` runs (the label `check`), as do the unit tests.
# behind: files are written behind the calls (async: threads), and MPI allows the thread that does it.
set(SV_MPIEXEC ${CMAKE_SOURCE_DIR}/scripts/mpirun CACHE FILEPATH "Starts N ranks: SV_MPIEXEC N PROGRAM ARGS...")

# Limits end tests that hang. Machines differ by a factor of two, and sanitized programs are several times slower.
set(SV_LIMIT_FACTOR 2)
if(SV_SANITIZE)
  set(SV_LIMIT_FACTOR 4)
endif()

# The leak checker of a tool that refuses its arguments can fall over the threads that MPI is just ending: those leave it out.
set(SV_NO_LEAKS "")
if(SV_SANITIZE)
  set(SV_NO_LEAKS "LSAN_OPTIONS=detect_leaks=0")
endif()

# sv_unit_tests(FOLDER SOURCE...): one program, and one test, of all the sources in a folder.
function(sv_unit_tests folder)
  set(target ${folder}_test)
  add_executable(${target} ${ARGN})
  sv_objects(${target} base device trace layout strategy model codec plan packing store config report serial)
  if(yaml-cpp_FOUND)
    target_link_libraries(${target} PRIVATE yaml-cpp)
  endif()
  target_link_libraries(${target} PRIVATE sv_prediction sv_options GTest::gtest_main Threads::Threads ${SV_CODEC_LIBRARIES})
  sv_use_codecs(${target})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  set(work ${CMAKE_BINARY_DIR}/tests/work/${target})
  file(MAKE_DIRECTORY ${work})
  add_test(NAME unit.${folder} COMMAND ${target} WORKING_DIRECTORY ${work})
  math(EXPR limit "120 * ${SV_LIMIT_FACTOR}")
  set_tests_properties(unit.${folder} PROPERTIES TIMEOUT ${limit} LABELS check)
endfunction()

# Sets `ranks` and `suffix` (of the test's name) as a "run:" line says.
macro(sv_ranks_of run)
  string(REGEX MATCH "ranks=([0-9]+)" _ "${run}")
  set(ranks ${CMAKE_MATCH_1})
  set(suffix "")
  if("${run}" MATCHES "name=([^ ]+)")
    set(suffix ".${CMAKE_MATCH_1}")
  endif()
endmacro()

# Registers the "run:" lines of `source` for `target`.
function(sv_mpi_runs target source)
  get_filename_component(name ${source} NAME_WE)
  file(STRINGS ${source} runs REGEX "^(//|!) run: ")
  if(NOT runs)
    message(FATAL_ERROR "${source} declares no run: line")
  endif()
  # Many ranks tell the sanitizers nothing that few do not, and take most of their time. Of runs that differ in the number of
  # ranks alone, they see those with one rank and with the most, of five at most.
  foreach(run IN LISTS runs)
    sv_ranks_of("${run}")
    if(ranks LESS 6 AND NOT run MATCHES "sanitize=no" AND NOT ranks LESS "0${most${suffix}}")
      set(most${suffix} ${ranks})
    endif()
  endforeach()
  list(GET runs 0 first)
  foreach(run IN LISTS runs)
    sv_ranks_of("${run}")
    if(SV_SANITIZE AND (run MATCHES "sanitize=no" OR NOT (ranks EQUAL 1 OR ranks EQUAL "0${most${suffix}}")))
      continue()
    endif()
    string(REGEX MATCH "limit=([0-9]+)" _ "${run}")
    math(EXPR limit "${CMAKE_MATCH_1} * ${SV_LIMIT_FACTOR}")
    set(environment "")
    if(run MATCHES "env=([^ ]+)")
      set(environment "${CMAKE_MATCH_1}")
    endif()
    if(run MATCHES " behind( |$)")
      list(APPEND environment SV_ASYNC=threads SV_ASYNC_MEMORY=8MiB OMPI_MPI_THREAD_LEVEL=1 MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_FUNNELED)
    endif()
    if(run MATCHES "hosts=([0-9]+)")
      list(APPEND environment "TEST_HOSTS=${CMAKE_MATCH_1}")
    endif()
    set(processors 2)
    if(ranks EQUAL 1)
      set(processors 1)
    endif()
    if(run MATCHES "processors=([0-9]+)")
      set(processors ${CMAKE_MATCH_1})
    endif()
    set(arguments "")
    if(run MATCHES "args=(.*)$")
      separate_arguments(arguments UNIX_COMMAND "${CMAKE_MATCH_1}")
    endif()
    set(test mpi.${name}.${ranks}${suffix})
    set(work ${CMAKE_BINARY_DIR}/tests/work/${test})
    file(MAKE_DIRECTORY ${work})
    add_test(NAME ${test} COMMAND ${SV_MPIEXEC} ${ranks} $<TARGET_FILE:${target}> ${arguments}
             WORKING_DIRECTORY ${work})
    set_tests_properties(${test} PROPERTIES TIMEOUT ${limit} PROCESSORS ${processors} ENVIRONMENT "${environment}")
    if(run STREQUAL first)
      set_tests_properties(${test} PROPERTIES LABELS check)
    endif()
    if(ranks GREATER processors)  # the longest first, above all those that mostly wait
      math(EXPR cost "${ranks} / ${processors}")
      set_tests_properties(${test} PROPERTIES COST ${cost})
    endif()
  endforeach()
endfunction()

# How the MPI tests in C++ are compiled, and mpi_headers, what all of them include, which is compiled once for all. They read files
# back with netCDF-C, and some make them with PnetCDF. Either build of netCDF-C will do.
function(sv_mpi_test_in_cxx target)
  target_compile_options(${target} PRIVATE -O1)
  target_link_libraries(${target} PRIVATE sv_options sverdrup MPI::MPI_CXX ${SV_NETCDF_LIBRARY} ${SV_PNETCDF_LIBRARY})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests ${SV_NETCDF_INCLUDE})
  # What a test defines in place of a function of MPI or the system is what the library calls; not every mpi.h sees to that.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET default)
endfunction()

function(sv_mpi_test source)
  get_filename_component(name ${source} NAME_WE)
  set(target mpi_${name})
  add_executable(${target} ${source})
  if(source MATCHES "cpp$")
    sv_mpi_test_in_cxx(${target})
    if(NOT SV_TEST_OBJECTS)
      target_precompile_headers(${target} REUSE_FROM mpi_headers)
    endif()
  elseif(source MATCHES "f90$")
    target_link_libraries(${target} PRIVATE sv_options fortran_checking)
  else()
    target_link_libraries(${target} PRIVATE sv_options sverdrup MPI::MPI_CXX)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  sv_mpi_runs(${target} ${source})
endfunction()

# sv_share_objects(FOLDER): writes down what the programs of a folder's tests are compiled into, or takes, instead of compiling them,
# what SV_TEST_OBJECTS has written down. Those with Fortran are compiled: modules are read.
function(sv_share_objects folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    if(NOT type STREQUAL "EXECUTABLE" OR sources MATCHES "\\.[fF]90")
      continue()
    endif()
    set(list tests/objects/${target}.txt)
    if(NOT SV_TEST_OBJECTS)
      file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/${list} CONTENT "$<JOIN:$<TARGET_OBJECTS:${target}>,\n>\n")
    elseif(EXISTS ${SV_TEST_OBJECTS}/${list})
      file(STRINGS ${SV_TEST_OBJECTS}/${list} objects)
      set_source_files_properties(${objects} TARGET_DIRECTORY ${target} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
      list(FILTER sources INCLUDE REGEX "TARGET_OBJECTS")  # of this build's libraries
      set_target_properties(${target} PROPERTIES SOURCES "${objects};${sources}" LINKER_LANGUAGE CXX)
    endif()
  endforeach()
endfunction()

# sv_python_test(NAME PATH... [ENVIRONMENT VARIABLE=VALUE...] [PROPERTIES NAME VALUE...]): pytest on files or folders, with the Python of
# build/venv if it exists (scripts/setup test). If pytest or a package that the tests need is missing, there is no such test, and a message
# says so: its properties therefore are arguments, and no set_tests_properties follows.
function(sv_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 given "" "" "ENVIRONMENT;PROPERTIES")
  set(python ${CMAKE_SOURCE_DIR}/build/venv/bin/python)
  if(NOT EXISTS ${python})
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(python ${Python3_EXECUTABLE})
  endif()
  execute_process(COMMAND ${python} -c "import jinja2, numpy, pytest" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing)
    message(STATUS "Test ${name} is left out: ${python} lacks pytest, numpy or jinja2 (scripts/setup test brings them)")
    return()
  endif()
  set(work ${CMAKE_BINARY_DIR}/tests/work/${name})
  file(MAKE_DIRECTORY ${work})
  add_test(NAME ${name} COMMAND ${python} -m pytest -q -p no:cacheprovider ${given_UNPARSED_ARGUMENTS}
           WORKING_DIRECTORY ${work})
  math(EXPR limit "180 * ${SV_LIMIT_FACTOR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${limit} ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1;${given_ENVIRONMENT}" ${given_PROPERTIES})
endfunction()
