#!/bin/bash
# The objects listed in a file use no MPI symbol: no_mpi.sh LIST.
set -euo pipefail
mapfile -t objects < <(grep . "$1")
[ ${#objects[@]} -gt 0 ] || { echo "no objects listed in $1" >&2; exit 1; }
if nm -A --undefined-only "${objects[@]}" | grep -E ' (P?MPI_|ompi_)'; then
  echo "these folders must build without MPI" >&2
  exit 1
fi
echo "${#objects[@]} objects need no MPI"
