"""Each row of the table "From netCDF4-python" in docs/python.md: both libraries do the same."""

import re
from pathlib import Path

import netCDF4
import numpy as np
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs/python.md"
SECTION = re.search(r"^### From netCDF4-python$(.*?)^## ", PAGE.read_text(encoding="utf-8"), re.M | re.S)
ROWS = re.findall(r"^\| `(.*?)` \| ", SECTION[1], re.M) if SECTION else []
FIELD = np.arange(12, dtype="f4").reshape(3, 4)
TESTS = {}


def row(idiom):
    """Registers the test of a row, under the code of its first cell."""

    def keep(test):
        TESTS[idiom] = test
        return test

    return keep


class Pair:
    """A file of netCDF4-python for each rank, and one of Sverdrup."""

    def __init__(self, comm, io):
        self.io = io
        self.theirs_path, self.ours_path = f"theirs{comm.rank}.nc", "ours.nc"
        self.theirs = netCDF4.Dataset(self.theirs_path, "w")
        self.ours = io.create(self.ours_path, format="netcdf4")

    def define(self):
        for name, length in {"t": None, "x": 4}.items():
            self.theirs.createDimension(name, length)
            self.ours.def_dim(name, length)
        return (
            self.theirs.createVariable("v", "f4", ("t", "x"), fill_value=9),
            self.ours.def_var("v", "f4", ("t", "x"), fill=9),
        )

    def fill(self):
        """All of it by rank 0; the other ranks have no cells."""
        theirs, ours = self.define()
        self.ours.enddef()
        theirs[0:3] = FIELD
        if self.io.rank == 0:
            ours[0:3] = FIELD
        else:
            ours.put_vara(None)
        self.io.end_step()
        return theirs, ours

    def close(self):
        self.theirs.close()
        self.ours.close()


def same(theirs, ours):
    np.testing.assert_array_equal(np.asarray(theirs), np.asarray(ours))


@row('d = Dataset("x.nc", "w")')
def make(pair):
    pair.define()
    pair.ours.enddef()
    pair.close()
    assert netCDF4.Dataset(pair.ours_path).data_model == "NETCDF4"


@row('d = Dataset("x.nc")`, `Dataset("x.nc", "a")')
def open_again(pair):
    pair.fill()
    pair.close()
    with netCDF4.Dataset(pair.theirs_path) as theirs, pair.io.open(pair.ours_path) as ours:
        same(theirs["v"][...], ours["v"][...])
    with netCDF4.Dataset(pair.theirs_path, "a") as theirs, pair.io.open(pair.ours_path, "a") as ours:
        theirs["v"][3] = FIELD[0]
        if pair.io.rank == 0:
            ours["v"][3] = FIELD[0]
        else:
            ours["v"].put_vara(None)
        pair.io.end_step()
        same(theirs["v"][3], ours["v"][3])


@row('d.createDimension("t", None)')
def dimension(pair):
    pair.theirs.createDimension("t", None)
    pair.ours.def_dim("t", None)
    pair.ours.enddef()
    assert "t" in pair.theirs.dimensions and "t" in pair.ours.dimensions


@row('v = d.createVariable("v", "f4", ("t", "x"), fill_value=9)')
def variable(pair):
    theirs, ours = pair.define()
    pair.ours.enddef()
    assert theirs._FillValue == ours.fill_value() == 9


@row('d.createVariable("v", "f4", ("t", "x"), zlib=True, complevel=4, chunksizes=(1, 4))')
def storage(pair):
    pair.define()
    words = {"zlib": True, "complevel": 4, "chunksizes": (1, 4)}
    theirs = pair.theirs.createVariable("w", "f4", ("t", "x"), **words)
    ours = pair.ours.def_var("w", "f4", ("t", "x"), **words)
    pair.ours.enddef()
    assert theirs.chunking() == [1, 4] and tuple(ours.chunks) == (1, 4)
    for word in ("zlib", "complevel", "shuffle"):
        assert theirs.filters()[word] == ours.filters()[word]


@row('v.units = "m"`, `d.title = "..."')
def attributes(pair):
    for file, v in zip((pair.theirs, pair.ours), pair.define(), strict=True):
        v.units, file.title = "m", "a title"
    pair.ours.enddef()
    assert pair.theirs["v"].units == pair.ours["v"].units == "m"
    assert pair.theirs.title == pair.ours.title == "a title"


@row('d["v"]`, `d.variables["v"]`, `d.dimensions["x"]')
def names(pair):
    pair.define()
    pair.ours.enddef()
    assert list(pair.theirs.variables) == list(pair.ours.variables) == ["v"]
    assert pair.theirs["v"].name == pair.ours["v"].name == pair.ours.variables["v"].name
    assert len(pair.theirs.dimensions["x"]) == pair.ours.dimensions["x"] == 4


@row("v[0] = data`, `v[:, 3]`, `v[...]")
def values(pair):
    theirs, ours = pair.fill()
    for index in (0, (slice(None), 3), ..., -1, slice(0, 3, 2)):
        same(theirs[index], ours[index])


@row("len(v)`, `v.shape`, `v.ndim`, `v.dtype`, `v.dimensions")
def shape(pair):
    theirs, ours = pair.fill()
    assert len(theirs) == len(ours)
    for name in ("shape", "ndim", "dtype", "dimensions"):
        assert getattr(theirs, name) == getattr(ours, name)


@row('v.ncattrs()`, `v.getncattr("units")')
def listed(pair):
    for v in pair.define():
        v.units = "m"
    pair.ours.enddef()
    theirs, ours = pair.theirs["v"], pair.ours["v"]
    assert set(theirs.ncattrs()) - {"_FillValue"} == set(ours.attributes) - {"_FillValue"}
    assert theirs.getncattr("units") == ours.attributes["units"]


@row("d.sync()`, `d.close()`, `with Dataset(...) as d")
def ending(pair):
    pair.fill()
    pair.theirs.sync()
    pair.ours.sync()
    pair.close()
    with netCDF4.Dataset(pair.theirs_path) as theirs, netCDF4.Dataset(pair.ours_path) as ours:
        same(theirs["v"][...], ours["v"][...])


def test_each_row_has_a_test():
    assert ROWS == list(TESTS)


@pytest.mark.parametrize("idiom", TESTS)
def test_both_do_the_same(comm, io, idiom):
    pair = Pair(comm, io)
    TESTS[idiom](pair)
    if pair.theirs.isopen():
        pair.close()
