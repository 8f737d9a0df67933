#!/bin/bash
# The Fortran program in the README is the example that is tested: readme_example.sh README EXAMPLE.
set -euo pipefail
awk '/^```/ { if (inside) exit; inside = /^```fortran/; next } inside' "$1" | diff - "$2" >difference.txt && exit
echo "The Fortran block of $1 differs from $2:" >&2
cat difference.txt >&2
exit 1
