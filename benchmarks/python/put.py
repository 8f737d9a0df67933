"""Compares a put from Python and from C, in one run, with netCDF4-python (if it is built with parallel netCDF-4) and
PnetCDF-Python for the same record.

  export PYTHONPATH=build/python:python
  scripts/mpirun 2 build/venv/bin/python benchmarks/python/put.py [--mib 10] [--pairs 400] [--folder .]

Every rank puts a block of that size, from the same array into the same record of the same file, once from C (put.c)
and once from Python; which is first changes from pair to pair. All records have been written before. A time is that of
the slowest rank. The ratio is that of the medians; its interval (95 %) is bootstrapped over the pairs. Records are
put and synchronised as far as sv_end_step does it, into the page cache."""

import argparse
import ctypes
import os
import statistics
from pathlib import Path

import numpy as np
from mpi4py import MPI

import sverdrup
from sverdrup import _core

NX = 1024
RECORDS = 4
COMM = MPI.COMM_WORLD


def slowest(seconds):
    return COMM.allreduce(seconds, MPI.MAX)


def timed(call):
    COMM.Barrier()
    start = MPI.Wtime()
    call()
    return slowest(MPI.Wtime() - start)


def rows_of(mib):
    rows = int(mib * 2**20 / 8 / NX)
    return rows, rows * COMM.rank, rows * COMM.size


def library():
    found = ctypes.CDLL(str(Path(__file__).parents[2] / os.environ.get("SV_BUILD", "build") / "lib" / "libput_in_c.so"))
    found.put_in_c.restype = ctypes.c_double
    found.put_in_c.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
    return found.put_in_c


def measure(folder, mib, pairs):
    """Seconds of each pair, in C and in Python, and of records: put and committed from Python."""
    put_in_c = library()
    rows, start, height = rows_of(mib)
    data = np.random.default_rng(COMM.rank).random((rows, NX))
    with sverdrup.Context(COMM) as io:
        grid = io.decomp((height, NX), (start, 0), (rows, NX))
        file = io.create(f"{folder}/put.nc", kind="growing")
        for name, length in (("time", None), ("y", height), ("x", NX)):
            file.def_dim(name, length)
        v = file.def_var("v", "f8", ["time", "y", "x"])
        file.enddef()
        for record in range(RECORDS):
            v.put(data, grid, record)
            io.end_step()

        def from_c(record):
            seconds = put_in_c(_core.address(file.handle), v.id, _core.address(grid.handle), record, data.ctypes.data)
            assert seconds > 0, f"status {-seconds}"
            return slowest(seconds)

        def from_python(record):
            COMM.Barrier()
            start = MPI.Wtime()
            v.put(data, grid, record)
            return slowest(MPI.Wtime() - start)

        in_c, in_python = [], []
        for pair in range(pairs):
            for kind in (from_c, from_python) if pair % 2 else (from_python, from_c):
                (in_c if kind is from_c else in_python).append(kind(pair % RECORDS))
            io.end_step()

        def whole(record):
            v.put(data, grid, record)
            io.end_step()

        records = [timed(lambda n=n: whole(n % RECORDS)) for n in range(pairs // 8)]
    return in_c, in_python, records


def netcdf4(folder, mib, times):
    import netCDF4

    if not netCDF4.__has_parallel4_support__:
        raise ImportError("this netCDF4 is not parallel")
    rows, start, height = rows_of(mib)
    data = np.random.default_rng(COMM.rank).random((rows, NX))
    with netCDF4.Dataset(f"{folder}/put4.nc", "w", parallel=True, comm=COMM, info=MPI.Info()) as file:
        for name, length in (("time", None), ("y", height), ("x", NX)):
            file.createDimension(name, length)
        v = file.createVariable("v", "f8", ("time", "y", "x"), chunksizes=(1, rows, NX))
        v.set_collective(True)

        def record(n):
            v[n, start : start + rows] = data
            file.sync()

        for n in range(RECORDS):
            record(n)
        return [timed(lambda n=n: record(n % RECORDS)) for n in range(times)]


def pnetcdf(folder, mib, times):
    import pnetcdf

    rows, start, height = rows_of(mib)
    data = np.random.default_rng(COMM.rank).random((1, rows, NX))
    file = pnetcdf.File(f"{folder}/putp.nc", "w", "64BIT_DATA", comm=COMM, info=MPI.INFO_NULL)
    for name, length in (("time", -1), ("y", height), ("x", NX)):
        file.def_dim(name, length)
    v = file.def_var("v", pnetcdf.NC_DOUBLE, ("time", "y", "x"))
    file.enddef()

    def record(n):
        v.put_var_all(data, start=[n, start, 0], count=[1, rows, NX])
        file.sync()

    for n in range(RECORDS):
        record(n)
    taken = [timed(lambda n=n: record(n % RECORDS)) for n in range(times)]
    file.close()
    return taken


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mib", type=float, default=10, help="of each rank and record")
    options.add_argument("--pairs", type=int, default=400)
    options.add_argument("--folder", default=".")
    given = options.parse_args()
    in_c, in_python, records = measure(given.folder, given.mib, given.pairs)
    drawn = np.random.default_rng(1).integers(given.pairs, size=(2000, given.pairs))
    medians = [np.median(np.array(s)[drawn], axis=1) for s in (in_python, in_c)]
    low, high = np.quantile(medians[0] / medians[1], [0.025, 0.975])
    reported = [f"{COMM.size} ranks, {given.mib:g} MiB each, {given.pairs} pairs"]
    reported += [
        f"{name:<28}{1e3 * statistics.median(s):8.2f} ms"
        for name, s in (("put in C", in_c), ("put in Python", in_python))
    ]
    ratio = statistics.median(in_python) / statistics.median(in_c)
    reported += [f"Python / C                  {ratio:8.3f}     95 %: {low:.3f} ... {high:.3f}"]
    own = statistics.median(records)
    reported += [f"record, Sverdrup            {1e3 * own:8.2f} ms"]
    for name, peer in (("netCDF4-python", netcdf4), ("PnetCDF-Python", pnetcdf)):
        try:
            theirs = statistics.median(peer(given.folder, given.mib, given.pairs // 8))
            reported += [f"record, {name:<20}{1e3 * theirs:8.2f} ms  {theirs / own:.2f} times Sverdrup"]
        except ImportError as reason:
            reported += [f"record, {name:<20}left out: {reason}"]
    if COMM.rank == 0:
        print("\n".join(reported))
        for name in ("put.nc", "put4.nc", "putp.nc"):
            Path(given.folder, name).unlink(missing_ok=True)


if __name__ == "__main__":
    main()
