#!/bin/bash
# A model on three hosts, and the servers that write for it on the fourth: two programs in one step (MPMD).
#SBATCH --nodes=4
#SBATCH --ntasks=14
#SBATCH --distribution=block
#SBATCH --time=60
set -euo pipefail
model=${MODEL:-./model}
server=${SERVER:-sv-server}
cat >ranks.conf <<END
0-11 $model
12-13 $server
END
srun --mpi=pmix --multi-prog ranks.conf
