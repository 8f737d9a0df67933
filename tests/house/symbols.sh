#!/bin/bash
# Debian's list of symbols has the functions of the headers. Of libraries without a header it has their exported functions:
# symbols.sh SYMBOLS (SONAME HEADER PREFIX)... [--exported LIBRARY...]
set -euo pipefail
# A header, those next to it that it includes, and binding.h, which bindings include with sverdrup.h.
with_included() {
  echo "$1"
  sed -n 's/^#include "\([a-z_]*\.h\)".*/\1/p' "$1" | sed "s|^|$(dirname "$1")/|"
  case $1 in */sverdrup.h) echo "${1%/*}/binding.h" ;; esac
}
# The names of a library in the list, and its patterns, as (regex)"^nc_[a-z0-9_]+
listed_of() {
  awk -v soname="$1" '/^[^ ]/ { ours = $1 == soname; next } ours { sub(/@.*/, "", $1); print $1 }' "$symbols" | sort
}
symbols=$1
shift
failed=0
while [ $# -gt 0 ] && [ "$1" != --exported ]; do
  listed=$(listed_of "$1")
  mapfile -t headers < <(with_included "$2")
  declared=$(grep -ohE "^[A-Z]+_API.*\b$3_[a-z0-9_]+\(" "${headers[@]}" | grep -oE "\b$3_[a-z0-9_]+\(" | tr -d '(' | sort -u)
  diff <(echo "$listed") <(echo "$declared") || { echo "$symbols differs from $2 (docs/versions.md)" >&2; failed=1; }
  shift 3
done
for library in "${@:2}"; do
  listed=$(listed_of "$(basename "$(readlink -f "$library")" | sed 's/\.so\.\([0-9]*\).*/.so.\1/')")
  pattern=$(sed -n 's/^(regex)"//p' <<<"$listed")
  exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -vE "$pattern\$" | sort || true)
  diff <(grep -v '^(regex)' <<<"$listed") <(echo "$exported") || { echo "$symbols differs from $library" >&2; failed=1; }
done
exit $failed
