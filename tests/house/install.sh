#!/bin/bash
# An installed copy can be used from a project of CMake (C and Fortran) and with pkg-config: install.sh BUILD CMAKE. From the environment: CC, FC
# and MPIFORT, the compilers.
set -euo pipefail
build=$1
cmake=$2
work=$PWD/install
here=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$work"
mkdir -p "$work/user"
"$cmake" --install "$build" --prefix "$work/prefix" >"$work/install.log"
if find "$work/prefix" -name __pycache__ -o -name '*.pyc' | grep .; then
  echo "what Python compiled is installed" >&2
  exit 1
fi
"$here/tests/house/run_paths.sh" "$work/prefix"
cat >"$work/user/user.c" <<'SRC'
#include <stdio.h>
#include <sverdrup/sverdrup.h>
int main(void) { return printf("%s\n", sv_version()) < 0; }
SRC
cat >"$work/user/user.f90" <<'SRC'
program user
  use sverdrup
  implicit none
  type(sv_context_t) :: io
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
cat >"$work/user/streams.c" <<'SRC'
#include <sverdrup/streams.h>
int main(void) { return sv_open_streams == NULL; }
SRC
cat >"$work/user/streams.f90" <<'SRC'
program streams
  use sverdrup_streams
  implicit none
  type(sv_stream_axis_t) :: axis
  if (axis%length /= 0) error stop
end program streams
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
if(TARGET sverdrup::cfio_fortran) # where the compiler has arrays of any rank
  add_executable(face_f face.f90)
  target_link_libraries(face_f sverdrup::cfio_fortran)
endif()
if(TARGET sverdrup::sverdrup_grid) # where METIS was found
  add_executable(grid_c grid.c)
  target_link_libraries(grid_c sverdrup::sverdrup_grid)
  add_executable(grid_f grid.f90)
  target_link_libraries(grid_f sverdrup::sverdrup_grid_fortran)
endif()
if(TARGET sverdrup::sverdrup_streams) # where yaml-cpp was found
  add_executable(streams_c streams.c)
  target_link_libraries(streams_c sverdrup::sverdrup_streams)
endif()
if(TARGET sverdrup::sverdrup_streams_fortran)
  add_executable(streams_f streams.f90)
  target_link_libraries(streams_f sverdrup::sverdrup_streams_fortran)
endif()
SRC
"$cmake" -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$work/prefix" "-DMPI_Fortran_COMPILER=$MPIFORT" >"$work/configure.log"
"$cmake" --build "$work/user/build" >"$work/build.log"
programs=(user_c user_f face_c)
if [ -e "$build/lib/libcfio_fortran.so" ]; then programs+=(face_f); fi
for program in "${programs[@]}"; do "$work/user/build/$program"; done
for program in grid_c grid_f streams_c streams_f; do
  if [ -e "$work/user/build/$program" ]; then "$work/user/build/$program"; fi
done
if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find "$work/prefix" -name sverdrup.pc)")
  # shellcheck disable=SC2046 # several flags
  mpicc "$work/user/user.c" -o "$work/user/user_pc" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs sverdrup) \
    "-Wl,-rpath,$(dirname "$pc")"
  "$work/user/user_pc"
  name=user module=sverdrup
  if [ -e "$build/lib/libcfio_fortran.so" ]; then name=face module=cfio; fi
  # shellcheck disable=SC2046 # several flags
  "$MPIFORT" "$work/user/$name.f90" -o "$work/user/fortran_pc" $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs $module-fortran)
  LD_LIBRARY_PATH=$(dirname "$pc") "$work/user/fortran_pc"
fi
# The command sverdrup finds its package wherever it is called from and through a link, and says what it lacks.
ln -s "$work/prefix/bin/sverdrup" "$work/user/sv"
python=python3
if [ -x "$build/venv/bin/python" ]; then python=$build/venv/bin/python; fi
if "$python" -c 'import jinja2, numpy' 2>/dev/null; then
  (cd / && PYTHONPATH='' "$python" "$work/user/sv" tune --print-space) | grep '^parameters:' >/dev/null
fi
# xarray finds the engine, and pip the version, in an installed copy.
package=("$work"/prefix/lib*/sverdrup/python "$work"/prefix/lib/*/sverdrup/python)
if compgen -G "$work/prefix/lib*/sverdrup/python/sverdrup/_core*.so" >/dev/null; then
  PYTHONPATH=$(IFS=:; echo "${package[*]}") "$python" -c "
from importlib.metadata import entry_points, version
import sverdrup
assert version('sverdrup') == sverdrup.__version__
(engine,) = entry_points(group='xarray.backends', name='sverdrup')
assert engine.value == 'sverdrup.xarray:Backend' and str(engine.dist.locate_file('')).startswith('$work/prefix')"
fi
mkdir -p "$work/lacks/numpy"
echo 'raise ModuleNotFoundError("no", name="numpy")' >"$work/lacks/numpy/__init__.py"
if PYTHONPATH="$work/lacks" "$python" "$work/prefix/bin/sverdrup" tune --print-space 2>"$work/lacks.txt"; then exit 1; fi
grep -q "has no module 'numpy'" "$work/lacks.txt"
# Only commands with names of our own are in the PATH; the models are in another folder.
if find "$work/prefix/bin" -type f ! -name 'sv-*' ! -name sverdrup | grep .; then
  echo "these have no place in bin" >&2
  exit 1
fi
"$work/prefix/libexec/sverdrup/ocean" --help >/dev/null
if [ -e "$work/prefix/bin/sv-bench" ]; then
  "$here/scripts/mpirun" 2 "$work/prefix/bin/sv-bench" field --shape 2x8x8 --repeat 1 --only sverdrup.auto --device 500MB/s --dir "$work" \
    >"$work/bench.log" || { cat "$work/bench.log"; exit 1; }
fi
for program in "$work"/prefix/bin/* "$work"/prefix/libexec/sverdrup/*; do
  if [ "$(head -c 2 "$program")" = '#!' ]; then continue; fi
  if ldd "$program" | grep 'not found'; then
    echo "$program does not find its libraries" >&2
    exit 1
  fi
done
# The modulefile leads to the installation that it is in.
if command -v tclsh >/dev/null; then
  cat >"$work/modules.tcl" <<'TCL'
foreach word {module-whatis conflict setenv} { proc $word args {} }
proc prepend-path {name folder} { if {![file isdirectory $folder]} { error "$name: no folder $folder" } }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
TCL
  tclsh "$work/modules.tcl" "$work"/prefix/share/modulefiles/sverdrup/*
fi
# The validation test of E4S, with the environment of its test suite.
mkdir -p "$work/e4s/validation_tests"
cp -rL "$here/packaging/e4s/sverdrup" "$work/e4s/validation_tests"
pc=$(dirname "$(find "$work/prefix" -name sverdrup.pc)")
cat >"$work/e4s/setup.sh" <<SETUP
spackLoadUnique() { export PATH="$work/prefix/bin:$PATH" SVERDRUP_ROOT="$work/prefix" SVERDRUP_LIB_PATH="$(dirname "$pc")"; }
TEST_CC_MPI=mpicc TEST_RUN="$here/scripts/mpirun 2"
SETUP
(cd "$work/e4s/validation_tests/sverdrup" && ./compile.sh && ./run.sh >"$work/e4s.log" && ./clean.sh)
# Debian's packages contain all installed files, if all parts are built; debian/rules makes lib/python3.
if [ -e "${pc%/*}/libsverdrup_grid.so" ] && [ -e "${pc%/*}/sverdrup/store_pnetcdf.so" ] && [ -e "${pc%/*}/sverdrup/python/sverdrup/_core.pyi" ]; then
  cat "$here"/debian/*.install | grep -v '^usr/lib/python3$' | while read -r pattern _; do
    file=${pattern/#usr\/lib\/\*/${pc%/*}}
    compgen -G "${file/#usr\//$work/prefix/}" >/dev/null || { echo "debian/ packs $pattern, which is not installed" >&2; exit 1; }
  done
fi
# The test of packages after installation.
"$here/scripts/smoke" "$work/prefix" "$work/smoke"
# make install lists what it has installed, and gives the command sverdrup its packages; make uninstall removes all of it, and nothing else.
if /usr/bin/python3 -c 'import jinja2, numpy, scipy, yaml' 2>/dev/null; then
  mkdir -p "$work/manifest"
  cp -al "$work/prefix" "$work/other"
  sed "s|^$work/prefix/|$work/other/|" "$build/install_manifest.txt" >"$work/manifest/install_manifest.txt"
  "$here/scripts/installed" complete "$work/manifest" "$work/other" >"$work/complete.log"
  env -i PATH=/usr/bin "$work/other/bin/sverdrup" tune --print-space >/dev/null
  mkdir "$work/other/etc"
  echo "fill: true" >"$work/other/etc/sverdrup.yaml"
  "$here/scripts/installed" remove "$work/other"
  if find "$work/other" ! -type d ! -path "$work/other/etc/sverdrup.yaml" | grep .; then
    echo "make uninstall leaves these" >&2
    exit 1
  fi
fi
# The target `installed` builds all that is installed, and no tests.
if [ -e "$build/build.ninja" ]; then
  { ninja -C "$build" -t inputs installed && ninja -C "$build" -t query installed | sed 's/^ *//'; } >"$work/inputs.txt"
  if grep '^tests/' "$work/inputs.txt"; then echo "the target installed builds tests" >&2; exit 1; fi
  while read -r file; do
    if [ -L "$file" ] || ! head -c 4 "$file" | grep -q ELF; then continue; fi
    grep -qE "(^|/)${file##*/}$" "$work/inputs.txt" || { echo "the target installed does not build $file" >&2; exit 1; }
  done <"$build/install_manifest.txt"
fi
