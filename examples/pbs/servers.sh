#!/bin/bash
# A model on three hosts, and the servers that write for it on the fourth: two programs in one launch (PBS Professional, OpenPBS).
#PBS -l select=3:ncpus=4:mpiprocs=4+1:ncpus=2:mpiprocs=2
#PBS -l walltime=01:00:00
#PBS -j oe
set -euo pipefail
cd "$PBS_O_WORKDIR"
model=${MODEL:-./model}
server=${SERVER:-sv-server}
# PBS names the hosts in the order of the chunks: the first twelve ranks compute, the last two serve.
mpiexec -n 12 "$model" : -n 2 "$server"
