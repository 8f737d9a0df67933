#!/bin/bash
# The examples in Python write what those in Fortran write, on other ranks and behind a server:
# examples.sh MPIRUN PYTHON EXAMPLES OCEAN20 CHANNEL WAVES (the latter three in Fortran).
set -euo pipefail
mpirun=$1 python=$2 examples=$3
rm -rf fortran served
mkdir fortran served
(cd fortran && "$mpirun" 2 "$4" && "$mpirun" 3 "$5" && "$mpirun" 4 "$6")
"$mpirun" 3 "$python" "$examples/ocean20.py"
"$mpirun" 4 "$python" "$examples/channel.py"
(cd served && SV_ASYNC=servers:1 "$mpirun" 3 "$python" "$examples/channel.py")
cmp fortran/ocean20.nc ocean20.nc
cmp fortran/channel.nc channel.nc
cmp fortran/channel.nc served/channel.nc
[ "$(ncdump -h channel.nc | grep -c 'currently')" = 1 ]
# The waves have gone round the channel, and are no numbers that stayed as they were.
ncdump -v h channel.nc | sed -n '/ h =/,$p' | tr -d ' h=;}' | tr ',' '\n' | grep . | sort -u | wc -l | awk '$1 < 10000 { exit 1 }'
for ranks in 1 2 5; do
  "$mpirun" $ranks "$python" "$examples/waves.py"
  cmp fortran/waves.nc waves.nc
done
(cd served && SV_ASYNC=servers:1 "$mpirun" 3 "$python" "$examples/waves.py" && cmp ../fortran/waves.nc waves.nc)
SV_ASYNC=threads "$mpirun" 2 "$python" "$examples/waves.py"
cmp fortran/waves.nc waves.nc
# They have gone over the sphere: heights of either sign, and hardly two alike.
ncdump -v h waves.nc | sed -n '/ h =/,$p' | tr -d ' h=;}' | tr ',' '\n' | grep . | sort -u |
  awk '{ if ($1 < -0.005) low = 1; if ($1 > 0.05) high = 1 } END { exit !(low && high && NR > 10000) }'
