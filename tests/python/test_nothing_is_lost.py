"""Usual calls of netCDF4-python, h5py and xarray have their usual meaning, or are refused by name."""

import re
import warnings

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup
from conftest import NY


def test_a_dimension_of_length_0_is_not_unlimited(file):
    with pytest.raises(sverdrup.LimitError, match="dimension 'z': its length is 0.*Pass None for the record dimension"):
        file.def_dim("z", 0)
    assert "z" not in file.dimensions
    file.enddef()


@pytest.mark.parametrize(
    "words, found",
    [
        ({"zstd": 4}, "no 'zstd'"),
        ({"chunks": (1, 2)}, "no 'chunks'"),
        ({"fill_value": 4}, "no 'fill_value'. Use 'fill'"),
        ({"packin": (1.0, 0.0)}, "no 'packin'. Use 'packing'"),
    ],
)
def test_a_keyword_that_is_none_is_no_attribute(file, words, found):
    with pytest.raises(ValueError, match=f"variable 'v': def_var has {found}"):
        file.def_var("v", "f4", ["lat"], **words)
    assert "v" not in file.variables
    v = file.def_var("v", "f4", ["lat"], units="m", positive="up")
    assert dict(v.attributes) == {"units": "m", "positive": "up"}
    file.enddef()


@pytest.mark.parametrize("word", ["compression", "quantize_mode", "endian"])
def test_a_refused_value_leaves_no_variable(file, word):
    with pytest.raises(sverdrup.ArgumentError, match=f"variable 'v': {word} is 'lzma'. Pass one of '"):
        file.def_var("v", "f4", ["lat"], **{word: "lzma"})
    assert "v" not in file.variables
    file.enddef()


@pytest.mark.parametrize("texts", [["a", "b"], ["ab", "c"], np.array([b"a", b"b"]), ("é", "f")], ids=str)
def test_several_texts_are_no_text(file, texts):
    with pytest.raises(TypeError, match="attribute 'flags' is of strings.*netcdf4"):
        file.attributes["flags"] = texts
    file.attributes["flag"] = np.array(["ab"])
    assert dict(file.attributes) == {"flag": "ab"}
    file.enddef()


def test_attributes_are_attributes(file):
    v = file.def_var("v", "f4", ["lat"])
    v.units, file.title = "m", "An ocean"
    v.valid_max = np.float32(3)
    assert dict(v.attributes) == {"units": "m", "valid_max": 3} and file.attributes["title"] == "An ocean"
    assert (v.units, file.title) == ("m", "An ocean")
    del v.units
    for name in ("units", "unit", "_FillValue", "__length__"):
        assert not hasattr(v, name)
    with pytest.raises(AttributeError, match="no attribute, 'units'"):
        v.units  # noqa: B018
    with pytest.raises(AttributeError, match="name"):
        v.name = "w"
    file.enddef()
    file.close()
    assert not hasattr(v, "_repr_html_")
    with pytest.raises(ValueError, match="the file is closed"):
        v.units  # noqa: B018


def test_other_objects_take_no_attributes(io, grid):
    for each in (io, grid):
        with pytest.raises(AttributeError, match="halo_width"):
            each.halo_width = 3


UNCLOSED = """
import sverdrup
io = sverdrup.Context()
file = io.create("left.nc")
file.def_dim("x", 1)
file.enddef()
del file, io
"""


def test_a_file_that_is_not_closed_is_reported(alone):
    said = alone(UNCLOSED, stderr=True)
    assert "file 'left.nc', rank 0: it was not closed" in said and "Call close, or use 'with'" in said


def test_storage_that_a_cdf_file_does_not_have_is_a_warning(io, file):
    words = {"compression": "zlib", "complevel": 4, "chunksizes": (7, 10), "shuffle": False, "contiguous": False}
    if io.rank == 0:
        with pytest.warns(UserWarning, match="variable 'v': compression, chunksizes: no effect, since CDF files have"):
            file.def_var("v", "f4", ["lat", "lon"], **words)
    else:
        file.def_var("v", "f4", ["lat", "lon"], **words)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        file.def_var("w", "f4", ["lat", "lon"], contiguous=True, compression=None, zlib=False, endian="native")
    file.enddef()
    file.close()


READ = """
import sverdrup
io = sverdrup.Context()
with io.create("read.nc") as file:
    file.def_dim("x", 1)
    file.enddef()
left = io.open("read.nc")
"""


def test_a_file_that_is_only_read_may_stay_open(alone):
    assert "read.nc" not in alone(READ, stderr=True)


WRITTEN = """
import os, sys
import sverdrup
os.environ.update(word.split("=") for word in sys.argv[1:])
with sverdrup.Context() as io:
    with io.create("line.nc") as file:
        file.def_dim("x", 1000)
        v = file.def_var("v", "f8", ["x"])
        file.enddef()
        v.put_var([1.0] * 1000)
    with io.open("line.nc"):
        pass
"""


def test_three_lines_report_what_was_written(alone):
    files, time, advice = alone(WRITTEN, stderr=True).splitlines()
    assert re.fullmatch(r"sverdrup: 1 file, 8\.\d kB: line\.nc", files), files
    assert re.fullmatch(r"sverdrup: .* in output calls \(.*/s\), \d+ % of the run", time), time
    assert advice.startswith("sverdrup: ") and len(advice) > 20
    assert alone(WRITTEN, "SV_SUMMARY_TABLE=false", stderr=True) == ""
    assert alone(WRITTEN, "SV_SUMMARY=line.json", stderr=True) == ""


def test_an_object_that_is_not_closed_is_a_warning(io):
    made = sverdrup.Context(MPI.COMM_SELF)
    file = made.create(f"unclosed.{io.rank}.nc")
    with pytest.warns(ResourceWarning, match=f"'unclosed.{io.rank}.nc', rank 0: it was not closed"):
        made.__del__()
    file.def_dim("x", NY)
    file.enddef()
    file.close()
    made.finalize()
