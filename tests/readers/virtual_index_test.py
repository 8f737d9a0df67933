"""xarray reads files through their virtual index as netCDF's library does: virtual_index_test.py SV_COPY MPIRUN."""
import json
import os
import pathlib
import subprocess
import sys
import warnings

import netCDF4
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from zarr_modules import need  # noqa: E402

fsspec, xarray = need("fsspec", "xarray")
try:
    import kerchunk.xarray_backend  # noqa: F401
    HAS_KERCHUNK = True
except ImportError as error:
    print(f"without kerchunk: {error}")
    HAS_KERCHUNK = False
try:
    import obstore.store
    import virtualizarr
    from obspec_utils.registry import ObjectStoreRegistry
except ImportError as error:
    print(f"without VirtualiZarr: {error}")
    virtualizarr = None

SV_COPY, MPIRUN = sys.argv[1:3]
TYPES = ["i1", "i2", "i4", "f4", "f8"]
TYPES_OF_CDF5 = TYPES + ["u1", "u2", "u4", "i8", "u8"]
VARIANTS = [
    ["store=cdf", "format=cdf2"],
    ["store=cdf", "format=cdf5", "kind=growing"],
    ["store=netcdf4", "chunks=contiguous"],
    ["store=netcdf4", "chunks=auto", "compression=deflate:1", "kind=growing"],
    ["store=netcdf4", "chunks=1,17,24", "compression=deflate:3", "compression.shuffle=true"],
    ["store=netcdf4", "chunks=1,17,24", "compression=zstd:1", "compression.zstd_plugin=assumed", "kind=growing"],
    ["store=netcdf4", "chunks=1,17,24", "compression=none"],
    ["store=netcdf4", "chunks=1,17,24", "compression=deflate:1", "compression.shuffle=false",
     "compression.checksum=true"],
]


def make_source(path, types):
    values = numpy.random.default_rng(1)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as file:
        for name, length in {"time": None, "y": 33, "x": 47, "n": 3, "width": 5}.items():
            file.createDimension(name, length)
        file.title = 'ein "Höhenmodell"'
        file.factors = numpy.array([0.1, 1e300])
        time = file.createVariable("time", "f8", ("time",))
        time.units = "days since 2000-01-01"
        for code in types:
            growing = file.createVariable("r_" + code, code, ("time", "y", "x"), fill_value=7)
            growing.valid_range = numpy.array([0, 100], code)
            growing[:] = values.integers(0, 100, (4, 33, 47)).astype(code)
            fixed = file.createVariable("f_" + code, code, ("n", "y", "x"))
            fixed[:] = values.integers(0, 100, (3, 33, 47)).astype(code)
        time[:] = numpy.arange(4)
        names = file.createVariable("names", "S1", ("n", "width"))
        names[:] = netCDF4.stringtochar(numpy.array(["abc", "de", "fghij"], "S5"))
        file.createVariable("scalar", "f8", ())[...] = 3.25
        file.createVariable("empty", "f4", ("y",), fill_value=numpy.nan)


def copy(source, target, *settings, ranks):
    pathlib.Path(target).unlink(missing_ok=True)
    options = [part for setting in (*settings, "virtual_index=true") for part in ("--set", setting)]
    done = subprocess.run([MPIRUN, str(ranks), SV_COPY, "-q", *options, source, target], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=100)
    return done.returncode, done.stdout.decode(errors="replace")


def compare(path, found):
    with netCDF4.Dataset(path) as wanted:
        wanted.set_auto_maskandscale(False)
        assert set(wanted.variables) == set(found.variables), (set(wanted.variables), set(found.variables))
        for name, variable in wanted.variables.items():
            other = found[name].variable
            assert variable.dimensions == other.dims, (name, variable.dimensions, other.dims)
            assert variable.dtype == other.dtype.newbyteorder("="), (name, variable.dtype, other.dtype)
            numpy.testing.assert_array_equal(variable[...], other.values, err_msg=f"{path}: {name}")
            for key in variable.ncattrs():
                value = variable.getncattr(key)
                numpy.testing.assert_array_equal(value, other.attrs[key], err_msg=f"{name}: {key}")
        assert found.attrs["title"] == wanted.title
        numpy.testing.assert_array_equal(found.attrs["factors"], wanted.factors)


def open_by_fsspec(index, **more):
    storage = fsspec.filesystem("reference", fo=index, asynchronous=False)
    backend = {"consolidated": False}
    return xarray.open_dataset(storage.get_mapper(""), engine="zarr", backend_kwargs=backend, chunks=None, **more)


def check(path):
    index = path + ".refs.json"
    with open(index, encoding="utf-8") as text:
        assert json.load(text)["version"] == 1
    with open(path, "r+b") as file:  # no reader needs the header
        header = file.read(64)
        file.seek(0)
        file.write(b"no header" * 7)
    found = open_by_fsspec(index, decode_cf=False).load()
    with open(path, "r+b") as file:
        file.write(header)
    compare(path, found)
    with xarray.open_dataset(path, engine="netcdf4") as wanted:
        xarray.testing.assert_equal(wanted.load(), xarray.decode_cf(found))
        if HAS_KERCHUNK:  # which has the same reader of values
            other, some = xarray.open_dataset(index, engine="kerchunk"), ["r_i2", "f_f8", "names", "scalar", "empty"]
            assert set(wanted.variables) == set(other.variables)
            xarray.testing.assert_equal(wanted[some], other[some].load())
    if virtualizarr is not None:
        registry = ObjectStoreRegistry({"file://": obstore.store.LocalStore()})
        virtual = virtualizarr.open_virtual_dataset(f"file://{os.path.abspath(index)}", registry=registry,
                                                    parser=virtualizarr.parsers.KerchunkJSONParser(),
                                                    loadable_variables=["r_f4", "f_f8"], decode_times=False)
        with xarray.open_dataset(path, engine="netcdf4", mask_and_scale=False) as wanted:
            for name in ("r_f4", "f_f8"):
                numpy.testing.assert_array_equal(wanted[name], virtual[name], err_msg=f"{path}: {name}")


def main():
    warnings.simplefilter("ignore")
    make_source("old.nc", TYPES)
    make_source("new.nc", TYPES_OF_CDF5)
    for number, variant in enumerate(VARIANTS):
        ranks = (3, 1)[number % 2]
        path = f"of_{ranks}_{number}.nc"
        status, reported = copy("old.nc" if "format=cdf2" in variant else "new.nc", path, *variant, ranks=ranks)
        assert status == 0, reported
        check(path)
        print("as netCDF's library:", *variant, f"ranks={ranks}", flush=True)
    for path, remedy, settings in (("refused.zarr", "cdf or netcdf4", ["store=zarr", "format=zarr"]),
                                   ("refused.nc", "virtual_index: false",
                                    ["store=netcdf4", "chunks=1,17,24", "compression=deflate:1",
                                     "compression.checksum=true"])):
        status, reported = copy("new.nc", path, *settings, ranks=3)
        assert status != 0 and "virtual_index" in reported and path in reported and remedy in reported, reported
        assert not pathlib.Path(path + ".refs.json").exists()


main()
