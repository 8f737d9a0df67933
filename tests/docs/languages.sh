#!/bin/bash
# The page on languages shows the examples, whose files are equal: languages.sh SOURCE MPIRUN PYTHON FORTRAN_PROGRAM C_PROGRAM
# CXX_PROGRAM.
set -euo pipefail
source=$1
for suffix in c cpp f90 py; do
  "$(dirname "$0")/readme_example.sh" "$source/docs/languages.md" "$source/examples/ocean20.$suffix"
done
run() { # LANGUAGE COMMAND...
  rm -rf "$1"
  mkdir "$1"
  (cd "$1" && "$mpirun" 2 "${@:2}")
}
mpirun=$2
run fortran "$4"
run c "$5"
run cxx "$6"
run python "$3" "$source/examples/ocean20.py"
for language in c cxx python; do cmp fortran/ocean20.nc "$language/ocean20.nc"; done
