#!/bin/bash
# Projects of one language use an installed copy; one takes the sources in: projects.sh CASE PREFIX SOURCE CMAKE. The cases c, cxx,
# both and fortran are the languages that the project has; cxx uses sverdrup.hpp. fetch: FetchContent of SOURCE by a project of C,
# which is configured and compiled, but not linked: the library has been compiled often enough. From the environment: CC, CXX, FC
# and MPIFORT, the compilers.
set -euo pipefail
case=$1
prefix=$2
source=$3
cmake=$4
work=$PWD/project-$case
rm -rf "$work"
mkdir -p "$work"
cd "$work"
languages=C
file=user.c
library=sverdrup
find='find_package(sverdrup REQUIRED)'
standard=
case $case in
  c) ;;
  cxx) languages=CXX file=user_of_cxx.cpp standard='target_compile_features(user PRIVATE cxx_std_20)' ;;
  both) languages='C CXX' file=user.cpp ;;
  fortran) languages=Fortran file=user.f90 library=sverdrup_fortran ;;
  fetch) find="include(FetchContent)
FetchContent_Declare(sverdrup SOURCE_DIR $source)
FetchContent_MakeAvailable(sverdrup)" ;;
  *) echo "no such case: $case" >&2; exit 2 ;;
esac
cat >user.c <<'SRC'
#include <stdio.h>
#include <sverdrup/sverdrup.h>
int main(int argc, char **argv) {
  sv_context *io = NULL;
  MPI_Init(&argc, &argv);
  if (sv_init(MPI_COMM_WORLD, NULL, 0, NULL, &io) != SV_OK || sv_finalize(io) != SV_OK) return 1;
  MPI_Finalize();
  return printf("%s\n", sv_version()) < 0;
}
SRC
cp user.c user.cpp
cat >user_of_cxx.cpp <<'SRC'
#include <sverdrup/sverdrup.hpp>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  sverdrup::Context io(MPI_COMM_WORLD);
  io.finalize();
  MPI_Finalize();
  return std::puts(sverdrup::version()) < 0;
}
SRC
cat >user.f90 <<'SRC'
program user
  use mpi
  use sverdrup
  implicit none
  type(sv_context_t) :: io
  integer :: error
  call MPI_Init(error)
  call sv_init(io, MPI_COMM_WORLD)
  call sv_finalize(io)
  call MPI_Finalize(error)
  print *, sv_version()
end program user
SRC
cat >CMakeLists.txt <<SRC
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES $languages)
$find
add_executable(user $file)
target_link_libraries(user sverdrup::$library)
$standard
if("$case" STREQUAL fetch AND NOT CMAKE_BUILD_TYPE STREQUAL "")
  message(FATAL_ERROR "the build type of the project was set to \${CMAKE_BUILD_TYPE}")
endif()
SRC
generator='Unix Makefiles'
if [ "$case" = fetch ] && command -v ninja >/dev/null; then generator=Ninja; fi  # which configures in half the time
"$cmake" -S . -B build -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" "-DMPI_Fortran_COMPILER=$MPIFORT" >configure.log 2>&1 || { cat configure.log; exit 1; }
build=("$cmake" --build build --target user)
if [ "$generator" = Ninja ]; then  # its command alone: a target of Ninja's waits for all generated sources
  command=$(ninja -C build -t commands CMakeFiles/user.dir/user.c.o | tail -n 1)
  case $command in *user.c) build=(env -C build sh -c "$command") ;; *) echo "user.c is not compiled: $command" >&2; exit 1 ;; esac
elif [ "$case" = fetch ]; then
  build=("$cmake" --build build --target user.c.o)
fi
"${build[@]}" >build.log 2>&1 || { cat build.log; exit 1; }
if [ "$case" != fetch ]; then "$source/scripts/mpirun" 1 build/user; fi
