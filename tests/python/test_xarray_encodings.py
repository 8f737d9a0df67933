"""Encodings of the accessor of xarray: obeyed, or refused by name."""

import warnings

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

xr = pytest.importorskip("xarray")

from sverdrup.xarray import Backend, storage  # noqa: E402


def dataset(**encoding):
    made = xr.Dataset({"v": ("x", np.arange(12.0))})
    made["v"].encoding = encoding
    return made


def write(made, path, **words):
    made.sverdrup.write(path, comm=MPI.COMM_SELF, **words)


@pytest.fixture
def path(comm, request):
    return f"{request.node.name.partition('[')[0]}.{comm.rank}.nc"


def test_an_encoding_that_is_passed(path):
    write(dataset(), path, encoding={"v": {"dtype": "i2", "scale_factor": 0.5, "_FillValue": -1, "zlib": False}})
    with xr.open_dataset(path, engine=Backend) as read:
        assert read["v"].encoding["dtype"] == np.int16 and read["v"].values[3] == 3.0
    for words, found in (({"zlb": True}, "'zlb'. The nearest one is 'zlib'"), ({"filters": [1]}, "no 'filters'")):
        with pytest.raises(ValueError, match=found):
            write(dataset(), path, encoding={"v": words})
    with pytest.raises(KeyError, match="no variable 'u'"):
        write(dataset(), path, encoding={"u": {}})
    with pytest.raises(ValueError, match="variable 'v': encoding zlib is not possible: CDF files have neither"):
        write(dataset(), path, encoding={"v": {"zlib": True}})
    with pytest.warns(UserWarning, match="variable 'v': zlib: no effect"):  # of another file
        write(dataset(zlib=True, complevel=4), path)


def test_an_encoding_of_another_file(path):
    with pytest.warns(UserWarning, match=r"not obeyed: .*szip \(v\)"):
        write(dataset(szip=True), path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked_for_nothing = {"zlib": False, "shuffle": False, "complevel": 0, "contiguous": True, "chunksizes": None}
        write(dataset(source="x.nc", original_shape=(12,), endian="native", **asked_for_nothing), path)
        write(dataset(chunksizes=(30,), original_shape=(30,)), path)


STORED = [{"zlib": True}, {"compression": "zstd", "shuffle": False}, {"fletcher32": True}]


@pytest.mark.parametrize("words", STORED, ids=str)
def test_a_file_that_is_read_and_written_keeps_its_storage(path, words):
    words = words if "fletcher32" in words else words | {"complevel": 3}
    write(dataset(), path, encoding={"v": {"chunksizes": (4,), **words}}, format="netcdf4")
    with xr.open_dataset(path, engine=Backend) as read:
        write(read, f"again.{path}", format="netcdf4")
    with sverdrup.Context(MPI.COMM_SELF) as io, io.open(path) as before, io.open(f"again.{path}") as after:
        assert after["v"].chunks == (4,) and after["v"].filters() == before["v"].filters()
        assert {word: after["v"].filters().get(word, value) for word, value in words.items()} == words


def test_an_empty_dimension_is_not_unlimited(path):
    empty = xr.Dataset({"v": (("x", "y"), np.zeros((0, 3)))})
    with pytest.raises(sverdrup.LimitError, match="dimension 'x': its length is 0"):
        write(empty, path)
    write(empty, path, unlimited="x")
    with xr.open_dataset(path, engine=Backend) as read:
        assert read.sizes == {"x": 0, "y": 3} and read.encoding["unlimited_dims"] == {"x"}


@pytest.mark.parametrize("original, sizes, asked", [((12,), (5,), True), ((13,), (5,), False), ((12,), (13,), False)])
def test_chunks_of_another_shape_are_not_asked_for(original, sizes, asked):
    """By the lengths in the file, not by those of a rank's part."""
    part = dataset(chunksizes=sizes, original_shape=original).isel(x=slice(0, 3))
    found, warning = storage.inherited(part.variables, {"x": 12})
    assert ("chunksizes (v)" in warning or "chunksizes" in found["v"]) == asked
