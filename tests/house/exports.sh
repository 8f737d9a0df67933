#!/bin/bash
# The library exports the functions of its header and nothing else: exports.sh LIBRARY HEADER PREFIX.
set -euo pipefail
prefix=$3
exported=$(nm -D --defined-only "$1" | awk '{print $3}' | sed 's/@.*//' | sort -u)
declared=$(grep -oE "^[A-Z]+_API.*\b${prefix}_[a-z0-9_]+\(" "$2" | grep -oE "\b${prefix}_[a-z0-9_]+\(" | tr -d '(' | sort -u)
foreign=$(echo "$exported" | grep -v "^${prefix}_" || true)
missing=$(comm -13 <(echo "$exported") <(echo "$declared"))
undeclared=$(comm -23 <(echo "$exported" | grep "^${prefix}_") <(echo "$declared"))
[ -z "$foreign" ] || { echo "exported, but not ours to export:" "$foreign" >&2; exit 1; }
[ -z "$missing" ] || { echo "declared in the header, but not exported:" "$missing" >&2; exit 1; }
[ -z "$undeclared" ] || { echo "exported, but not declared in the header:" "$undeclared" >&2; exit 1; }
echo "$(echo "$declared" | wc -l) functions exported"
