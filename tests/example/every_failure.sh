#!/bin/bash
# A rank that fails does not hide the failures of the others: every_failure.sh MPIEXEC PROGRAM.
set -uo pipefail
if output=$("$1" 3 "$2" 2>&1); then echo "the job succeeds"; exit 1; fi
for rank in 0 1 2; do
  case $output in
    *"FAILED on rank $rank: as intended"*) ;;
    *) echo "rank $rank does not report its failure:"; echo "$output"; exit 1 ;;
  esac
done
