#!/bin/bash
# Writes a file, copies it, and compares both.
# shellcheck disable=SC1091,SC2154,SC2086 # setup.sh sets the variables; TEST_RUN has options
. ./setup.sh
$TEST_RUN ./ocean20 && $TEST_RUN sv-copy ocean20.nc copy.nc && cmp ocean20.nc copy.nc
