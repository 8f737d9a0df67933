#!/bin/bash
# Runs Listing 1 of the paper with 4 clients and 2 servers, and checks its file with ncdump: listing.sh MPIRUN PROGRAM.
set -euo pipefail
rm -rf listing
mkdir listing
cd listing
SV_ASYNC_MEMORY=8MiB "$1" 6 "$2"
ncdump listing.nc >listing.cdl
for line in 'lat = 18 ;' 'lon = 36 ;' 'float sst(lon, lat) ;'; do
  grep -qF "$line" listing.cdl || { echo "listing.nc has no: $line" >&2; exit 1; }
done
# The value of latitude i and longitude j, from 1, is 100 i + j.
sed -n '/sst =/,/;/p' listing.cdl | tr -d ' ;=a-z}' | tr ',' '\n' | grep . |
  awk '{ k = NR - 1; if ($1 != 100 * (k % 18 + 1) + int(k / 18) + 1) wrong = 1 }
       END { exit wrong || NR != 18 * 36 }' || { echo "listing.nc has wrong values" >&2; exit 1; }
