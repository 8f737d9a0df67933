#!/bin/bash
# shellcheck disable=SC1091,SC2154,SC2086 # setup.sh sets the variables; TEST_CC_MPI may have options
. ./setup.sh
$TEST_CC_MPI ocean20.c -o ocean20 -I"$SVERDRUP_ROOT/include" -L"$SVERDRUP_LIB_PATH" -Wl,-rpath,"$SVERDRUP_LIB_PATH" -lsverdrup
