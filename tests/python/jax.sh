#!/bin/bash
# The channel with steps that JAX compiles has the values of the one in NumPy, except for rounding: jax.sh MPIRUN PYTHON EXAMPLES.
# Exit status 77: this Python has no JAX.
set -euo pipefail
mpirun=$1 python=$2 examples=$3
"$python" -c 'import jax' 2> /dev/null || { echo "skipped: $python has no JAX (pip install jax)"; exit 77; }
rm -rf compiled
mkdir compiled
"$mpirun" 2 "$python" "$examples/channel.py"
(cd compiled && "$mpirun" 2 "$python" "$examples/channel_jax.py")
"$python" -c 'import netCDF4, numpy
one, other = (netCDF4.Dataset(path) for path in ("channel.nc", "compiled/channel.nc"))
for name in "huv":
    numpy.testing.assert_allclose(other[name][:], one[name][:], rtol=1e-5, atol=1e-7)'
