"""The files of the engine of xarray: in threads, more than a process may have open, in other processes, replaced."""

import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

xr = pytest.importorskip("xarray")
pytest.importorskip("cftime")

from sverdrup.xarray import Backend  # noqa: E402
from sverdrup.xarray.identity import identities  # noqa: E402

HEAD = """
import gc, os, resource, sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import xarray as xr

ENGINE = "sverdrup"

def make(count, store="cdf", cells=200):
    from mpi4py import MPI
    import sverdrup.xarray
    for k in range(count):
        values = np.arange(6.0 * cells).reshape(6, cells) + 10000 * k
        made = xr.Dataset({"v": (("time", "x"), values, {"units": "m"})}, {"time": np.arange(6.0) + 6 * k})
        if store == "netcdf4":  # of another program, whose files netCDF-C reads for the engine
            made.to_netcdf(f"f{k:03d}.nc", engine="netcdf4", unlimited_dims=["time"])
        else:
            made.sverdrup.write(f"f{k:03d}.nc", comm=MPI.COMM_SELF, unlimited="time", store=store)
"""
THREADS = """
def threads(store):
    make(4, store)
    def one(k):
        for _ in range(15):
            with xr.open_dataset(f"f{k % 4:03d}.nc", engine=ENGINE) as d:
                assert np.array_equal(d["v"].values, np.arange(1200.0).reshape(6, 200) + 10000 * (k % 4)), k
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(8)))
    with dask.config.set(scheduler="threads", num_workers=8):
        for _ in range(3):
            with xr.open_mfdataset("f*.nc", engine=ENGINE, parallel=True, combine="by_coords", chunks={"time": 2}) as d:
                assert d["v"].values.shape == (24, 200)
"""
# More than the process may have open, and than xarray keeps open: twice, so that files are closed and opened again.
MANY = """
def many():
    resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60))
    xr.set_options(file_cache_maxsize=8)
    make(60, cells=1)
    with xr.open_mfdataset("f*.nc", engine=ENGINE, combine="by_coords", chunks={}) as d:
        for _ in range(2):
            assert d["v"].sum().values == sum(15.0 + 60000.0 * k for k in range(60))
    before = len(os.listdir("/proc/self/fd"))
    for k in range(40):
        assert float(xr.open_dataset("f000.nc", engine=ENGINE)["v"][0, 0]) == 0.0  # not closed, but collected
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before + 4
"""
PROCESSES = """
def processes():
    make(1)
    d = xr.open_dataset("f000.nc", engine=ENGINE, chunks={"time": 2})
    os.mkdir("elsewhere")
    os.chdir("elsewhere")
    with dask.config.set(scheduler="processes", num_workers=2):
        assert np.array_equal(d["v"].compute().values, np.arange(1200.0).reshape(6, 200))
    d.close()
    os.chdir("..")
"""
MAIN = """
if __name__ == "__main__":  # each of dask's processes imports this module
    import dask
    for store in ("cdf", "netcdf4"):
        threads(store)
    processes()
    many()
"""


def test_files(alone):
    """In one process, most of whose time is importing."""
    pytest.importorskip("dask")
    alone(HEAD + THREADS + MANY + PROCESSES + MAIN)


def make(path, value):
    xr.Dataset({"v": ("x", np.full(4, value))}).sverdrup.write(path, comm=MPI.COMM_SELF)


def test_a_pickled_dataset_is_read_again(comm):
    path = f"pickled.{comm.rank}.nc"
    make(path, 3.0)
    with xr.open_dataset(path, engine=Backend, options={"durability": "written"}) as read:
        kept = pickle.dumps(read)
        same = pickle.loads(kept)
        assert not same["v"]._in_memory and same["v"].values.tolist() == [3.0] * 4
    with pickle.loads(kept) as later:  # the file is closed, and opened again
        assert later["v"].values.tolist() == [3.0] * 4
    with xr.open_dataset("pickled.0.nc", engine=Backend, comm=comm) as together:
        if comm.size > 1:
            with pytest.raises(TypeError, match="belongs to its process"):
                pickle.dumps(together)
        else:
            pickle.dumps(together)


def test_another_file_of_the_name_is_not_read(comm):
    """After the file of the dataset was closed to make room for others."""
    path = f"replaced.{comm.rank}.nc"
    make(path, 1.0)
    with xr.open_dataset(path, engine=Backend) as read:
        later = pickle.loads(pickle.dumps(read))
        make(path, 2.0)
        assert read["v"].values.tolist() == [1.0] * 4
    with pytest.raises(sverdrup.FormatError, match="another file has this name"):
        later["v"].load()


def test_another_file_of_the_same_number_is_not_read(comm):
    """ext4 gives the number of a file that is gone to the next one."""
    path = f"again.{comm.rank}.nc"
    make(path, 1.0)
    before = identities(path)
    for value in range(2, 8):
        make(path, value)
        assert not before <= identities(path)
    for name in "ts":
        make(f"of_{name}.{comm.rank}.nc", 1.0)
    before = identities(f"of_%v.{comm.rank}.nc")
    assert len(before) == 2 and before == identities(f"of_%v.{comm.rank}.nc")
    make(f"of_s.{comm.rank}.nc", 2.0)
    assert not before <= identities(f"of_%v.{comm.rank}.nc")


def test_a_file_that_grew_is_read_again(comm):
    path = f"grew.{comm.rank}.nc"
    made = xr.Dataset({"v": ("time", [1.0, 2.0])})
    made.sverdrup.write(path, comm=MPI.COMM_SELF, unlimited="time")
    with xr.open_dataset(path, engine=Backend) as read:
        later = pickle.loads(pickle.dumps(read))
    with sverdrup.Context(MPI.COMM_SELF) as io, io.open(path, "a") as file:
        file["v"].put_var(3.0, 2)
    assert later["v"].values.tolist() == [1.0, 2.0]


def test_a_dataset_that_cannot_be_decoded_leaves_no_file_open(comm):
    path = f"times.{comm.rank}.nc"
    made = xr.Dataset({"t": ("x", [1.0, 2.0], {"units": "days since never"})})
    made.sverdrup.write(path, comm=MPI.COMM_SELF)
    before = os.listdir("/proc/self/fd")
    for _ in range(3):
        with pytest.raises(ValueError, match="never"):
            xr.open_dataset(path, engine=Backend)
    assert len(os.listdir("/proc/self/fd")) <= len(before)
    assert Path(path).exists()
