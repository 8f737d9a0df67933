#!/bin/bash
# A run that is longer than a job may be. Two minutes before the job's end this script sends SIGUSR1 to the launcher, which hands it to
# all ranks (PBS itself sends SIGTERM only some seconds before it kills, and a launcher ends its ranks then). The model has called
# sv_stop_on_signal(io, SIGUSR1): it closes its files at the end of the step, writes a restart and ends. Then the job queues the next
# one, until the model leaves a file "finished".
#PBS -l select=4:ncpus=4:mpiprocs=4
#PBS -l walltime=01:00:00
#PBS -j oe
set -uo pipefail
cd "$PBS_O_WORKDIR" || exit
# shellcheck disable=SC2086 # a model with its arguments
mpiexec ${RANKS:+-n "$RANKS"} ${MODEL:-./model} &
launcher=$!
(sleep "${SECONDS_TO_RUN:-3480}" && kill -USR1 "$launcher") &
clock=$!
wait "$launcher"
status=$?
# A signal to this script ends `wait` early, and the launcher's own status comes with the next one.
while kill -0 "$launcher" 2>/dev/null; do wait "$launcher"; status=$?; done
kill "$clock" 2>/dev/null
[ $status -eq 0 ] || exit $status
[ -e finished ] || qsub "${NEXT:-until_done.sh}"
