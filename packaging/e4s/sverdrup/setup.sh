#!/bin/bash
# shellcheck disable=SC1091 # of the test suite of E4S
. ../../setup.sh
spackLoadUnique sverdrup
