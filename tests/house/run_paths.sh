#!/bin/bash
# No program or library of these folders searches the working directory for libraries: every entry of an RPATH or RUNPATH is
# absolute, or begins with $ORIGIN. run_paths.sh FOLDER...
set -euo pipefail
# The path, the word file or path, and the run path, separated by tabs, of each program and library; /dev/null: more than one file
# has its name printed.
listed=$(find "$@" -type f \( -perm -u+x -o -name '*.so*' \) -not -path '*/CMakeFiles/*' -not -path '*/tests/work/*' -print0 |
  { xargs -0 readelf -dW /dev/null 2>/dev/null || true; } |
  awk '/^File: / { file = substr($0, 7) }
       /^(Dynamic section at|There is no dynamic section)/ { print file "\tfile" }
       /\(R(UN)?PATH\)/ { sub(/^[^[]*\[/, ""); sub(/\]$/, ""); print file "\tpath\t" $0 }')
looked=0
wrong=0
while IFS=$'\t' read -r file kind paths; do
  if [ "$kind" = file ]; then
    looked=$((looked + 1))
    continue
  fi
  # An empty entry at either end, or between two colons, means the working directory.
  rest=$paths:
  while [ -n "$rest" ]; do
    entry=${rest%%:*} rest=${rest#*:}
    # shellcheck disable=SC2016 # the dynamic linker expands it
    case $entry in
      /* | '$ORIGIN' | '$ORIGIN/'*) ;;
      *)
        echo "$file: the entry '$entry' of its run path '$paths' is relative to the working directory" >&2
        wrong=$((wrong + 1))
        ;;
    esac
  done
done <<<"$listed"
[ "$looked" -gt 10 ] || { echo "only $looked programs and libraries were found in $*" >&2; exit 1; }
[ "$wrong" -eq 0 ] || exit 1
echo "$looked programs and libraries have run paths without relative entries"
