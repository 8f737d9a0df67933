#!/bin/bash
# A run that is longer than a job may be: two minutes before its end, Slurm sends SIGTERM to all ranks (servers ignore it). The model
# has called sv_stop_on_signal(io, SIGTERM): it closes its files at the end of the step, writes a restart and ends. Then the job queues
# again, until the model leaves a file "finished".
#SBATCH --nodes=4
#SBATCH --ntasks=14
#SBATCH --time=60
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
srun --mpi=pmix "${MODEL:-./model}"
[ -e finished ] || scontrol requeue "$SLURM_JOB_ID"
