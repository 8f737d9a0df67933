"""Sverdrup and xarray add records to the same Zarr group, one after the other."""

import shutil

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

if MPI.COMM_WORLD.size != 2:
    pytest.skip("they are tried on two ranks", allow_module_level=True)
xr = pytest.importorskip("xarray")
zarr = pytest.importorskip("zarr", minversion="3")

COMM = MPI.COMM_WORLD
GROUP = "shared_with_xarray.zarr"


def on_first(action):
    if COMM.rank == 0:
        action()
    COMM.barrier()


def write(io, records):
    with io.create(GROUP) as file:
        file.def_dim("time", None)
        file.def_dim("x", 2)
        file.def_var("v", "f4", ["time", "x"])
        file.def_var("fixed", "i2", ["x"])
        file.enddef()
        for record in records:
            file["v"].put_var(np.full(2, record, "f4"), record)
            io.end_step()


def add_with_xarray(values):
    data = xr.Dataset({"v": (("time", "x"), np.array([[value, value] for value in values], "f4"))})
    data.to_zarr(GROUP, append_dim="time", zarr_format=3)


def test_both_append():
    on_first(lambda: shutil.rmtree(GROUP, ignore_errors=True))
    with sverdrup.Context(COMM, store="zarr") as io:
        write(io, range(3))
        on_first(lambda: add_with_xarray([3, 4]))
        with io.open(GROUP, "a") as file:
            assert file.record_dimension == "time" and dict(file.dimensions) == {"time": 5, "x": 2}
            file["v"].put_var(np.full(2, 5, "f4"), 5)
            io.end_step()
        on_first(lambda: add_with_xarray([6]))
        with io.open(GROUP) as file:
            assert [file["v"].get_var(n)[1] for n in range(7)] == list(range(7))
    if COMM.rank == 0:
        with xr.open_zarr(GROUP, chunks=None) as data:
            np.testing.assert_array_equal(data["v"][:, 0], np.arange(7))
            assert set(data.variables) == {"v", "fixed"}


def test_what_is_not_consolidated_is_not_removed():
    on_first(lambda: shutil.rmtree(GROUP, ignore_errors=True))
    with sverdrup.Context(COMM, store="zarr") as io:
        write(io, range(2))
        on_first(lambda: zarr.open_array(GROUP + "/v", mode="a").append(np.full((2, 2), 3, "f4")))
        with pytest.raises(sverdrup.Error, match="consolidate_metadata"):
            io.open(GROUP, "a")
        on_first(lambda: zarr.consolidate_metadata(GROUP))
        with io.open(GROUP, "a") as file:
            assert dict(file.dimensions)["time"] == 4
            assert file["v"].get_var(3)[0] == 3


def test_what_others_know_stays():
    """A group of xarray that is opened for writing keeps groups inside, what Sverdrup cannot read, and attributes."""
    on_first(lambda: shutil.rmtree(GROUP, ignore_errors=True))

    def make():
        nested = {"nested": {"a": [1, {"b": None}]}}
        xr.Dataset({"v": (("x",), np.arange(3, dtype="i4"), nested)}).to_zarr(GROUP, zarr_format=3)
        root = zarr.open_group(GROUP, mode="a", use_consolidated=False)
        root.create_array("half", shape=(3,), dtype="f2", dimension_names=("x",))[:] = 2
        root.create_group("inner").create_array("deep", shape=(2,), dtype="i4")[:] = 7
        root.attrs.update({"about": {"this": [1, 2]}})
        zarr.consolidate_metadata(GROUP)

    on_first(make)
    with sverdrup.Context(COMM) as io, io.open(GROUP, "a") as file:
        file["v"].put_var(np.array([4, 5, 6], "i4"))
    if COMM.rank == 0:
        root = zarr.open_group(GROUP, mode="r")
        assert root.attrs["about"] == {"this": [1, 2]} and root["v"].attrs["nested"] == {"a": [1, {"b": None}]}
        assert list(root["v"][:]) == [4, 5, 6] and root["half"][1] == 2 and root["inner/deep"][0] == 7
        assert set(root.array_keys()) == {"v", "half"} and set(root.group_keys()) == {"inner"}
