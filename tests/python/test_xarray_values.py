"""The accessor of xarray writes and the engine reads: the same as xarray's own backends of netCDF, for text,
booleans, times and attributes."""

import netCDF4
import numpy as np
import pytest
from mpi4py import MPI

import sverdrup

xr = pytest.importorskip("xarray")
pytest.importorskip("cftime")

from sverdrup.xarray import Backend  # noqa: E402

TEXT = {
    "letters": np.array(["a", "b", "c"]),
    "characters": np.array([b"a", b"b", b"c"]),
    "missing": np.array(["aa", None, "c"], object),
    "missing_number": np.array(["aa", np.nan, "c"], object),
    "bytes": np.array([b"aa", None, b"c"], object),
    "accents": np.array(["ā", "b", "日本語"]),
    "empty": np.array(["", "", ""]),
    "nothing": np.array([None, None, None], object),
}
NUMBERS = {
    "truth": np.array([True, False, True]),
    "span": np.array([1, 2, 36], "m8[h]").astype("m8[ns]"),
    "instant": np.array(["2000-01-01", "2000-01-02", "2000-02-01"], "M8[ns]"),
    "objects": np.array([1, None, 3], object),
    "foreign": np.array([1.5, np.nan, 3.5], ">f4"),
}
LONG = ("span", "instant")  # int64, which xarray narrows for these formats, and the accessor keeps in CDF-5
PARAMETERS = ["name", "dtype", "dimensions", "fill", "packing", "first_axis", "self"]


def encoded(values, **encoding):
    made = xr.Dataset({"v": ("x", values)})
    made["v"].encoding = encoding
    return made


DATASETS = {name: xr.Dataset({"v": ("x", values)}) for name, values in (TEXT | NUMBERS).items()} | {
    "scalars": xr.Dataset({"word": ((), "ab"), "truth": ((), True)}),
    "together": xr.Dataset({name: ("x", values) for name, values in TEXT.items()} | {"n": ("x", [1.0, 2.0, 3.0])}),
    "coordinates": xr.Dataset({"v": ("x", [1.0, 2.0])}, {"x": ["ab", "c"], "station": ("x", ["p", "q"])}),
    "attributes": xr.Dataset({"v": ("x", [1.0, 2.0], {name: "text" for name in PARAMETERS})}, attrs={"name": "é"}),
    "fill": encoded(np.array([1.5, np.nan], ">f4"), _FillValue=np.float32(-9.0), dtype=np.dtype(">f4")),
    "named": encoded(np.array(["abc", "d"]), char_dim_name="letters", dtype="S1"),
    "packed": encoded(np.array([1.5, np.nan]), dtype="i2", scale_factor=0.5, _FillValue=np.int16(-1)),
}


@pytest.mark.parametrize("name", DATASETS)
def test_it_is_what_xarray_writes(comm, name):
    if comm.rank > 0:
        return
    dataset, reference, path = DATASETS[name], f"{name}.reference.nc", f"{name}.nc"
    dataset.to_netcdf(reference, format="NETCDF3_64BIT", engine="netcdf4")
    dataset.sverdrup.write(path, comm=MPI.COMM_SELF, format="cdf5" if name in LONG else "cdf2")
    with netCDF4.Dataset(path) as ours, netCDF4.Dataset(reference) as theirs:
        for variable in theirs.variables:
            assert ours[variable].dimensions == theirs[variable].dimensions
            assert ours[variable].dtype == theirs[variable].dtype or name in LONG
            assert sorted(ours[variable].ncattrs()) == sorted(theirs[variable].ncattrs())
    engines = ["netcdf4", Backend]  # h5netcdf reads no classic files
    if name not in (*LONG, "attributes"):  # scipy's cannot read CDF-5, and takes attributes for its own
        engines.append("scipy")
    for engine in engines:
        with xr.open_dataset(path, engine=engine) as read, xr.open_dataset(reference, engine="netcdf4") as same:
            xr.testing.assert_identical(read.load(), same.load())


def test_netcdf4_files_have_it_too(comm):
    """Which h5netcdf reads, as well, where it is installed."""
    if comm.rank > 0:
        return
    dataset = DATASETS["together"].drop_vars("nothing")
    dataset.sverdrup.write("text.nc4", comm=MPI.COMM_SELF, store="netcdf4")
    expected = {"missing": ["aa", "", "c"], "accents": ["ā", "b", "日本語"], "letters": ["a", "b", "c"]}
    engines = ["netcdf4", Backend] + ["h5netcdf"] * ("h5netcdf" in xr.backends.list_engines())
    for engine in engines:
        with xr.open_dataset("text.nc4", engine=engine) as read:
            assert {each: read[each].values.tolist() for each in expected} == expected


def test_text_of_ranks_has_one_length(comm):
    """The longest of all ranks; also where a rank has none."""
    names = ["a", "bb", "cccccc", "d", "e", "ff", "g"]
    start, count = sverdrup.block(len(names), comm.size, comm.rank)
    for which, mine in {
        "longest": np.array(names[start : start + count]),
        "missing": np.array([None] * count if comm.rank == comm.size - 1 else names[start : start + count], object),
    }.items():
        xr.Dataset({"name": ("station", mine)}).sverdrup.write(f"{which}.nc", {"station": (start, len(names))})
        comm.barrier()
        expected = list(names)
        if which == "missing":
            first = sverdrup.block(len(names), comm.size, comm.size - 1)[0]
            expected[first:] = [""] * (len(names) - first) if comm.size > 1 else expected[first:]
        with xr.open_dataset(f"{which}.nc", engine=Backend) as read:
            if comm.size > 1 or which == "longest":
                assert read["name"].values.tolist() == expected
                assert read["name"].encoding["char_dim_name"] == "string6" or which == "missing"
        comm.barrier()


def test_a_part_that_cannot_be_encoded_fails_on_every_rank(comm):
    bad = comm.size - 1
    mine = np.array([object() if comm.rank == bad else 1.0], object)
    expected = "serialize" if comm.rank == bad else "cannot be encoded"
    with pytest.raises(ValueError, match=expected) as caught:
        xr.Dataset({"v": ("x", mine)}).sverdrup.write("bad.nc", {"x": (comm.rank, comm.size)}, comm=comm)
    if comm.rank != bad:
        assert caught.value.rank == bad and caught.value.collective


def test_attributes_that_netcdf_has_not(comm):
    with pytest.raises(sverdrup.TypesError, match="variable 'v': attribute 'words'"):
        xr.Dataset({"v": ("x", [1.0], {"words": ["one", "two"]})}).sverdrup.write("words.nc", comm=comm)


def test_names_of_attributes_are_text(comm):
    for made in (xr.Dataset(attrs={1: "one"}), xr.Dataset({"v": ("x", [1.0], {(1, 2): "two"})})):
        with pytest.raises(TypeError, match="the name of an attribute is"):
            made.sverdrup.write("numbers.nc", comm=comm)


def test_characters_are_masked(comm):
    """Of Argo's profiles: a _FillValue of a variable of characters."""
    path = f"argo.{comm.rank}.nc"
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT") as made:
        made.createDimension("N_PROF", 3)
        made.createVariable("DIRECTION", "S1", ("N_PROF",), fill_value=b" ")[:] = np.array([b"A", b" ", b"D"])
        made.createVariable("N", "i4", ("N_PROF",))[:] = [1, 2, 3]
    with xr.open_dataset(path, engine=Backend) as read, xr.open_dataset(path, engine="netcdf4") as same:
        xr.testing.assert_identical(read.load(), same.load())
        assert read["DIRECTION"].isnull().values.tolist() == [False, True, False]
        assert read["DIRECTION"].encoding["_FillValue"] == b" "
        again, theirs = f"again.{comm.rank}.nc", f"theirs.{comm.rank}.nc"
        read.sverdrup.write(again, comm=MPI.COMM_SELF)
        same.to_netcdf(theirs, format="NETCDF3_64BIT")
    with xr.open_dataset(again, engine="netcdf4") as read, xr.open_dataset(theirs, engine="netcdf4") as same:
        xr.testing.assert_identical(read.load(), same.load())
