#!/bin/bash
# An error without ierr ends the job on all ranks, soon, with a message: stop.sh MPIRUN PROGRAM CASE.
set -uo pipefail
case $3 in
  collective) words="rank 0 stops the job: .*missing.nc" ;;
  local) words="rank 2 stops the job: .*nobody defined this" ;;
  init) words="stops the job: .*writer" ;;
  handle) words="stopped: .*null pointer" ;;
esac
start=$SECONDS
timeout 20 "$1" 3 "$2" "$3" >out.txt 2>err.txt
status=$?
case_name=$3
fail() {
  echo "stop.sh $case_name: $1; it printed:" >&2
  cat out.txt err.txt >&2
  exit 1
}
[ $status -ne 0 ] || fail "the exit status is zero"
if [ $((SECONDS - start)) -ge 15 ]; then fail "it did not end"; fi
grep -q "$words" err.txt || fail "no message like '$words'"
if grep -q "went on" err.txt; then fail "it went on"; fi
