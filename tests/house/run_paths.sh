#!/bin/bash
# No program or library of these folders searches the working directory for libraries: every entry of an RPATH or RUNPATH is
# absolute, or begins with $ORIGIN. run_paths.sh FOLDER...
set -euo pipefail
looked=0
wrong=0
while IFS= read -r -d '' file; do
  [ "$(head -c 4 "$file" | tr -d '\0')" = $'\177ELF' ] || continue
  looked=$((looked + 1))
  paths=$(readelf -dW "$file" 2>/dev/null | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]$/\2/p')
  [ -n "$paths" ] || continue
  # An empty entry at either end, or between two colons, means the working directory.
  while IFS= read -r entry; do
    # shellcheck disable=SC2016 # the dynamic linker expands it
    case $entry in
      /* | '$ORIGIN' | '$ORIGIN/'*) ;;
      *)
        echo "$file: the entry '$entry' of its run path '$paths' is relative to the working directory" >&2
        wrong=$((wrong + 1))
        ;;
    esac
  done < <(echo "$paths" | tr ':' '\n')
done < <(find "$@" -type f \( -perm -u+x -o -name '*.so*' \) -not -path '*/CMakeFiles/*' -not -path '*/tests/work/*' -print0)
[ "$looked" -gt 10 ] || { echo "only $looked programs and libraries were found in $*" >&2; exit 1; }
[ "$wrong" -eq 0 ] || exit 1
echo "$looked programs and libraries have run paths without relative entries"
