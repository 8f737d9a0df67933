"""Values within an absolute error bound by SZ3 and ZFP, HDF5's plug-ins: encoders_test.py ENCODER SV_COPY MPIRUN, in a
folder of its own. Other libraries read the file within the bound; chunks that break it are rounded."""
import os
import shutil
import subprocess
import sys

ENCODER, SV_COPY, MPIRUN = sys.argv[1:4]
BOUND, FILL = 0.01, 1e20
RECORDS, NY, NX = 8, 60, 90
FILTER = {"sz3": 32024, "zfp": 32013}[ENCODER]
KEYS = {"STORE": "netcdf4", "COMPRESSION": "deflate:1", "CHUNKS": f"{RECORDS},{NY},{NX}"}

try:
    import hdf5plugin
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
os.environ["HDF5_PLUGIN_PATH"] = hdf5plugin.PLUGIN_PATH  # before any HDF5 starts

import h5py  # noqa: E402
import netCDF4  # noqa: E402
import numpy  # noqa: E402
import xarray  # noqa: E402


def fail(text):
    sys.exit(f"readers.{ENCODER}: {text}")


def truth():
    """Hostile fields, and smooth ones: with land, and of doubles."""
    t, y, x = numpy.mgrid[0:RECORDS, 0:NY, 0:NX]
    random = numpy.random.default_rng(5)
    smooth = 15 + 10 * numpy.sin(y / 9 + t / 7) * numpy.cos(x / 11) + random.random(t.shape) / 50
    holes = smooth.copy()
    holes[:, 20:30, 20:40], holes[0, 0, 0], holes[1, 1, 1] = numpy.nan, numpy.inf, -numpy.inf
    fields = {"smooth": smooth, "land": numpy.where((y - 30) ** 2 + (x - 40) ** 2 < 200, FILL, smooth), "holes": holes,
              "subnormal": numpy.where(x % 7 == 0, 1e-41 * (1 + y), smooth), "constant": 0 * t + 1 / 3,
              "range": (random.random(t.shape) - 0.5) * 10.0 ** random.integers(-38, 38, t.shape)}
    fields["zeros"] = numpy.where(x > 50, 0, numpy.sin(y / 9) * (50 - x) / 30)
    made = {name: values.astype("f4") for name, values in fields.items()}
    made["height"] = smooth * 2
    return made


def make(path, fields):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        for name, length in (("time", None), ("y", NY), ("x", NX)):
            data.createDimension(name, length)
        for name, values in fields.items():
            fill = FILL if values.dtype == "f4" else None
            data.createVariable(name, values.dtype, ("time", "y", "x"), fill_value=fill)[:] = values


def run(*command, folder=hdf5plugin.PLUGIN_PATH, **keys):
    environment = {**os.environ, "HDF5_PLUGIN_PATH": folder, **{f"SV_{key}": value for key, value in keys.items()}}
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100, env=environment)
    return done.returncode, done.stdout.decode(errors="replace")


def copy(source, path, ranks=1, form="netcdf4", **keys):
    return run(MPIRUN, str(ranks), SV_COPY, "--force", "--format", form, source, path, **keys)


def must_copy(source, path, ranks=1, form="netcdf4", **keys):
    code, text = copy(source, path, ranks, form, **keys)
    if code != 0:
        fail(f"{path}: {text[-2000:]}")


def worst_error(name, found, values):
    """Of cells that may change; the others are the same bits."""
    subnormal = (numpy.abs(values) < numpy.finfo(values.dtype).tiny) & (values != 0)
    stays = ~numpy.isfinite(values) | (values == numpy.float32(FILL)) | subnormal
    if not numpy.array_equal(found[stays].view("u1"), values[stays].view("u1")):
        fail(f"{name}: a value has changed that stays")
    return float(numpy.abs(found[~stays].astype("f8") - values[~stays].astype("f8")).max())


def check_values(reader, read, fields):
    for name, values in fields.items():
        worst = worst_error(f"{reader}, {name}", numpy.asarray(read(name)), values)
        if not worst <= BOUND:
            fail(f"{reader}, {name}: an error of {worst}")


def check_readers(path, fields):
    with netCDF4.Dataset(path) as data:
        data.set_auto_mask(False)
        check_values("netCDF4", lambda name: data[name][...], fields)
    with xarray.open_dataset(path, mask_and_scale=False, engine="netcdf4") as data:
        check_values("xarray", lambda name: data[name].values, fields)
    with h5py.File(path) as data:
        check_values("h5py", lambda name: data[name][...], fields)
        for name, values in fields.items():
            stated = data[name].attrs["quantization_maximum_absolute_error"][0]
            if stated != worst_error(name, data[name][...], values):
                fail(f"{name}: the stated error is {stated}")
        container = data["smooth"].attrs["quantization"].decode()
        if data[container].attrs["algorithm"] != ENCODER.encode() or "quantization_nsb" in data["smooth"].attrs:
            fail("the attributes say something else")


def check_programs(path, fields):
    for command in (("ncdump", "-v", "land", path), ("h5dump", "-d", "/land", path), ("nccopy", path, "copied.nc")):
        if shutil.which(command[0]) and run(*command)[0] != 0:
            fail(f"{command[0]} cannot read {path}")
    if shutil.which("nccopy"):
        with netCDF4.Dataset("copied.nc") as data:
            data.set_auto_mask(False)
            check_values("nccopy", lambda name: data[name][...], fields)


def bodies(path):
    """Mask and bytes of each chunk, by variable and cell."""
    found = {}
    with h5py.File(path) as data:
        for name, each in data.items():
            for number in range(each.id.get_num_chunks() if each.chunks else 0):
                cell = each.id.get_chunk_info(number).chunk_offset
                found[name, cell] = each.id.read_direct_chunk(cell)
    return found


def check_other_ranks(path):
    """The same masks and values; the same bytes, except that SZ3 3.1 stores bytes that it has not set."""
    ours, others = bodies("out1.nc"), bodies(path)
    masks = [{key: mask for key, (mask, _) in each.items()} for each in (ours, others)]
    if masks[0] != masks[1] or (ENCODER != "sz3" and ours != others):
        fail(f"{path} has other bytes")
    with h5py.File("out1.nc") as one, h5py.File(path) as other:
        for name, _ in ours:
            if one[name][...].tobytes() != other[name][...].tobytes():
                fail(f"{path} has other values of {name}")


def check_masks(path):
    """Smooth chunks are the encoder's own; others have not passed through it."""
    with h5py.File(path) as data:
        creation = data["smooth"].id.get_create_plist()
        numbers = [creation.get_filter(each)[0] for each in range(creation.get_nfilters())]
    bit = 1 << numbers.index(FILTER)
    by_encoder = {name for (name, _), (mask, _) in bodies(path).items() if not mask & bit}
    wanted = {"smooth", "height", "constant", "zeros"} | ({"land"} if ENCODER == "sz3" else set())
    if not wanted <= by_encoder or by_encoder & {"holes", "range"}:
        fail(f"the encoder has made {by_encoder}")


def check_refusals():
    keys = {**KEYS, "COMPRESSION_QUANTIZE": f"absolute:{BOUND}:{ENCODER}"}
    for words, form, changes in (
            (f"filter {FILTER}", "netcdf4", {"folder": "/nowhere"}),
            ("netCDF-4 files only", "zarr", {"STORE": "zarr"}),
            ("checksum", "netcdf4", {"COMPRESSION_CHECKSUM": "true"}),
            (f"absolute:0.1:{ENCODER}", "netcdf4", {"COMPRESSION_QUANTIZE": f"relative:0.1:{ENCODER}"})):
        code, text = copy("in.nc", "refused", 2, form, **{**keys, **changes})
        if code == 0 or words not in " ".join(text.split()):
            fail(f"{changes} is not refused: {text[-2000:]}")
    if os.path.exists("refused"):
        fail("a refused file stays")


def main():
    fields = truth()
    make("in.nc", fields)
    keys = {**KEYS, "COMPRESSION_QUANTIZE": f"absolute:{BOUND}:{ENCODER}"}
    for ranks in (1, 2, 4):
        must_copy("in.nc", f"out{ranks}.nc", ranks, **keys)
        check_other_ranks(f"out{ranks}.nc")
    check_readers("out1.nc", fields)
    check_programs("out1.nc", fields)
    check_masks("out1.nc")
    must_copy("out1.nc", "back.nc", 2, "cdf5")
    with netCDF4.Dataset("out1.nc") as ours, netCDF4.Dataset("back.nc") as data:
        for each in (ours, data):
            each.set_auto_mask(False)
        for name in fields:
            if not numpy.array_equal(data[name][...], ours[name][...], equal_nan=True):
                fail(f"Sverdrup reads other values of {name}")
    code, text = copy("out1.nc", "unread.nc", 1, "cdf5", folder="/nowhere")
    if code == 0 or "HDF5_PLUGIN_PATH" not in text:
        fail(f"without a plug-in: {text[-2000:]}")
    check_refusals()
    print(f"{ENCODER}: read by netCDF4, xarray, h5py and Sverdrup")


main()
