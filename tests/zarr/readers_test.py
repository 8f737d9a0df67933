"""zarr-python, xarray and TensorStore read what the store zarr writes, and it reads what they write: readers_test.py SV_COPY MPIRUN."""
import json
import pathlib
import shutil
import subprocess
import sys

import netCDF4
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from zarr_modules import need  # noqa: E402

xarray, zarr = need("xarray", "zarr")
try:
    import tensorstore
except ImportError as error:
    print(f"without TensorStore: {error}")
    tensorstore = None

SV_COPY, MPIRUN = sys.argv[1:3]
TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]
VARIANTS = [
    [],
    ["compression=zstd:1"],
    ["compression=deflate:3", "testing.deflate_library=zlib", "compression.checksum=true"],
    ["compression=blosc_zstd:5", "chunks=12,17"],
    ["compression=zstd:1", "chunks=12,17", "chunks.shards=auto"],
    ["compression=deflate:1", "testing.deflate_library=isal", "chunks=12,17", "chunks.shards=24,34", "kind=growing"],
    ["chunks=12,13", "chunks.shards=24,26"],
]


def remove(path):
    if pathlib.Path(path).is_dir():
        shutil.rmtree(path)
    pathlib.Path(path).unlink(missing_ok=True)


def copy(source, target, *settings, ranks):
    remove(target)
    options = [part for setting in settings for part in ("--set", setting)]
    done = subprocess.run([MPIRUN, str(ranks), SV_COPY, "-q", *options, source, target], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=100)
    if done.returncode:
        sys.exit(f"sv-copy {options} {source} {target}: {done.stdout.decode(errors='replace')}")
    return done.stdout.decode(errors="replace")


def make_netcdf(path):
    values = numpy.random.default_rng(1)
    with netCDF4.Dataset(path, "w") as file:
        for name, length in {"time": None, "y": 33, "x": 47, "n": 3, "width": 5}.items():
            file.createDimension(name, length)
        file.title = "ein Höhenmodell"
        file.version = numpy.float32(1.5)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        for code in TYPES:
            fill = 7 if code[0] != "f" else numpy.nan if code == "f8" else -1e20
            growing = file.createVariable("r_" + code, code, ("time", "y", "x"), fill_value=fill)
            growing.valid_range = numpy.array([0, 100], code)
            growing[:] = values.integers(0, 100, (4, 33, 47)).astype(code)
            fixed = file.createVariable("f_" + code, code, ("n", "y", "x"))
            fixed.not_a_number = numpy.nan
            fixed[:] = values.integers(0, 100, (3, 33, 47)).astype(code)
        time[:] = numpy.arange(4)
        names = file.createVariable("names", "S1", ("n", "width"))
        names[:] = netCDF4.stringtochar(numpy.array(["abc", "de", "fghij"], "S5"))
        file.createVariable("scalar", "f8", ())[...] = 3.25
        file.createVariable("empty", "f4", ("y",))


def compare(path, group, consolidated, names=None):
    """All of a group, and the values of its variables, or of those of these names."""
    with xarray.open_dataset(path, decode_cf=False) as wanted, \
            xarray.open_zarr(group, decode_cf=False, consolidated=consolidated, chunks=None) as found:
        assert set(wanted.variables) == set(found.variables), (set(wanted.variables), set(found.variables))
        for name, variable in wanted.variables.items():
            other = found[name].variable
            assert variable.dims == other.dims and variable.dtype == other.dtype, (name, variable, other)
            assert variable.shape == other.shape, (name, variable, other)
            if names is None or name in names:
                numpy.testing.assert_array_equal(variable.values, other.values, err_msg=f"{group}: {name}")
            for key, value in variable.attrs.items():
                if isinstance(value, str):
                    assert other.attrs[key] == value, (name, key)
                elif key != "not_a_number":
                    numpy.testing.assert_array_equal(value, other.attrs[key], err_msg=f"{name}: {key}")
        if names is None:
            xarray.testing.assert_equal(xarray.decode_cf(wanted), xarray.decode_cf(found))


def compare_tensorstore(path, group):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        for name in ["time"] + [kind + code for code in TYPES for kind in ("r_", "f_")]:
            spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{group}/{name}"}}
            found = tensorstore.open(spec, read=True).result().read().result()
            numpy.testing.assert_array_equal(file[name][:], found, err_msg=f"{group}: {name}")


def write_with_python(group, consolidated, compressors, shards):
    values = numpy.random.default_rng(2)
    temperature = xarray.DataArray(values.normal(size=(6, 30, 40)).astype("f4"), dims=("time", "y", "x"))
    temperature[2, 3] = numpy.nan
    level = xarray.DataArray(numpy.arange(5, dtype=">i4"), dims=("level",), attrs={"units": "m"})
    data = xarray.Dataset({"temperature": temperature, "level": level}, attrs={"title": "of xarray", "n": [1, 2]})
    encoding = {"temperature": {"chunks": (2, 8, 10), "compressors": compressors, "shards": shards}}
    remove(group)
    data.to_zarr(group, zarr_format=3, consolidated=consolidated, encoding=encoding)
    return data


def append_with_xarray():
    """xarray adds to a group of ours, and consolidates the metadata anew: variables with records still have them, and we add more."""
    with netCDF4.Dataset("steps.nc", "w", format="NETCDF3_64BIT_DATA") as file:
        for name, length in {"time": None, "x": 3}.items():
            file.createDimension(name, length)
        for name, dims in {"v": ("time", "x"), "time": ("time",), "fixed": ("x",)}.items():
            file.createVariable(name, "f4", dims)[:] = numpy.arange(6 if len(dims) == 2 else 2 if dims[0] == "time" else 3).reshape(
                (2, 3) if len(dims) == 2 else -1)
        file["v"].short = numpy.int16(5)
    copy("steps.nc", "steps.zarr", "store=zarr", ranks=1)
    more = xarray.Dataset({"v": (("time", "x"), numpy.full((2, 3), 7, "f4"))}, coords={"time": numpy.array([2, 3], "f4")})
    more.to_zarr("steps.zarr", append_dim="time", zarr_format=3)
    assert "netcdf" not in json.loads(pathlib.Path("steps.zarr/zarr.json").read_text())["consolidated_metadata"], "xarray has kept it"
    copy("steps.zarr", "steps_back.nc", "format=cdf5", ranks=2)
    with netCDF4.Dataset("steps_back.nc") as file:
        assert file.dimensions["time"].isunlimited() and len(file.dimensions["time"]) == 4, file.dimensions
        assert not file.dimensions["x"].isunlimited(), file.dimensions
        numpy.testing.assert_array_equal(file["v"][:], [[0, 1, 2], [3, 4, 5], [7, 7, 7], [7, 7, 7]])
        assert file["v"].short.dtype == numpy.int16, file["v"].short.dtype


def read_what_can_be_read():
    """One thing that Sverdrup cannot read does not keep it from reading all else, and is named."""
    remove("mixed.zarr")
    numbers = numpy.arange(6).reshape(2, 3)
    xarray.Dataset({"good": (("y", "x"), numbers.astype("i4"), {"units": "m"}), "half": (("y", "x"), numbers.astype("f2")),
                    "words": (("y",), numpy.array(["a", "bcd"], dtype=object)), "filled": (("x",), numpy.arange(3, dtype="i2")),
                    "none": (("nothing",), numpy.zeros(0, "i4"))},
                   attrs={"title": "mixed"}).to_zarr("mixed.zarr", zarr_format=3)
    root = zarr.open_group("mixed.zarr", mode="a", use_consolidated=False)
    root.create_array("turned", shape=(2, 3), dtype="i4", filters=[zarr.codecs.TransposeCodec(order=(1, 0))], dimension_names=("y", "x"))[:] = 1
    root.create_array("longer", shape=(9,), dtype="i4", dimension_names=("x",))[:] = 1
    root["filled"].attrs.update({"_FillValue": "none", "comment": "kept"})
    root.create_group("inner").create_array("deep", shape=(2,), dtype="i4")
    zarr.consolidate_metadata("mixed.zarr")
    lines = copy("mixed.zarr", "mixed.nc", "format=cdf5", ranks=2)
    with netCDF4.Dataset("mixed.nc") as file:
        assert set(file.variables) == {"good", "filled"} and file.title == "mixed", file
        numpy.testing.assert_array_equal(file["good"][:], numbers)
        assert file["good"].units == "m" and file["filled"].comment == "kept" and "_FillValue" not in file["filled"].ncattrs()
    for name in ["half", "words", "turned", "longer", "_FillValue", "inner", "none", "nothing"]:
        assert f"'{name}'" in lines, f"'{name}' is not named: {lines}"


def main():
    make_netcdf("in.nc")
    append_with_xarray()
    read_what_can_be_read()
    for number, settings in enumerate(VARIANTS):
        group = f"of_{number}.zarr"
        copy("in.nc", group, "store=zarr", *settings, ranks=1 + number % 3)
        compare("in.nc", group, True)
        compare("in.nc", group, False, ("time", "r_f4", "f_f8", "names", "scalar"))  # the arrays are the same
        if tensorstore is not None:
            compare_tensorstore("in.nc", group)
        copy(group, "back.nc", "store=netcdf4" if number % 2 else "store=cdf", "format=netcdf4" if number % 2 else "format=cdf5",
             ranks=2)
        with xarray.open_dataset("in.nc") as wanted, xarray.open_dataset("back.nc") as found:
            xarray.testing.assert_identical(wanted, found)
    codecs = zarr.codecs
    for consolidated, compressors, shards in [(True, "auto", None), (False, codecs.GzipCodec(level=2), None),
                                              (True, codecs.BloscCodec(cname="lz4", shuffle="bitshuffle"), (4, 16, 20)),
                                              (True, (codecs.ZstdCodec(level=3), codecs.Crc32cCodec()), None)]:
        data = write_with_python("theirs.zarr", consolidated, compressors, shards)
        copy("theirs.zarr", "ours.nc", "format=cdf5", ranks=3)
        with xarray.open_dataset("ours.nc") as found:
            xarray.testing.assert_equal(data, found)
            assert found.attrs["title"] == "of xarray" and list(found.attrs["n"]) == [1, 2], found.attrs
    print("all values are equal")


main()
