#!/bin/bash
# The first program of a document in a language is the example that is tested: readme_example.sh DOCUMENT EXAMPLE.
set -euo pipefail
language=fortran
case $2 in *.c) language=c ;; *.py) language=python ;; esac
if difference=$(awk -v fence="\`\`\`$language" '/^```/ { if (inside) exit; inside = $0 == fence; next } inside' "$1" | diff - "$2"); then
  exit
fi
echo "The first $language block of $1 differs from $2:" >&2
echo "$difference" >&2
exit 1
