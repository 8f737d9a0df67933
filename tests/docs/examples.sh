#!/bin/bash
# Runs the examples and checks their files with ncdump: examples.sh MPIRUN FORTRAN_PROGRAM C_PROGRAM SERIES_PROGRAM
# FORTRAN_REQUESTS C_REQUESTS.
set -euo pipefail
run() {
  rm -rf "$1"
  mkdir "$1"
  (cd "$1" && "$mpirun" 4 "$2")
}
mpirun=$1
run fortran "$2"
run c "$3"
cmp fortran/ocean20.nc c/ocean20.nc

ncdump fortran/ocean20.nc >fortran.cdl
for line in 'lon = 72 ;' 'lat = 36 ;' 'time = UNLIMITED ; // (3 currently)' 'float sst(time, lat, lon) ;' \
            'sst:units = "degC" ;'; do
  grep -qF "$line" fortran.cdl || { echo "ocean20.nc has no: $line" >&2; exit 1; }
done
# A row of a record has one value: 28.5 - |2 j - 37| + n for row j and record n, from 1.
sed -n '/sst =/,/;/p' fortran.cdl | tr -d ' ;=a-z}' | tr ',' '\n' | grep . >values.txt
awk 'function abs(x) { return x < 0 ? -x : x }
     { k = NR - 1; n = int(k / 2592) + 1; j = int(k / 72) % 36 + 1
       if ($1 != 28.5 - abs(2 * j - 37) + n) { print "value " NR " is " $1 > "/dev/stderr"; wrong = 1; exit } }
     END { exit wrong || NR != 3 * 2592 }' values.txt

run requests "$5"
run requests_c "$6"
cmp requests/requests20.nc requests_c/requests20.nc
# A row of a variable and record has one value: 1000 v + 100 n + j, all from 1.
for v in 1 8; do
  ncdump -v "tr$v" requests/requests20.nc | sed -n '/tr. =/,/;/p' | sed 's/tr. =//' | tr -d ' ;}' | tr ',' '\n' | grep . |
    awk -v v="$v" '{ k = NR - 1; if ($1 != 1000 * v + 100 * (int(k / 2592) + 1) + int(k / 72) % 36 + 1) wrong = 1 }
                   END { exit wrong || NR != 3 * 2592 }' || { echo "requests20.nc: tr$v is wrong" >&2; exit 1; }
done

# A file a month; restarted ten days earlier than it ended, on other ranks.
rm -rf series
mkdir series
cd series
"$mpirun" 4 "$4" 0 50
"$mpirun" 3 "$4" 40 90
for month in 01/31 02/28 03/31; do
  ncdump -v time "sst_2001-${month%/*}.nc" >month.cdl
  grep -qF "time = UNLIMITED ; // (${month#*/} currently)" month.cdl || { echo "month $month is wrong" >&2; exit 1; }
  test -e "sst_2001-${month%/*}.nc.complete"
done
mkdir whole
(cd whole && "$mpirun" 2 "$4" 0 90)
for file in sst_*.nc; do cmp "$file" "whole/$file"; done
