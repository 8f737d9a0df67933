"""sv-copy keeps how variables are stored, and changes it by patterns: storage_test.py CASE SV_COPY MPIRUN, in a folder of
its own."""
import subprocess
import sys

import netCDF4
import numpy

CASE, SV_COPY, MPIRUN = sys.argv[1:4]
SHAPE = (6, 40, 50)


def fail(text):
    sys.exit(f"copy.{CASE}: {text}")


def expect(what, found, wanted):
    if found != wanted:
        fail(f"{what}: {found} in place of {wanted}")


def copy(*arguments, ranks=1, fails=False):
    """Runs sv-copy; returns what it says."""
    command = ([MPIRUN, str(ranks)] if ranks > 1 else []) + [SV_COPY, "-f", "-q", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    text = done.stdout.decode(errors="replace")
    if (done.returncode != 0) != fails:
        fail(f"{' '.join(command)} ended with {done.returncode}: {text}")
    return text


def values():
    return numpy.random.default_rng(1).integers(0, 1000, SHAPE).astype("f4") / 8


def make(path):
    with netCDF4.Dataset(path, "w") as data:
        for name, length in (("time", None), ("y", SHAPE[1]), ("x", SHAPE[2])):
            data.createDimension(name, length)
        dims = ("time", "y", "x")
        data.createVariable("temp", "f4", dims, zlib=True, complevel=5, chunksizes=(2, 20, 25), fletcher32=True)[:] = values()
        data.createVariable("salt", "f4", dims, zlib=True, shuffle=False, chunksizes=(1, 40, 50))[:] = values()
        data.createVariable("flags", ">i4", dims, endian="big", chunksizes=(1, 10, 50))[:] = values().astype("i4")
        data.createVariable("mask", "i2", dims[1:], contiguous=True)[:] = 3
        data.createVariable("bits", "f4", dims[1:], zlib=True, significant_digits=3)[:] = values()[0]
        data.createVariable("time", "f8", ("time",), chunksizes=(512,))[:] = range(SHAPE[0])


def stored(path, name):
    with netCDF4.Dataset(path) as data:
        filters = data[name].filters()
        return data[name].chunking(), filters["complevel"] if filters["zlib"] else 0, filters["shuffle"], filters["fletcher32"]


def expect_values(path):
    with netCDF4.Dataset(path) as data, netCDF4.Dataset("in.nc") as given:
        for name in given.variables:
            if not numpy.array_equal(data[name][:], given[name][:]):
                fail(f"{path}: {name} has other values")


def keeps(ranks):
    copy("in.nc", "kept.nc", ranks=ranks)
    for name in ("temp", "salt", "flags", "mask", "time"):
        expect(name, stored("kept.nc", name), stored("in.nc", name))
    with netCDF4.Dataset("kept.nc") as data:
        expect("the order of flags", data["flags"].endian(), "big")
        expect("the digits of bits", data["bits"].quantization(), (3, "BitGroom"))
    expect_values("kept.nc")


def keeps_over_zarr():
    copy("in.nc", "group.zarr", ranks=3)
    copy("--format", "netcdf4", "group.zarr", "back.nc")
    for name in ("temp", "flags"):
        expect(f"{name} from Zarr", stored("back.nc", name)[:2], stored("in.nc", name)[:2])
    with netCDF4.Dataset("back.nc") as data:
        expect("the order of flags from Zarr", data["flags"].endian(), "big")
    expect_values("back.nc")


def changes():
    copy("--variable", "temp: {compression: {codec: none, checksum: false}, chunks: [3, 10, 50]}", "--variable",
         "s*: {compression: {codec: deflate:9, shuffle: true}}",
         "in.nc", "changed.nc", ranks=2)
    expect("temp", stored("changed.nc", "temp"), ([3, 10, 50], 0, False, False))
    expect("salt", stored("changed.nc", "salt"), ([1, 40, 50], 9, True, False))
    expect("flags", stored("changed.nc", "flags"), stored("in.nc", "flags"))
    expect_values("changed.nc")


def options_count_more():
    copy("--deflate", "2", "in.nc", "all.nc")
    for name, chunks in (("temp", [2, 20, 25]), ("salt", [1, 40, 50])):
        expect(f"{name} with --deflate", stored("all.nc", name), (chunks, 2, True, False))
    copy("--deflate", "0", "in.nc", "none.nc")
    expect("temp without compression", stored("none.nc", "temp")[1], 0)
    copy("--chunks", "5,50", "in.nc", "shaped.nc")
    expect("temp with --chunks", stored("shaped.nc", "temp"), ([1, 5, 50], 5, True, True))
    copy("--growing", "in.nc", "growing.nc")
    expect("temp that grows", stored("growing.nc", "temp"), ([1, 20, 25], 5, True, True))
    for path in ("all.nc", "none.nc", "shaped.nc", "growing.nc"):
        expect_values(path)


def states_bounds():
    """A copy of a file with error bounds states the same errors; other bounds for its values are refused."""
    bound = "temp: {compression: {codec: deflate:1, quantize: absolute:0.3}}"
    copy("--variable", bound, "in.nc", "bounded.nc", ranks=3)
    copy("bounded.nc", "again.nc")
    copy("--format", "zarr", "bounded.nc", "bounded.zarr")
    copy("--format", "netcdf4", "bounded.zarr", "back.nc")
    with netCDF4.Dataset("bounded.nc") as data, netCDF4.Dataset("in.nc") as given:
        found, worst = data["temp"][:], numpy.abs(data["temp"][:] - given["temp"][:]).max()
        expect("the stated error", data["temp"].quantization_maximum_absolute_error, worst)
        expect("the sign of a bound", worst > 0, True)
    for path in ("again.nc", "back.nc"):
        with netCDF4.Dataset(path) as data:
            expect(f"{path}: the error", data["temp"].quantization_maximum_absolute_error, worst)
            expect(f"{path}: the values", bool((data["temp"][:] == found).all()), True)
    if "rounded before" not in copy("--variable", bound, "bounded.nc", "refused.nc", fails=True):
        fail("no reason for a bound that is refused")


def foreign_filter():
    with netCDF4.Dataset("szip.nc", "w") as data:
        data.createDimension("x", 64)
        try:
            data.createVariable("v", "f4", ("x",), compression="szip", szip_coding="nn", szip_pixels_per_block=8)[:] = 1.5
        except (RuntimeError, ValueError):
            return  # this netCDF has none
    text = copy("szip.nc", "plain.nc")
    if "without filter 4" not in text:
        fail(f"no warning of a filter that is left out: {text}")


make("in.nc")
for number in (1, 3):
    keeps(number)
keeps_over_zarr()
changes()
options_count_more()
states_bounds()
foreign_filter()
