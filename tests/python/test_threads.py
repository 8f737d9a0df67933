"""Threads of Python: the calls on a context are made one after the other, with every store; a file may be closed
while another thread uses it."""

import pytest

HEAD = """
import pickle, sys, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from mpi4py import MPI
import sverdrup

EXPECTED = np.arange(60.0).reshape(6, 10)

def make(path, **settings):
    with sverdrup.Context(MPI.COMM_SELF, **settings) as io, io.create(path) as file:
        file.def_dim("time", None)
        file.def_dim("x", 10)
        v = file.def_var("v", "f8", ["time", "x"], units="m")
        file.enddef()
        for n in range(6):
            v.put_var(EXPECTED[n], n)
            io.end_step()

def all_at_once(action, threads=8):
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(action, k) for k in range(threads)]:
            done.result()
"""
# Contexts of one rank, each used by one thread.
OWN = """
make("own.nc", store=sys.argv[1])
def use(k):
    for n in range(10):
        with sverdrup.Context(MPI.COMM_SELF) as io, io.open("own.nc") as file:
            assert file["v"].attributes["units"] == "m" and file["v"].shape == (6, 10)
            assert np.array_equal(file["v"].get_vara([0, 0], [6, 10]), EXPECTED)
        make(f"own{k}.nc", store=sys.argv[1])
all_at_once(use)
"""
# One context and one file, used by all.
SHARED = """
make("shared.nc", store=sys.argv[1])
with sverdrup.Context(MPI.COMM_SELF) as io, io.open("shared.nc") as file:
    def use(k):
        for n in range(40):
            assert np.array_equal(file["v"].get_var(n % 6), EXPECTED[n % 6])
            assert dict(file["v"].attributes) == {"units": "m"} and list(file.dimensions) == ["time", "x"]
            io.decomp((4, 4), (0, 0), (4, 4)).free()
    all_at_once(use)
"""
# A closed object is an error, not a crash.
CLOSED = """
make("closed.nc", store=sys.argv[1])
def use(io, file):
    try:
        while True:
            v = file["v"]
            assert np.array_equal(v.get_var(2), EXPECTED[2]) and repr(v)
    except (sverdrup.Error, KeyError) as error:
        assert "closed" in str(error), error
for n in range(10):
    with sverdrup.Context(MPI.COMM_SELF) as io:
        file = io.open("closed.nc")
        with ThreadPoolExecutor(4) as pool:
            users = [pool.submit(use, io, file) for _ in range(4)]
            file["v"].get_var(1)
            file.close()
        for each in users:
            each.result()
"""


@pytest.mark.parametrize("store", ["cdf", "netcdf4"])
def test_threads(alone, store):
    alone(HEAD + OWN + SHARED + CLOSED, store)
