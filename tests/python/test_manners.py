"""The library behaves as others of Python: completion, help, errors that are Python's own, and `repr`."""

import errno
import logging
import os
import pickle
import pydoc
import re
import shutil
import subprocess

import numpy as np
import pytest

import sverdrup
from conftest import NX, NY
from sverdrup.library import errors


def test_the_names_are_shown():
    assert {"Context", "File", "Variable", "NotFoundError", "block"} <= set(dir(sverdrup))
    assert not {"Any", "TYPE_CHECKING", "importlib"} & set(dir(sverdrup))
    shown = pydoc.render_doc(sverdrup, renderer=pydoc.plaintext)
    assert "class Context(" in shown and "def_var(" in shown and "nanobind" not in shown


def test_names_of_a_file(file):
    v = file.def_var("v", "f4", ["lat"], units="m", **{"no name": 1})
    assert {"units", "put", "shape"} <= set(dir(v)) and "no name" not in dir(v)
    file.enddef()
    assert "v" in file and "w" not in file and 5 not in file and list(file) == ["v"] and len(file) == 1 and file
    file.close()
    assert not file and "put" in dir(v)


def test_what_repr_shows_is_what_ncdump_shows(io, comm, file):
    if shutil.which("ncdump") is None:
        pytest.skip("there is no ncdump")
    file.def_dim("2 x", 2)
    for number, dtype in enumerate("i1 S1 i2 i4 f4 f8".split()):
        v = file.def_var(f"v{number}", dtype, ["time", "lat"][: number % 3])
        if dtype == "S1":
            v.attributes.update({"a": 'a"b\\c\td\ne\n', "b": "\n", "c": "é x\n\ny", "d": ""})
        else:
            v.attributes.update({"a": np.array([1, 2], dtype), "b": np.array(7, dtype)})
    file.attributes.update({"x": [1.5, 1e30, -9999.0, 1e-7], "y": np.float32([0.1, np.nan, np.inf]), "a b": 5})
    file.enddef()
    v.put_var(np.ones(NY), 0)
    io.end_step()
    shown = repr(file).partition("\n")[2]
    assert repr(v).splitlines()[0] == f"<sverdrup.Variable v5(time=1, lat={NY}) of float64>"
    file.close()
    if comm.rank == 0:
        done = subprocess.run(["ncdump", "-h", file.path], capture_output=True, text=True, check=True)
        assert f"{shown}\n}}\n" == done.stdout.partition("\n")[2]


def test_errors_are_those_of_python(io, comm, file):
    v = file.def_var("sst", "f4", ["time", "lat"], units="m")
    for call, kind, found in (
        (lambda: file["sts"], KeyError, "no variable 'sts'. The nearest one is 'sst'"),
        (lambda: file.dimensions["time_"], KeyError, "no dimension 'time_'. The nearest one is 'time'"),
        (lambda: v.attributes["unit"], KeyError, "variable 'sst': there is no attribute 'unit'. The nearest one is"),
        (lambda: v.attributes.rename("unit", "u"), KeyError, "no attribute 'unit'"),
        (lambda: file.def_var("w", "f4", "lats"), KeyError, "The nearest one is 'lat'"),
        (lambda: file.def_dim(5, 3), TypeError, "the name of a dimension is 5, a int, where a text is expected"),
        (lambda: file.def_var(None, "f4"), TypeError, "the name of a variable is None"),
        (lambda: v.rename(7), TypeError, "its new name is 7"),
        (lambda: file.attributes.update({3: 4}), TypeError, "the name of an attribute is 3"),
        (lambda: file.def_var("w", "i2", ["lat"], packing=3), TypeError, "its packing is 3"),
        (lambda: sverdrup.Context(7), TypeError, "comm is 7"),
        (lambda: io.create("x.nc", kind="publish"), ValueError, "The nearest one is 'published'"),
    ):
        with pytest.raises(kind, match=found) as caught:
            call()
        assert isinstance(caught.value, sverdrup.Error) and "incompatible function" not in str(caught.value)
    file.enddef()
    file.close()
    with pytest.raises(FileNotFoundError) as caught:
        io.open("nowhere.nc")
    assert isinstance(caught.value, sverdrup.NotFoundError) and not isinstance(caught.value, KeyError)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, "nowhere.nc")
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), type(caught.value))
    with pytest.raises(FileExistsError, match="clobber=False"):
        io.create(file.path, clobber=False)
    with io.open(file.path) as read, pytest.raises(IndexError, match="record 3"):
        read["sst"].get_var(3)
    assert issubclass(sverdrup.AccessError, PermissionError) and issubclass(sverdrup.NoSpaceError, OSError)


def test_no_words_of_c(io, file):
    file.enddef()
    for call in (lambda: file.def_dim("z", 3), lambda: file.attributes.update(a=1)):
        with pytest.raises(sverdrup.OrderError, match="after enddef. See the order of calls in docs/python.md"):
            call()
    with pytest.raises(sverdrup.ArgumentError) as caught:
        io.create(b"a\0b")
    assert not re.search("sv_|SV_|C's", str(caught.value))
    file.close()
    text = errors.error_of(2, "rank 0: SV_ROUTE='sv_put' and SV_WRITE: see sverdrup.h", True)
    assert str(text) == "rank 0: SV_ROUTE='sv_put' and mode 'a': see docs/python.md"


class OfTheModel(Exception):
    pass


class WantsMore(Exception):
    def __init__(self, one, two):
        super().__init__(one, two)


ERRORS = [OfTheModel("too warm"), WantsMore(1, 2), KeyError("x"), OSError(5, "gone")]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_an_exception_arrives_as_itself(comm, error):
    bad = comm.size - 1
    expected = sverdrup.PeerError if isinstance(error, WantsMore) and comm.rank != bad else type(error)
    with pytest.raises(expected) as caught:
        with sverdrup.Context(comm) as io, io.create("ended.nc") as file:
            file.enddef()
            if comm.rank == bad:
                raise error
            io.end_step()
    if comm.rank != bad:
        assert isinstance(caught.value, sverdrup.PeerError) and str(error) in str(caught.value)
        assert "defect" not in str(caught.value)


def test_the_log(io, caplog):
    with caplog.at_level(logging.DEBUG, "sverdrup"), io.create("logged.nc") as file:
        file.enddef()
    said = [record.getMessage() for record in caplog.records if record.name == "sverdrup"]
    assert said == [f"rank {io.rank} has opened 'logged.nc'", f"rank {io.rank} closes 'logged.nc'"]


def test_indices(io, file, comm):
    """Each rank has its own rows, and reads the same values as NumPy."""
    start, count = sverdrup.block(NY, comm.size, comm.rank)
    v, fixed = file.def_var("v", "f8", ["time", "lat", "lon"]), file.def_var("fixed", "i4", ["lat"])
    scalar = file.def_var("scalar", "f4")
    file.enddef()
    whole = np.arange(3.0 * NY * NX).reshape(3, NY, NX)
    rows = slice(start, start + count)
    v[:, rows] = whole[:, rows]
    fixed[rows] = np.arange(NY)[rows]
    scalar.put_var(7.0)
    io.end_step()
    assert v.shape == whole.shape and (v.ndim, v.size, len(v), len(fixed)) == (3, whole.size, 3, NY) and v
    for key in np.s_[
        ..., 0, -1, 1:, ::-1, ::2, :, (0, 1, 2), (slice(None), 3), (..., -2), (1, ..., 0), (slice(2, 0, -1), 0), 3:3
    ]:
        read = v[key]
        np.testing.assert_array_equal(read, whole[key])
        assert np.shape(read) == whole[key].shape
    np.testing.assert_array_equal(np.asarray(v), whole)
    assert np.asarray(fixed, "f8").dtype == np.float64 and list(fixed) == list(range(NY)) and scalar[()] == 7
    with pytest.raises(TypeError, match="scalar"):
        len(scalar)
    for key, kind in ((99, IndexError), ((0, 0, 0, 0), ValueError), ([1, 2], TypeError), (True, TypeError)):
        with pytest.raises(kind) as caught:
            v[key]
        assert caught.value.collective
    file.close()


def file_without_records(io):
    made = io.create("no_records.nc")
    made.def_dim("time", None)
    made.def_dim("lat", NY)
    made.def_var("v", "f8", ["time", "lat"])
    made.enddef()
    return made


def test_assignments(io, comm, file):
    v, w = file.def_var("v", "f8", ["time", "lat"]), file.def_var("w", "f8", ["lat"])
    file.enddef()
    here = comm.rank == 0

    def put(var, key, values):
        if here:
            var[key] = values
        else:
            var.put_vara(None)

    put(v, slice(None), np.ones((2, NY)))
    put(v, 4, 5.0)  # a record beyond the end
    put(v, slice(5, None), np.full((2, NY), 6.0))
    put(w, slice(None, None, -1), np.arange(NY))
    put(w, 1, 40)
    io.end_step()
    np.testing.assert_array_equal(v[:, 0][[0, 1, 4, 5, 6]], [1, 1, 5, 6, 6])
    assert v.shape == (7, NY) and w[0] == NY - 1 and w[1] == 40
    with file_without_records(io) as empty, pytest.raises(ValueError, match="selects no record, for values"):
        empty["v"][:] = np.ones(NY)
    with pytest.raises(ValueError, match="broadcast"):
        w[:] = np.ones(NY + 1)
    with pytest.raises(IndexError):
        w[NY] = 1
    file.close()
    assert os.path.exists(file.path)
