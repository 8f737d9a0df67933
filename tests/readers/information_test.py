"""A share of the information is kept: information_test.py SV_COPY MPIRUN, in a folder of its own. Each chunk decides
how many bits, on any number of ranks and in both stores, and others read the file."""
import os
import subprocess
import sys

import netCDF4
import numpy
import zarr
from sverdrup.information import kept_bits, of_bits

SV_COPY, MPIRUN = sys.argv[1:3]
RECORDS, NY, NX, SHARE, FILL = 3, 64, 512, 0.99, numpy.float32(1e20)
STREAM, STREAMS = "stream.nc", f"""
streams:
  informed: {{file: stream.nc, frequency: 1 day, chunks: [1, {NY // 2}, {NX}], fields: [temp],
             compression: {{codec: "deflate:1", quantize: "information:{SHARE}"}}}}
  bounded: {{file: bounded.nc, frequency: 1 day, fields: [temp],
            compression: {{codec: "zstd:1", quantize: "absolute:0.01"}}}}
"""


def fail(text):
    sys.exit(f"readers.information: {text}")


def field(bits, seed, length=NY // 2):
    """Floats from 1 to 2, of which so many bits are equal in eight neighbours."""
    random = numpy.random.default_rng(seed)
    held = numpy.repeat(random.integers(0, 1 << bits, (length, NX // 8), dtype="u4"), 8, axis=-1)
    rest = random.integers(0, 1 << (23 - bits), (length, NX), dtype="u4")
    return (numpy.uint32(127 << 23) | held << numpy.uint32(23 - bits) | rest).view("f4")


def truth():
    """The second half has more information than the first one; the last record more than the others."""
    lasts = [record == RECORDS - 1 for record in range(RECORDS)]
    made = numpy.stack([numpy.concatenate([field(14 if is_last else 6, record), field(11, 10 + record)])
                        for record, is_last in enumerate(lasts)])  # fmt: skip
    made[:, 3:5, 100:300] = FILL
    made[0, 40, 7] = numpy.nan
    return made


def rounded(values):
    """Of one chunk."""
    bits = kept_bits(of_bits(numpy.ma.masked_values(values.ravel(), FILL, copy=True), 0), SHARE)
    words, drop = values.view("u4").astype("u8"), 23 - bits
    made = ((words + (1 << (drop - 1))) >> drop << drop).astype("u4").view("f4")
    return numpy.where(numpy.isnan(values) | (values == FILL), values, made), bits


def copy(ranks, to, **keys):
    form = "zarr" if to.endswith(".zarr") else "netcdf4"
    if to == STREAM:
        with open("streams.yaml", "w", encoding="utf-8") as file:
            file.write(STREAMS)
        command = [MPIRUN, str(ranks), SV_COPY, "-q", "--streams", "streams.yaml", "in.nc"]
        environment = {**os.environ, "SV_FORMAT": "netcdf4"}
        subprocess.run(command, env=environment, timeout=60, check=True)
        return
    keys = {"STORE": form, "COMPRESSION": "deflate:1", "COMPRESSION_QUANTIZE": f"information:{SHARE}",
            "CHUNKS": f"1,{NY // 2},{NX}", **keys}  # fmt: skip
    command = [MPIRUN, str(ranks), SV_COPY, "-q", "--force", "--format", form, "in.nc", to]
    environment = {**os.environ, **{f"SV_{key}": value for key, value in keys.items()}}
    done = subprocess.run(command, env=environment, timeout=60, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        fail(f"{to}: {done.stdout}{done.stderr}")


def contents(path):
    """Values, and the share and largest error that the file states."""
    names = "quantization_information", "quantization_maximum_relative_error"
    if path.endswith(".zarr"):
        temp = zarr.open_group(path, mode="r")["temp"]
        return temp[...], [temp.attrs[name] for name in names]
    with netCDF4.Dataset(path) as data:
        data.set_auto_mask(False)
        return data["temp"][:], [data["temp"].getncattr(name) for name in names]


def main():
    values = truth()
    with netCDF4.Dataset("in.nc", "w", format="NETCDF3_64BIT_DATA") as data:
        for name, length in (("time", None), ("y", NY), ("x", NX)):
            data.createDimension(name, length)
        time = data.createVariable("time", "f8", ("time",))
        time.units, time.calendar = "days since 2001-01-01", "noleap"
        time[:] = numpy.arange(1, RECORDS + 1)
        data.createVariable("temp", "f4", ("time", "y", "x"), fill_value=FILL)[:] = values
    wanted, bits = numpy.empty_like(values), []
    for record in range(RECORDS):
        for part in (slice(0, NY // 2), slice(NY // 2, NY)):
            wanted[record, part], kept = rounded(values[record, part])
            bits.append(kept)
    if not bits[0] < bits[1] < bits[4]:
        fail(f"the measure finds {bits} bits")
    worst = float(numpy.nanmax(numpy.abs(wanted.astype("f8") - values) / numpy.abs(values.astype("f8"))))
    for ranks, to, keys in ((1, "one.nc", {}), (3, "three.nc", {"ASYNC": "threads"}),
                            (2, "two.nc", {"COMPRESSION_THREADS": "2"}), (2, "group.zarr", {}),
                            (2, STREAM, {})):  # fmt: skip
        copy(ranks, to, **keys)
        found, stated = contents(to)
        if not numpy.array_equal(found.view("u4"), wanted.view("u4")):
            fail(f"{to}: {numpy.count_nonzero(found.view('u4') != wanted.view('u4'))} values differ")
        if stated[0] != SHARE or abs(stated[1] - worst) > 1e-12:
            fail(f"{to}: it states {stated}, and not {worst}")
    with netCDF4.Dataset(STREAM) as informed, netCDF4.Dataset("bounded.nc") as bounded:
        largest = bounded["temp"].quantization_maximum_absolute_error
        if not informed["temp"].filters()["shuffle"] or not 0 < largest <= 0.01:
            fail(f"streams: {informed['temp'].filters()}, an error of {largest}")
    print(f"kept {bits} bits; largest relative error {worst}")


main()
