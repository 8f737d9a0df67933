"""Formats have the same names in `create`, in the configuration and in the accessor of xarray."""

from pathlib import Path

import numpy as np
import pytest

import sverdrup

FORMATS = {"auto": 2, "cdf1": 1, "cdf2": 2, "cdf5": 5, "netcdf4": 3, "netcdf4_classic": 4}


def write(io, path, **words):
    with io.create(path, **words) as file:
        file.def_dim("x", 3)
        v = file.def_var("v", "f4", ["x"])
        file.enddef()
        v.put_var(np.arange(3, dtype="f4"))
        return file.format


@pytest.mark.parametrize("name", FORMATS)
def test_formats(comm, io, name):
    assert write(io, f"by_call.{name}.nc", format=name) == FORMATS[name]
    with sverdrup.Context(comm, format=name) as other:
        assert write(other, f"by_key.{name}.nc") == FORMATS[name]


def test_zarr(comm, io):
    """By its name, the keyword or the key; the keyword counts more than the name, and so does the key."""
    write(io, "by_name.zarr")
    write(io, "by_call", format="zarr")
    assert write(io, "by_call.zarr", format="cdf5") == 5
    with sverdrup.Context(comm, format="zarr") as other:
        write(other, "by_key")
    with sverdrup.Context(comm, format="cdf2") as other:
        assert write(other, "by_key.zarr") == 2
    comm.barrier()
    for path in ("by_name.zarr", "by_call", "by_key"):
        assert (Path(path) / "zarr.json").exists()
        with io.open(path) as file:
            assert file["v"][:].tolist() == [0, 1, 2]
    for path in ("by_call.zarr", "by_key.zarr"):
        assert Path(path).is_file()


def test_zarr_of_servers(comm):
    if comm.size == 1:
        pytest.skip("a rank serves")
    with sverdrup.Context(comm, async_="servers:1") as io:
        if io.is_model:
            write(io, "served.zarr")
    comm.barrier()
    assert (Path("served.zarr") / "zarr.json").exists()


def test_zarr_of_xarray(comm):
    xr = pytest.importorskip("xarray")
    pytest.importorskip("sverdrup.xarray")
    xr.Dataset({"v": ("x", [1.0, 2.0])}).sverdrup.write("by_accessor.zarr", comm=comm)
    comm.barrier()
    with xr.open_dataset("by_accessor.zarr", engine="sverdrup") as read:
        assert read["v"].values.tolist() == [1.0, 2.0] and Path("by_accessor.zarr").is_dir()


def test_an_unknown_format(io):
    with pytest.raises(ValueError, match="format 'cdf4': it is one of 'auto', 'cdf1'.*The nearest one is 'cdf"):
        io.create("x.nc", format="cdf4")


@pytest.mark.parametrize("name", ["cdf5", "netcdf4", "zarr"])
def test_a_file_that_is_opened_again_is_as_it_is_now(io, name):
    """Though it is open for reading already: HDF5 remembers a file for as long as one opening of it lasts."""
    path = f"again.{name}"
    with io.create(path, format=name) as file:
        file.def_dim("time", None)
        file.def_var("v", "f8", ["time"])
        file.enddef()
        file["v"].put_var(1.0, record=0)
    before = io.open(path)
    assert before["v"][:].tolist() == [1]
    with io.open(path, "a") as file:
        file["v"].put_var(2.0, record=1)
        file.redef()
        file.def_var("w", "f8", ["time"])
        file.enddef()
        file["w"].put_var(3.0, record=1)
    with io.open(path) as after:
        assert (list(after), after.records, after["v"][:].tolist(), after["w"][1]) == (["v", "w"], 2, [1, 2], 3)
    before.close()
