#!/bin/bash
# The library exports the functions of its header and nothing else: exports.sh LIBRARY HEADER PREFIX.
set -euo pipefail
# A header, those next to it that it includes, and binding.h, which bindings include with sverdrup.h.
with_included() {
  echo "$1"
  sed -n 's/^#include "\([a-z_]*\.h\)".*/\1/p' "$1" | sed "s|^|$(dirname "$1")/|"
  case $1 in */sverdrup.h) echo "${1%/*}/binding.h" ;; esac
}
prefix=$3
mapfile -t headers < <(with_included "$2")
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort -u)
declared=$(grep -ohE "^[A-Z]+_API.*\b${prefix}_[a-z0-9_]+\(" "${headers[@]}" | grep -oE "\b${prefix}_[a-z0-9_]+\(" | tr -d '(' | sort -u)
foreign=$(echo "$exported" | grep -v "^${prefix}_" || true)
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
undeclared=$(comm -23 <(echo "$exported" | grep "^${prefix}_") <(echo "$declared"))
[ -z "$foreign" ] || { echo "exported, but not ours to export:" "$foreign" >&2; exit 1; }
[ -z "$missing" ] || { echo "declared in the header, but not exported:" "$missing" >&2; exit 1; }
[ -z "$undeclared" ] || { echo "exported, but not declared in the header:" "$undeclared" >&2; exit 1; }
echo "$(echo "$declared" | wc -l) functions exported"
