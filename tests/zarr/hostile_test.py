"""Malformed Zarr groups: hostile_test.py SV_COPY. Each of COUNT (40) mutations of run SEED (1), from number FIRST (0) on, is copied, or refused with
a reason; no signal ends sv-copy, and its memory stays within bounds. What is at fault is left as hostile.zarr. MOST_SECONDS: then it ends, whatever
COUNT says."""
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import time

try:
    import numpy
    import xarray
    import zarr
    if int(zarr.__version__.split(".")[0]) < 3:
        raise ImportError(f"zarr is {zarr.__version__}, and 3 is needed")
except ImportError as error:
    print(f"skipped: {error}; scripts/setup test installs what is needed")
    sys.exit(77)

SV_COPY = sys.argv[1]
COUNT, SEED, FIRST = (int(os.environ.get(name, value)) for name, value in [("COUNT", 40), ("SEED", 1), ("FIRST", 0)])
MOST_KB = 256 << 10
NUMBERS = ["0", "1", "-1", "7", "4096", "2147483648", "4294967295", "1099511627776", "9223372036854775807", "18446744073709551616",
           "1e300", "null", "[]", "{}", '""', '"zstd"', "true"]
WORDS = ["bytes", "gzip", "zstd", "blosc", "crc32c", "sharding_indexed", "transpose", "big", "start", "v2", "regular", "float32", "int64"]


def make_originals():
    values = numpy.random.default_rng(3)
    data = xarray.Dataset({"t": (("time", "y", "x"), values.normal(size=(4, 12, 16)).astype("f4")), "n": (("y",), numpy.arange(12))})
    codecs = zarr.codecs
    for name, compressors, shards in [("plain", None, None), ("zstd", codecs.ZstdCodec(), None), ("gzip", codecs.GzipCodec(), (2, 12, 16)),
                                      ("blosc", codecs.BloscCodec(), (2, 6, 8))]:
        shutil.rmtree(name, ignore_errors=True)
        data.to_zarr(name, zarr_format=3, consolidated=name != "gzip", mode="w",
                     encoding={"t": {"chunks": (1, 6, 8), "compressors": compressors, "shards": shards}})
    return ["plain", "zstd", "gzip", "blosc"]


def mutate_text(chance, text):
    """Replaces a number or a word by another one, or leaves something out."""
    tokens, token = [], ""
    for letter in text:
        if letter.isalnum() or letter in "-._":
            token += letter
        else:
            tokens += [token, letter]
            token = ""
    places = [at for at, each in enumerate(tokens) if each.strip()]
    at = chance.choice(places)
    if tokens[at].lstrip("-").isdigit():
        tokens[at] = chance.choice(NUMBERS)
    elif tokens[at][0].isalpha() and chance.random() < 0.8:
        tokens[at] = chance.choice(WORDS)
    else:
        tokens[at] = chance.choice(["", tokens[at] * 2, "[", "}", '"'])
    return "".join(tokens)


def mutate_bytes(chance, body):
    body = bytearray(body)
    kind = chance.randrange(4)
    if kind == 0 and body:
        body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del body[chance.randrange(len(body) + 1):]
    elif kind == 2 and body:
        at = chance.randrange(len(body))
        body[at:at + 8] = bytes(chance.choice([0, 255]) for _ in range(8))
    else:
        body += bytes(chance.randrange(256) for _ in range(chance.randrange(1, 64)))
    return bytes(body)


def make_hostile(chance, originals):
    shutil.rmtree("hostile.zarr", ignore_errors=True)
    shutil.copytree(chance.choice(originals), "hostile.zarr")
    files = sorted(path for path in pathlib.Path("hostile.zarr").rglob("*") if path.is_file())
    metadata = [path for path in files if path.name == "zarr.json"]
    for _ in range(chance.randrange(1, 4)):
        path = chance.choice(metadata if chance.random() < 0.6 else files)
        if path.name == "zarr.json" and chance.random() < 0.85:
            path.write_text(mutate_text(chance, path.read_text(errors="replace")))
        else:
            path.write_bytes(mutate_bytes(chance, path.read_bytes()))


def main():
    originals = make_originals()
    read = refused = 0
    end = time.monotonic() + float(os.environ.get("MOST_SECONDS", "inf"))
    for number in range(FIRST, FIRST + COUNT):
        if time.monotonic() > end:
            break
        make_hostile(random.Random(f"{SEED},{number}"), originals)
        # The copy of what claims to be large would be large; only what reading it takes is looked at.
        limits = f"ulimit -f {4 << 10}; ulimit -v {4 << 20}; exec \"$@\""
        done = subprocess.run(["bash", "-c", limits, "bash", SV_COPY, "-q", "--force", "hostile.zarr", "copy.nc"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        text = done.stdout.decode(errors="replace")
        if done.returncode not in (0, 1) or (done.returncode == 1 and "hostile.zarr" not in text and "copy.nc" not in text):
            sys.exit(f"number {number} of SEED={SEED}: sv-copy ended with {done.returncode}: {text}")
        read, refused = read + (done.returncode == 0), refused + (done.returncode == 1)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{read + refused} groups: {read} read, {refused} refused; {most >> 10} MiB of memory at most")
    if most > MOST_KB:
        sys.exit("that is too much")
    if min(read, refused) == 0:
        sys.exit("all were alike: this looks at nothing")


main()
