# sv_compile_fast(TARGET): under the sanitizers, whose code takes long to optimise, it is left as it is where little time is
# spent in running it.
set(SV_HOT_TARGETS sv_base sv_layout sv_codec sv_plan sv_prediction sv_packing sv_store sv_transport)
function(sv_compile_fast target)
  if(SV_SANITIZE AND NOT target IN_LIST SV_HOT_TARGETS)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# sv_folder(NAME [MPI] [APART] [DEEP] [COLD]): the object library sv_NAME of src/NAME/*.cpp, and with DEEP of its folders. Listed in
# SV_FOLDERS, of which the library is made, except those apart, which only plug-ins, tools and tests link. Code of cold folders runs once
# in a run or a file: a release compiles it with -O1, in two thirds of the time.
set(SV_FOLDERS "" CACHE INTERNAL "")
function(sv_folder name)
  set(glob GLOB)
  if("DEEP" IN_LIST ARGN)
    set(glob GLOB_RECURSE)
  endif()
  file(${glob} sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(sv_${name} OBJECT ${sources})
  target_include_directories(sv_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(sv_${name} PRIVATE sv_options)
  if("MPI" IN_LIST ARGN)
    target_include_directories(sv_${name} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(sv_${name} PRIVATE MPI::MPI_CXX)
  endif()
  if("COLD" IN_LIST ARGN)
    target_compile_options(sv_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  sv_compile_fast(sv_${name})
  if(NOT "APART" IN_LIST ARGN)
    set(SV_FOLDERS ${SV_FOLDERS} ${name} CACHE INTERNAL "")
  endif()
endfunction()

# sv_objects(TARGET FOLDER...): links the objects of those folders that exist.
function(sv_objects target)
  foreach(name IN LISTS ARGN)
    if(TARGET sv_${name})
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:sv_${name}>)
    endif()
  endforeach()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
endfunction()

# sv_stub_or(NAME FOUND STUB NEEDING): takes STUB.cpp out of the list NAME if the variable FOUND says that a library is there;
# otherwise the sources that need it, whose paths match NEEDING.
function(sv_stub_or name found stub needing)
  if(${found})
    set(needing "/${stub}\\.cpp$")
  endif()
  list(FILTER ${name} EXCLUDE REGEX "${needing}")
  set(${name} "${${name}}" PARENT_SCOPE)
endfunction()
