#!/bin/bash
# The first program of a document in a language is the example that is tested: readme_example.sh DOCUMENT EXAMPLE.
set -euo pipefail
language=fortran
if [ "${2##*.}" = c ]; then language=c; fi
if difference=$(awk -v fence="\`\`\`$language" '/^```/ { if (inside) exit; inside = $0 == fence; next } inside' "$1" | diff - "$2"); then
  exit
fi
echo "The first $language block of $1 differs from $2:" >&2
echo "$difference" >&2
exit 1
