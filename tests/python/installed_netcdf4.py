"""Reads and writes netCDF-4 with an installed library, run by scripts/packages on several ranks: installed_netcdf4.py
FILE NETCDF4, where NETCDF4 is another program's copy of FILE. Reads both, writes a compressed copy of its own, which it
reads, too, and compares all values."""

import sys

import numpy as np
from mpi4py import MPI

import sverdrup

comm = MPI.COMM_WORLD


def values(io, path):
    with io.open(path) as file:
        return np.stack([file["sst"].get_var(n) for n in range(file.records)])


with sverdrup.Context(comm, compression="deflate:1") as io:
    expected = values(io, sys.argv[1])
    records, ny, nx = expected.shape
    start, count = sverdrup.block(ny, comm.size, comm.rank)
    rows = io.decomp((ny, nx), (start, 0), (count, nx))
    with io.create("own.nc4", format="netcdf4") as file:
        for name, length in (("time", None), ("lat", ny), ("lon", nx)):
            file.def_dim(name, length)
        sst = file.def_var("sst", "f4", ["time", "lat", "lon"])
        file.enddef()
        for n in range(records):
            sst.put(expected[n, start : start + count], rows, record=n)
            io.end_step()
    for path in (sys.argv[2], "own.nc4"):
        if not np.array_equal(values(io, path), expected):
            sys.exit(f"installed_netcdf4: {path} has other values than {sys.argv[1]}")
if comm.rank == 0:
    print(f"netCDF-4 read and written: {expected.size} values of {records} records are the same")
