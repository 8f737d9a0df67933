"""Files of the store netcdf4 are read by others: readers_test.py CASE SV_COPY MPIRUN, in a folder of its own."""
import os
import shutil
import subprocess
import sys

import netCDF4
import numpy

CASE, SV_COPY, MPIRUN = sys.argv[1:4]
KEYS = {
    "deflate": {"COMPRESSION": "deflate:1"},
    "checked": {"COMPRESSION": "deflate:4", "COMPRESSION_CHECKSUM": "true", "TESTING_DEFLATE_LIBRARY": "zlib",
                "COMPRESSION_QUANTIZE": "granular_bitround:4"},
    "bounded": {"COMPRESSION": "deflate:1", "COMPRESSION_QUANTIZE": "absolute:0.01"},
    "zstd": {"COMPRESSION": "zstd:1"},
    "plain": {},
}
RECORDS = 100  # 6.5 MB: a whole chunk of 4 MiB and one that is not
PROGRAMS = []


def fail(text):
    sys.exit(f"readers.{CASE}: {text}")


def make(path):
    """The output of a model: a series of maps, with time and its bounds."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        data.variable_id = "tas"
        for name, length in (("time", None), ("bnds", 2), ("lat", 90), ("lon", 180)):
            data.createDimension(name, length)
        lat = data.createVariable("lat", "f8", ("lat",))
        time = data.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "days since 2000-01-01", "bounds": "time_bnds"})
        bounds = data.createVariable("time_bnds", "f8", ("time", "bnds"))
        tas = data.createVariable("tas", "f4", ("time", "lat", "lon"), fill_value=1e20)
        lat[:] = numpy.linspace(-89, 89, 90)
        time[:] = numpy.arange(RECORDS) + 0.5
        bounds[:] = numpy.stack([numpy.arange(RECORDS), numpy.arange(RECORDS) + 1], axis=1)
        y, x = numpy.mgrid[0:90, 0:180]
        for record in range(RECORDS):
            tas[record] = 280 + 20 * numpy.sin(y / 15 + record / 40) + 3 * numpy.cos(x / 20)


def run(*command, environment=None):
    PROGRAMS.append(os.path.basename(command[0]))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100,
                          env={**os.environ, **(environment or {})})
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        fail(f"{' '.join(command)} ended with {done.returncode}: {text[-2000:]}")
    return text


def expect(reader, found, truth):
    """Of all variables. Quantized values are as near as they promise."""
    relative = 2e-4 if CASE == "checked" else 0
    absolute = 0.01 if CASE == "bounded" else 0
    for name, values in truth.items():
        own = numpy.ma.filled(found(name), 1e20)
        if own.shape != values.shape or not numpy.allclose(
                own, values, rtol=relative if name == "tas" else 0, atol=absolute if name == "tas" else 0):
            fail(f"{reader} reads other values of {name}")
    PROGRAMS.append(reader)


def check_statement(attributes, found, truth):
    """The attributes of section 8.4 of the CF conventions, and the bound and the largest error."""
    worst = numpy.abs(found.astype("f8") - truth.astype("f8")).max()
    stated = attributes["quantization_maximum_absolute_error"][0]
    if attributes["quantization_absolute_error_bound"][0] != 0.01 or not 0 < worst == stated <= 0.01:
        fail(f"the largest error is {worst}, and the file states {stated}")
    if attributes["quantization"] != b"sverdrup_quantization_error_bound" or attributes["quantization_nsb"][0] != 23:
        fail("the attributes of the CF conventions are missing")


def read_by_libraries(path, truth):
    import h5py
    import hdf5plugin  # noqa: F401: registers filters that h5py lacks
    import pyfive
    import xarray

    with netCDF4.Dataset(path) as data:
        data.set_auto_mask(False)
        expect("netCDF4", lambda name: data[name][...], truth)
    with h5py.File(path) as data:
        expect("h5py", lambda name: data[name][...], truth)
        if CASE == "checked" and not data["tas"].fletcher32:
            fail("no checksums")
        if CASE == "bounded":
            check_statement(data["tas"].attrs, data["tas"][...], truth["tas"])
    with xarray.open_dataset(path, decode_times=False, mask_and_scale=False, engine="netcdf4") as data:
        expect("xarray", lambda name: data[name].values, truth)
    if CASE != "zstd":
        with pyfive.File(path) as data:
            expect("pyfive", lambda name: data[name][...], truth)


def read_by_programs(path, truth):
    run("ncdump", "-v", "time_bnds", path)
    run("nccopy", path, "copied.nc")
    with netCDF4.Dataset("copied.nc") as data:
        data.set_auto_mask(False)
        expect("nccopy's copy", lambda name: data[name][...], truth)
    for program in (("h5dump", "-d", "/tas", "-b", "LE", "-o", "tas.bin"), ("cdo", "-s", "infon")):
        if shutil.which(program[0]):
            run(*program, path)


def check_packing(path):
    """The requirements of CMIP7, by its own program: metadata in front, chunks of 4 MiB and more."""
    program = os.path.join(os.path.dirname(sys.executable), "check_cmip7_packing")
    if not os.path.exists(program):
        fail("check_cmip7_packing is missing")
    if "PASS" not in run(sys.executable, program, path):
        fail("check_cmip7_packing does not pass it")


def raw_places(data):
    """(place, bytes) of all that an open file has of values."""
    places = []
    for each in data.values():
        if each.chunks is None:
            places.append((each.id.get_offset(), each.id.get_storage_size()))
        else:
            infos = [each.id.get_chunk_info(number) for number in range(each.id.get_num_chunks())]
            places += [(info.byte_offset, info.size) for info in infos]
    return sorted(place for place in places if place[0] is not None)


def check_front(path, reserve):
    """Behind the first value there is nothing but values, and in front of it the reserve."""
    import h5py

    with h5py.File(path) as data:
        places = raw_places(data)
    first = places[0][0]
    if first < reserve:
        fail(f"{path}: values from byte {first} on, in a reserve of {reserve}")
    gaps = os.path.getsize(path) - first - sum(size for _, size in places)
    if gaps != 0:
        fail(f"{path}: {gaps} bytes behind the first value are not of values")


def main():
    try:
        import hdf5plugin
        import pyfive  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    if CASE == "zstd":
        os.environ["HDF5_PLUGIN_PATH"] = hdf5plugin.PLUGIN_PATH
    make("original.nc")
    with netCDF4.Dataset("original.nc") as data:
        data.set_auto_mask(False)
        truth = {name: numpy.array(data[name][...]) for name in data.variables}
    for ranks, reserve in ((1, 0), (3, 600 << 10)):
        path = f"made_by_{ranks}.nc"
        keys = {f"SV_{key}": value for key, value in
                {"STORE": "netcdf4", "HEADER_RESERVE": str(reserve), **KEYS[CASE]}.items()}
        run(MPIRUN, str(ranks), SV_COPY, "--force", "--format", "netcdf4", "original.nc", path, environment=keys)
        check_front(path, reserve)
        read_by_libraries(path, truth)
        read_by_programs(path, truth)
        if CASE != "plain":
            check_packing(path)
    print(f"read by {', '.join(sorted(set(PROGRAMS)))}")


main()
