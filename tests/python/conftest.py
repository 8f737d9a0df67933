"""Every rank runs every test, in one folder; files are looked at by rank 0, with netCDF4."""

import os
import subprocess
import sys

import netCDF4
import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

NY, NX = 7, 10


@pytest.fixture
def comm():
    return MPI.COMM_WORLD


@pytest.fixture
def io(comm):
    with sverdrup.Context(comm) as made:
        yield made


@pytest.fixture
def grid(io):
    """Rows in blocks, with a halo of one row below and two columns on the left."""
    start, count = sverdrup.block(NY, io.size, io.rank)
    return io.decomp((NY, NX), (start, 0), (count, NX), halo=[(1, 0), (2, 0)])


@pytest.fixture
def field():
    """The whole field; `mine` fills this rank's array of it."""
    return np.arange(NY * NX, dtype="f8").reshape(NY, NX)


@pytest.fixture
def mine(grid, field):
    array = np.full(grid.extent, -99.0)
    rows = slice(grid.start[0], grid.start[0] + grid.count[0])
    array[grid.interior] = field[rows]
    return array


@pytest.fixture
def file(io, request):
    """A file in define mode with the dimensions time, lat, lon."""
    made = io.create(f"{request.node.name.replace('[', '_').replace(']', '')}.nc")
    made.def_dim("time", None)
    made.def_dim("lat", NY)
    made.def_dim("lon", NX)
    return made


@pytest.fixture
def read(comm):
    """The contents of a file, on every rank."""

    def look(path, name):
        values = None
        if comm.rank == 0:
            with netCDF4.Dataset(path) as data:
                data.set_auto_mask(False)
                values = data[name][...]
        return comm.bcast(values)

    return look


@pytest.fixture
def own_job():
    """The environment of a process that is no rank of the tests' job."""
    ours = ("OMPI_", "PMIX_", "PMI_", "PRTE_", "ORTE_", "HYDI_")
    return {key: value for key, value in os.environ.items() if not key.startswith(ours) or "ALLOW_RUN_AS_ROOT" in key}


@pytest.fixture
def alone(comm, tmp_path, own_job):
    """Runs a script in a process and a folder of its own, which a crash would end. It is no rank of the tests' job."""
    if comm.size > 1:
        pytest.skip("it is run by one rank")

    def run(script, *arguments, stderr=False):
        path = tmp_path / "script.py"
        path.write_text(script, encoding="utf-8")
        command = [sys.executable, "-X", "faulthandler", str(path), *arguments]
        done = subprocess.run(command, env=own_job, cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stderr if stderr else done.stdout

    return run
