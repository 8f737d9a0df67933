#!/bin/bash
# An installed copy can be used from a project of CMake (C and Fortran) and with pkg-config: install.sh BUILD CMAKE.
set -euo pipefail
build=$1
cmake=$2
work=$PWD/install
rm -rf "$work"
mkdir -p "$work/user"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log"
cat >"$work/user/user.c" <<'SRC'
#include <stdio.h>
#include <sverdrup/sverdrup.h>
int main(void) { return printf("%s\n", sv_version()) < 0; }
SRC
cat >"$work/user/user.f90" <<'SRC'
program user
  use sverdrup
  implicit none
  type(sv_io_t) :: io
  if (SV_OK /= 0) error stop storage_size(io)
end program user
SRC
cat >"$work/user/face.c" <<'SRC'
#include <cfio.h>
int main(void) { return cfio_proc_type() != CFIO_TYPE_BLANK; }
SRC
cat >"$work/user/face.f90" <<'SRC'
program face
  use cfio
  implicit none
  if (cfio_proc_type() /= CFIO_TYPE_BLANK) error stop
end program face
SRC
cat >"$work/user/grid.c" <<'SRC'
#include <sverdrup/grid.h>
int main(void) { return sv_prepare_grid == NULL; }
SRC
cat >"$work/user/grid.f90" <<'SRC'
program grid
  use sverdrup_grid
  implicit none
  type(sv_grid_request_t) :: request
  if (request%kind == SV_GRID_LONLAT) error stop
end program grid
SRC
cat >"$work/user/CMakeLists.txt" <<'SRC'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C Fortran)
find_package(sverdrup REQUIRED)
add_executable(user_c user.c)
target_link_libraries(user_c sverdrup::sverdrup)
add_executable(user_f user.f90)
target_link_libraries(user_f sverdrup::sverdrup_fortran)
add_executable(face_c face.c)
target_link_libraries(face_c sverdrup::cfio)
add_executable(face_f face.f90)
target_link_libraries(face_f sverdrup::cfio_fortran)
if(TARGET sverdrup::sverdrup_grid) # where METIS was found
  add_executable(grid_c grid.c)
  target_link_libraries(grid_c sverdrup::sverdrup_grid)
  add_executable(grid_f grid.f90)
  target_link_libraries(grid_f sverdrup::sverdrup_grid_fortran)
endif()
SRC
"$cmake" -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log"
"$cmake" --build "$work/user/build" >"$work/build.log"
for program in user_c user_f face_c face_f; do "$work/user/build/$program"; done
for program in grid_c grid_f; do
  if [ -e "$work/user/build/$program" ]; then "$work/user/build/$program"; fi
done
if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find "$work/prefix" -name sverdrup.pc)")
  # shellcheck disable=SC2046 # several flags
  mpicc "$work/user/user.c" -o "$work/user/user_pc" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs sverdrup)
  LD_LIBRARY_PATH=$(dirname "$pc") "$work/user/user_pc"
  # shellcheck disable=SC2046 # several flags
  mpifort "$work/user/face.f90" -o "$work/user/face_pc" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs cfio-fortran)
  LD_LIBRARY_PATH=$(dirname "$pc") "$work/user/face_pc"
fi
for program in "$work"/prefix/bin/*; do
  if ldd "$program" | grep 'not found'; then
    echo "$program does not find its libraries" >&2
    exit 1
  fi
done
