#!/bin/bash
# The first program of a document in a language is the example that is tested: readme_example.sh DOCUMENT EXAMPLE. A line
# `...` in the document stands for lines of the example that are left out.
set -euo pipefail
language=fortran
case $2 in *.c) language=c ;; *.cpp) language=cpp ;; *.py) language=python ;; esac
shown=$(awk -v fence="\`\`\`$language" '/^```/ { if (inside) exit; inside = $0 == fence; next } inside' "$1")
difference=$(diff -d - "$2" <<<"$shown" || true)
gap='^ *\.\.\.$'
if grep -q "$gap" <<<"$shown"; then difference=$(grep '^<' <<<"$difference" | grep -v "${gap/^/^<}" || true); fi
[ -n "$difference" ] || exit 0
echo "The first $language block of $1 differs from $2:" >&2
echo "$difference" >&2
exit 1
