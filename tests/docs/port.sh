#!/bin/bash
# The document shows the differences of the programs before and after their port: port.sh DOCUMENT FOLDER. With
# programs, those leave the same values: port.sh DOCUMENT FOLDER MPIRUN BEFORE AFTER [AFTER_IN_FORTRAN].
set -euo pipefail
document=$1
folder=$2
compared=$(mktemp -d)
trap 'rm -rf "$compared"' EXIT

shown() { # NUMBER SUFFIX: the block of that number, and the counts in the text
  awk -v number="$1" '/^```/ { inside = $0 == "```diff"; count += inside; next } inside && count == number' "$document" >"$compared/shown"
  (cd "$folder" && diff -u --label "before.$2" --label "after.$2" "before.$2" "after.$2") >"$compared/real" || true
  [ -s "$compared/real" ] || { echo "before.$2 and after.$2 are the same" >&2; exit 1; }
  diff "$compared/real" "$compared/shown" || { echo "$document shows another difference than examples/port has" >&2; exit 1; }
  local removed added
  removed=$(($(grep -c '^-' "$compared/real") - 1)) added=$(($(grep -c '^+' "$compared/real") - 1))  # without the labels
  grep -qF "removes $removed lines and adds $added" "$document" ||
    { echo "$document does not say: removes $removed lines and adds $added" >&2; exit 1; }
}
shown 1 c
shown 2 f90
[ $# -gt 2 ] || exit 0

run() {
  rm -rf "$2"
  mkdir "$2"
  (cd "$2" && "$mpirun" "$1" "$3")
  (cd "$2" && ncdump heat.nc >heat.cdl)
}
mpirun=$3
run 2 before "$4"
SV_ASYNC=servers:1 run 3 after "$5"
cmp before/heat.cdl after/heat.cdl
grep -qF 'time = UNLIMITED ; // (5 currently)' after/heat.cdl
[ $# -gt 5 ] || exit 0
run 2 fortran "$6"
cmp before/heat.cdl fortran/heat.cdl
