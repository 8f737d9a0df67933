"""The engine and the accessor of xarray, on two ranks."""

from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

if MPI.COMM_WORLD.size != 2:
    pytest.skip("they are tried on two ranks", allow_module_level=True)
xr = pytest.importorskip("xarray")
pytest.importorskip("cftime")

from sverdrup.xarray import Backend  # noqa: E402


def whole():
    times = np.array(["2000-01-01", "2000-01-02", "2000-01-04"], "datetime64[ns]")
    rows, columns = np.arange(7.0), np.arange(10.0)
    values = np.arange(210.0).reshape(3, 7, 10)
    values[1, 2, 3] = np.nan
    return xr.Dataset(
        {
            "sst": (("time", "lat", "lon"), values, {"units": "degC"}),
            "count": (("lat",), np.arange(7, dtype="i4")),
            "name": (("lon",), np.array(list("abcdefghij"), dtype=object) + "xy"),
            "depth": ((), 5.5),
        },
        {"time": times, "lat": rows, "lon": columns},
        {"title": "An ocean"},
    )


@pytest.fixture
def written(comm):
    """Each rank holds some rows."""
    start, count = sverdrup.block(7, comm.size, comm.rank)
    mine = whole().isel(lat=slice(start, start + count))
    mine["sst"].encoding = {"dtype": "i2", "scale_factor": 0.5, "add_offset": 1.0, "_FillValue": -9}
    mine.sverdrup.write("parts.nc", {"lat": (start, 7)}, unlimited="time", combine="step", writers=1)
    return "parts.nc"


def test_what_is_written_is_what_xarray_reads(comm, written):
    if comm.rank == 0:
        with xr.open_dataset(written, engine="netcdf4") as read:
            expected = whole()
            xr.testing.assert_allclose(read, expected)
            assert read["sst"].attrs == {"units": "degC"} and read.attrs == {"title": "An ocean"}
            assert read["sst"].encoding["dtype"] == np.int16 and read.encoding["unlimited_dims"] == {"time"}
    comm.barrier()


def test_the_engine_reads_what_xarray_reads(comm, written):
    with xr.open_dataset(written, engine="sverdrup") as read:  # each rank by itself, in any order; the entry point
        if comm.rank == 0:
            with xr.open_dataset(written, engine="netcdf4") as same:
                xr.testing.assert_identical(read.load(), same.load())
    with xr.open_dataset(written, engine=Backend, comm=comm) as together:
        start, count = sverdrup.block(7, comm.size, comm.rank)
        sst = together["sst"]
        assert not sst._in_memory
        mine = sst.isel(lat=slice(start, start + count), lon=slice(None, None, -3), time=0).values
        np.testing.assert_array_equal(mine, whole()["sst"].values[0, start : start + count, ::-3])
        assert together["depth"].values == 5.5
        np.testing.assert_array_equal(sst.isel(lat=[5, 0], time=2).values, whole()["sst"].values[2, [5, 0]])


def test_times_that_are_divided(comm):
    start, count = sverdrup.block(3, comm.size, comm.rank)
    mine = whole()[["sst"]].isel(time=slice(start, start + count))
    with pytest.raises(sverdrup.DefinitionError):  # every rank counts from its first
        mine.sverdrup.write("times.nc", {"time": (start, 3)})
    mine["time"].encoding["units"] = "days since 2000-01-01"
    mine.sverdrup.write("times.nc", {"time": (start, 3)}, unlimited="time")
    comm.barrier()
    with xr.open_dataset("times.nc", engine=Backend) as read:
        xr.testing.assert_equal(read["sst"].load(), whole()["sst"])


def test_parts_of_ranks_that_serve(comm):
    start, count = sverdrup.block(7, comm.size, comm.rank)
    mine = whole().isel(lat=slice(start, start + count))
    with pytest.raises(sverdrup.LayoutError, match="ranks that serve hold parts"):
        mine.sverdrup.write("lost.nc", {"lat": (start, 7)}, comm=comm, async_="servers:1")
    assert not Path("lost.nc").exists()
    with sverdrup.Context(comm, async_="servers:1") as io:
        if io.is_model:
            with pytest.raises(TypeError, match="pass it alone"):
                whole().sverdrup.write("served.nc", context=io, writers=1)
            start, count = sverdrup.block(7, io.size, io.rank)
            whole().isel(lat=slice(start, start + count)).sverdrup.write("served.nc", {"lat": (start, 7)}, context=io)
    comm.barrier()
    with xr.open_dataset("served.nc", engine=Backend) as read:
        xr.testing.assert_equal(read["sst"].load(), whole()["sst"])


def test_dask_and_pieces(comm):
    pytest.importorskip("dask")
    start, count = sverdrup.block(7, comm.size, comm.rank)
    field = np.arange(70.0).reshape(7, 10)
    with sverdrup.Context(comm, route="per_pe") as io, io.create("pieces.nc") as file:
        grid = io.decomp((7, 10), (start, 0), (count, 10))
        file.def_dim("lat", 7)
        file.def_dim("lon", 10)
        v = file.def_var("v", "f8", ["lat", "lon"])
        file.enddef()
        v.put(field[start : start + count], grid)
    comm.barrier()
    assert Path("pieces.nc.0001").exists() and not Path("pieces.nc").exists()
    with xr.open_dataset("pieces.nc", engine=Backend, chunks={"lat": 2}) as read:
        np.testing.assert_array_equal((read["v"] * 2).compute(), field * 2)
    with pytest.raises(sverdrup.NotFoundError):
        xr.open_dataset("none.nc", engine=Backend)


def test_a_growing_file(comm, io):
    with io.create("grows.nc", kind="growing") as file:
        file.def_dim("time", None)
        v = file.def_var("v", "f8", ["time"])
        file.enddef()
        for n in range(3):
            v.put_var(float(n), n)
            io.end_step()
            comm.barrier()
            with xr.open_dataset("grows.nc", engine=Backend) as read:
                assert read["v"].values.tolist() == list(range(n + 1))
            comm.barrier()
