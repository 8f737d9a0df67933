#!/bin/bash
# No shared library exports anything of the C++ library: exports_runtime.sh C++-COMPILER LIBRARY... Neither templates and type
# information, nor what the library itself has under plain C names.
set -euo pipefail
compiler=$1
shift
runtime=$(for name in libstdc++.so.6 libgcc_s.so.1; do
  file=$("$compiler" -print-file-name=$name)
  [ -e "$file" ] || { echo "$compiler has no $name" >&2; exit 1; }
  nm -D --defined-only "$file"
done | awk '{print $3}' | sed 's/@.*//' | sort -u)
failed=0
for library in "$@"; do
  exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
  [ -n "$exported" ] || { echo "$library exports nothing" >&2; exit 1; }
  foreign=$(comm -12 <(echo "$exported") <(echo "$runtime"); grep '^_Z' <<<"$exported" || true)
  if [ -n "$foreign" ]; then
    echo "$(basename "$library") exports what belongs to the C++ library:" >&2
    sort -u <<<"$foreign" | sed 's/^/  /' >&2
    failed=1
  fi
done
[ $failed = 0 ] || exit 1
echo "$# libraries export nothing of the C++ library"
