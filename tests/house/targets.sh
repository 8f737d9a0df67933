#!/bin/bash
# Every target of make can be configured in a fresh clone, with any Python packages: targets.sh CMAKE. A target brings only
# the packages that it needs, and CMake configures the tests of all; so a test whose packages are missing must leave nothing behind.
set -euo pipefail
cmake=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$PWD/targets
rm -rf "$work"
mkdir -p "$work/build/venv/bin"
cat >"$work/CMakeLists.txt" <<LISTS
cmake_minimum_required(VERSION 3.25)
project(targets LANGUAGES NONE)
enable_testing()
include($here/cmake/SvTests.cmake)
sv_python_test(example \${CMAKE_SOURCE_DIR} ENVIRONMENT A=b PROPERTIES LABELS slow PROCESSORS 2)
LISTS
for status in 0 1; do # the packages are there, or missing
  printf '#!/bin/sh\nexit %d\n' "$status" >"$work/build/venv/bin/python"
  chmod +x "$work/build/venv/bin/python"
  "$cmake" -S "$work" -B "$work/build" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
  lines=$(grep -c 'set_tests_properties(.*LABELS "slow"' "$work/build/CTestTestfile.cmake" || true)
  [ "$lines" -eq $((1 - status)) ] || { echo "the properties of the test: $lines lines, with status $status" >&2; exit 1; }
done
cd "$here"
mapfile -t lists < <(find tests studies -name CMakeLists.txt)
sed -nE 's/^ *sv_python_test\(([a-z_.]+) .*/\1/p' "${lists[@]}" | while read -r name; do
  if grep -nE "set_tests_properties[(]${name}[ )]" "${lists[@]}"; then
    echo "test $name may not exist: give its properties to sv_python_test" >&2
    exit 1
  fi
done
sed -nE 's/^## make ([a-z-]+) .*/\1/p' Makefile | while read -r target; do make -n "$target" PREFIX=/nowhere >/dev/null; done
