# SV_FORTRAN: whether Fortran is compiled: SV_BUILD_FORTRAN, and there is a compiler. It must understand the C compiler: the Fortran
# interface is C that reads the descriptors of Fortran's arrays, and each family of compilers has its own ISO_Fortran_binding.h.
# Of two that differ, everything would compile, and every call fail.
set(SV_FORTRAN OFF)
if(NOT SV_BUILD_FORTRAN)
  return()
endif()
include(CheckLanguage)
check_language(Fortran)
if(NOT CMAKE_Fortran_COMPILER)
  message(STATUS "The Fortran interface is not built: there is no Fortran compiler")
  return()
endif()
enable_language(Fortran)
set(SV_FORTRAN ON)

set(sv_pair "${CMAKE_C_COMPILER} ${CMAKE_Fortran_COMPILER}")
if(NOT SV_DESCRIPTORS_AGREE STREQUAL sv_pair AND NOT CMAKE_CROSSCOMPILING)
  try_run(sv_ran sv_compiled ${PROJECT_BINARY_DIR}/CMakeFiles/sv_descriptors
          SOURCES ${CMAKE_CURRENT_LIST_DIR}/descriptors.f90 ${CMAKE_CURRENT_LIST_DIR}/descriptors.c
          COMPILE_OUTPUT_VARIABLE sv_told)
  if(NOT sv_compiled OR NOT sv_ran EQUAL 0)
    if(sv_compiled)
      set(sv_told "They compile, but ${CMAKE_C_COMPILER} reads another ISO_Fortran_binding.h than that of ${CMAKE_Fortran_COMPILER}.")
    endif()
    message(FATAL_ERROR "The C compiler (${CMAKE_C_COMPILER_ID}) and the Fortran compiler (${CMAKE_Fortran_COMPILER_ID}) do not agree on "
      "the descriptors of arrays. Take both of one family, for example gcc, g++ and gfortran, or clang, clang++ and flang, each of "
      "one version: -DCMAKE_C_COMPILER=... -DCMAKE_CXX_COMPILER=... -DCMAKE_Fortran_COMPILER=...; or leave the Fortran interface "
      "out: -DSV_BUILD_FORTRAN=OFF. ${sv_told}")
  endif()
  set(SV_DESCRIPTORS_AGREE "${sv_pair}" CACHE INTERNAL "The C and Fortran compilers that were tried")
endif()
