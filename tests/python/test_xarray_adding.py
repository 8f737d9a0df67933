"""The accessor of xarray adds to files: records, variables, regions; and writes what dask computes in parts."""

import resource
import shutil
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

xr = pytest.importorskip("xarray")
pytest.importorskip("cftime")

from sverdrup.xarray import Backend, streaming  # noqa: E402

STORES = ["cdf5", "netcdf4", "zarr"]
NY = 6


def whole(first, count):
    """Records from the number `first` on: a day each."""
    times = np.datetime64("2000-01-01", "ns") + np.arange(first, first + count) * np.timedelta64(1, "D")
    values = np.arange(first * NY, (first + count) * NY, dtype="f8").reshape(count, NY)
    return xr.Dataset({"v": (("time", "y"), values), "mask": ("y", np.arange(NY) > 2)}, {"time": times})


def mine(dataset, comm):
    start, count = sverdrup.block(NY, comm.size, comm.rank)
    return dataset.isel(y=slice(start, start + count)), {"y": (start, NY)}


def write(dataset, path, comm, **words):
    part, places = mine(dataset, comm)
    part.sverdrup.write(path, places, comm=comm, **words)
    comm.barrier()


def read(path):
    with xr.open_dataset(path, engine=Backend) as found:
        return found.load()


def absent(path, comm):
    """The path, where no earlier run has left a file."""
    if comm.rank == 0:
        shutil.rmtree(path, ignore_errors=True)
        Path(path).unlink(missing_ok=True)
    comm.barrier()
    return path


@pytest.fixture(params=STORES)
def path(request, comm):
    return absent(f"added.{request.node.name.partition('[')[0]}.{request.param}", comm)


def form(path):
    return path.rpartition(".")[2]


def test_records_are_added(comm, path):
    """In the units of the file, also if the dataset has others."""
    first = whole(0, 3)
    first["time"].encoding["units"] = "hours since 1999-12-31"
    write(first, path, comm, format=form(path), append_dim="time")  # there is no file yet
    more = whole(3, 2)
    more["time"].encoding["units"] = "days since 2000-01-04"
    write(more.drop_vars("mask"), path, comm, append_dim="time")
    found = read(path)
    xr.testing.assert_equal(found, whole(0, 5))
    assert found["time"].encoding["units"] == "hours since 1999-12-31" and found.encoding["unlimited_dims"] == {"time"}


def test_records_that_are_divided_are_added(comm, path):
    write(whole(0, 2), path, comm, format=form(path), unlimited="time")
    start, count = sverdrup.block(5, comm.size, comm.rank)
    part = whole(2, 5).isel(time=slice(start, start + count)).drop_vars("mask")
    part.sverdrup.write(path, {"time": (start, 5)}, comm=comm, append_dim="time")
    comm.barrier()
    xr.testing.assert_equal(read(path), whole(0, 7))


def test_variables_are_added_and_replaced(comm, path):
    write(whole(0, 2), path, comm, format=form(path), unlimited="time")
    other = xr.Dataset({"w": (("time", "y"), np.ones((2, NY))), "mask": ("y", np.zeros(NY, bool))})
    other.attrs["title"] = "two"
    write(other, path, comm, mode="a")
    found = read(path)
    assert found.attrs["title"] == "two" and (found["w"] == 1).all() and not found["mask"].any()
    xr.testing.assert_equal(found["v"], whole(0, 2)["v"])
    write(other[["w"]] * 3, path, comm, mode="r+")
    assert (read(path)["w"] == 3).all()
    with pytest.raises(ValueError, match="no variable 'ww'. The nearest one is 'w'"):
        write(other.rename(w="ww"), path, comm, mode="r+")


def test_times_that_cannot_be_decoded_are_numbers(comm, path):
    made = xr.Dataset({"t": ("n", [1.0, 2.0]), "h": ("n", [3.0, 4.0], {"units": "hours"})})
    made["t"].attrs["units"] = "days since never"
    made.sverdrup.write(path, comm=comm, format=form(path), unlimited="n")
    comm.barrier()
    made.sverdrup.write(path, comm=comm, append_dim="n")
    comm.barrier()
    with xr.open_dataset(path, engine=Backend, decode_cf=False) as found:
        assert found["t"].values.tolist() == [1, 2, 1, 2] and found["h"].values.tolist() == [3, 4, 3, 4]


def test_several_unlimited_dimensions(comm):
    made = xr.Dataset({"v": (("time", "x"), np.arange(6.0).reshape(2, 3)), "x": [1, 2, 3]})
    start, count = sverdrup.block(3, comm.size, comm.rank)
    part = made.isel(x=slice(start, start + count))
    part.sverdrup.write("several.nc", {"x": (start, 3)}, comm=comm, format="netcdf4", unlimited=["time", "x"])
    comm.barrier()
    with xr.open_dataset("several.nc", engine="netcdf4") as found:
        assert found.encoding["unlimited_dims"] == {"time", "x"}
        xr.testing.assert_equal(found.load(), made)
    with pytest.raises(ValueError, match="'x' is a second record dimension"):
        made.sverdrup.write("several.cdf", comm=comm, format="cdf2", unlimited=["time", "x"])


def test_text_is_added(comm, path):
    """With the characters that the file has."""

    def named(first, *names):
        return xr.Dataset({"name": ("time", list(names))}, {"time": np.arange(first, first + len(names))})

    named(0, "abc", "é").sverdrup.write(path, comm=comm, format=form(path), unlimited="time")
    comm.barrier()
    named(2, "x").sverdrup.write(path, comm=comm, append_dim="time")
    comm.barrier()
    assert read(path)["name"].values.tolist() == ["abc", "é", "x"]
    with pytest.raises(ValueError, match="variable 'name': 4 characters, and the file has 3 for a text"):
        named(3, "abcd").sverdrup.write(path, comm=comm, append_dim="time")


def test_a_region_is_filled(comm, path):
    write(whole(0, 4), path, comm, format=form(path), unlimited="time")
    part = whole(10, 2)[["v"]].drop_vars("time")
    write(part, path, comm, region={"time": slice(1, 3)})
    expected = whole(0, 4)
    expected["v"][1:3] = part["v"].values
    xr.testing.assert_equal(read(path), expected)
    comm.barrier()  # rank 0 writes alone, when all ranks have read
    if comm.rank == 0:
        part.isel(y=slice(2, 4), time=[0]).sverdrup.write(
            path, comm=MPI.COMM_SELF, region={"time": slice(3, 4), "y": slice(-2, None)}
        )
    comm.barrier()
    expected["v"][3, -2:] = part["v"].values[0, 2:4]
    xr.testing.assert_equal(read(path), expected)


def test_what_cannot_be_added(comm):
    path = "refused.nc"
    write(whole(0, 2), path, comm, unlimited="time")
    more = whole(2, 2)
    for words, found in (
        ({"mode": "x"}, "mode 'x': it is one of 'w', 'w-', 'a', "),
        ({"append_dim": "times"}, "no dimension 'times'. The nearest one is 'time'"),
        ({"append_dim": "time", "mode": "w"}, "append_dim needs mode='a'"),
        ({"append_dim": "y"}, "'y' has a fixed length in the file. The file's record dimension is 'time'"),
        ({"region": {"time": slice(0, 1)}}, "region: .* for 2 cells of 'time', which has 2"),
        ({"region": {"z": slice(0, 1)}}, "no dimension 'z'"),
        ({"append_dim": "time", "encoding": {"v": {"dtype": "f4"}}}, "has variable 'v' already"),
    ):
        with pytest.raises(ValueError, match=found):
            write(more, path, comm, **words)
    with pytest.raises(ValueError, match="Unable to update size for existing dimension 'time'"):
        write(whole(2, 3), path, comm, mode="a")
    with pytest.raises(ValueError, match="and in the file"):
        write(more.transpose(), path, comm, append_dim="time")
    with pytest.raises(TypeError, match="where a slice is expected"):
        write(more, path, comm, region={"time": "auto"})
    with pytest.raises(FileExistsError):
        write(more, path, comm, mode="w-")
    with pytest.raises(FileNotFoundError):
        write(more, "nowhere.nc", comm, mode="r+")
    xr.testing.assert_equal(read(path), whole(0, 2))


def test_records_are_added_in_a_context(comm):
    """Behind what its threads still write."""
    absent("context.nc", comm)
    with sverdrup.Context(comm, async_="threads") as io:
        for first in range(3):
            part, places = mine(whole(first, 1), comm)
            part = part if first == 0 else part.drop_vars("mask")
            part.sverdrup.write("context.nc", places, context=io, append_dim="time")
    comm.barrier()
    xr.testing.assert_equal(read("context.nc"), whole(0, 3))


def test_what_dask_computes(comm, monkeypatch, path):
    """Ranks have different numbers of chunks and calls."""
    pytest.importorskip("dask")
    monkeypatch.setattr(streaming, "BATCH_BYTES", 100)
    lazy = whole(0, 5).chunk({"time": 1 + comm.rank, "y": 1})
    lazy["v"].encoding = {"dtype": "i4", "scale_factor": 0.5, "_FillValue": -1}
    write(lazy, path, comm, format=form(path), unlimited="time")
    xr.testing.assert_equal(read(path), whole(0, 5))


def test_memory_is_bounded(comm):
    """256 MiB that dask computes, in chunks of 4 MiB."""
    array = pytest.importorskip("dask.array")
    if comm.size > 1:
        pytest.skip("it is tried on one rank")
    lazy = xr.Dataset({"v": (("time", "x"), array.ones((64, 2**19), chunks=(1, 2**19)))})
    lazy.isel(time=slice(0, 1)).sverdrup.write("large.nc", comm=comm)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lazy.sverdrup.write("large.nc", comm=comm)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150 * 1024
