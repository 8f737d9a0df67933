# SV_CCACHE: compilers are started through ccache, where it is installed and no other launcher is set. It takes what a checkout of
# this machine has compiled before, in whatever folder, from the same sources with the same flags.
option(SV_CCACHE "Compile through ccache, where it is installed" ON)
if(SV_CCACHE AND PROJECT_IS_TOP_LEVEL)
  find_program(SV_CCACHE_PROGRAM ccache)
  mark_as_advanced(SV_CCACHE_PROGRAM)
endif()
foreach(language IN ITEMS C CXX)
  if(SV_CCACHE_PROGRAM AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    # Paths below the checkout count relative to it; the flags are those that ccache requires for precompiled headers.
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
        CCACHE_SLOPPINESS=pch_defines,time_macros ${SV_CCACHE_PROGRAM})
  endif()
endforeach()
