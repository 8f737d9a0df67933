#!/bin/bash
# The document shows the difference of the two programs: port.sh DOCUMENT FOLDER. With programs, those leave the same
# values: port.sh DOCUMENT FOLDER MPIRUN BEFORE AFTER.
set -euo pipefail
document=$1
folder=$2
compared=$(mktemp -d)
trap 'rm -rf "$compared"' EXIT
awk '/^```/ { if (inside) exit; inside = $0 == "```diff"; next } inside' "$document" >"$compared/shown"
(cd "$folder" && diff -u --label before.c --label after.c before.c after.c) >"$compared/real" || true
[ -s "$compared/real" ] || { echo "before.c and after.c are the same" >&2; exit 1; }
diff "$compared/real" "$compared/shown" || { echo "$document shows another difference than examples/port has" >&2; exit 1; }
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
