"""Malformed Zarr groups: hostile_test.py ZARR_COPIES. Each of COUNT (40) mutations of run SEED (1), from number FIRST (0) on, is copied, or refused
with a reason; no signal ends the process that copies them all, and its memory stays within bounds. Another one takes its place where it ends, and the
file at fault is left as failed.NUMBER.zarr. MOST_SECONDS: then it ends, before COUNT."""
import json
import os
import pathlib
import random
import select
import shutil
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from zarr_modules import need  # noqa: E402

numpy, xarray, zarr = need("numpy", "xarray", "zarr")

COPIES = sys.argv[1]
COUNT, SEED, FIRST = (int(os.environ.get(name, value)) for name, value in [("COUNT", 40), ("SEED", 1), ("FIRST", 0)])
MOST_KB = 256 << 10
NUMBERS = ["0", "1", "-1", "7", "4096", "2147483648", "4294967295", "1099511627776", "9223372036854775807", "18446744073709551616",
           "1e300", "null", "[]", "{}", '""', '"zstd"', "true", "NaN", "-Infinity", '"NaN"', "-0.0", "1e-400", '"\\u0000"', '"../elsewhere"', '".."',
           "[" * 70 + "]" * 70, '{"a":1,"a":2}']
WORDS = ["..", "../elsewhere", "a/b", "a\\u0000b", "\\u001b[31m", "netcdf", "unlimited", "records", "dimensions", "time", "x", "bytes", "gzip", "zstd", "blosc", "crc32c", "sharding_indexed", "transpose", "big", "start", "v2", "regular", "float32", "int64"]


def make_originals():
    values = numpy.random.default_rng(3)
    data = xarray.Dataset({"t": (("time", "y", "x"), values.normal(size=(4, 12, 16)).astype("f4")), "n": (("y",), numpy.arange(12))})
    codecs = zarr.codecs
    for name, compressors, shards in [("plain", None, None), ("zstd", codecs.ZstdCodec(), None), ("gzip", codecs.GzipCodec(), (2, 12, 16)),
                                      ("blosc", codecs.BloscCodec(), (2, 6, 8))]:
        shutil.rmtree(name, ignore_errors=True)
        data.to_zarr(name, zarr_format=3, consolidated=name != "gzip", mode="w",
                     encoding={"t": {"chunks": (1, 6, 8), "compressors": compressors, "shards": shards}})
    return ["plain", "zstd", "gzip", "blosc", "ours"]


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
    if not places:  # nothing is left of it
        return text
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


def make_group(arrays, files=(), **more):
    """An array has what `arrays` says of it, and else a cell of bytes; `files`: names with lengths, of files without contents; `more`: of the
    consolidated metadata."""
    shutil.rmtree("hostile.zarr", ignore_errors=True)
    metadata = {}
    for name, array in arrays.items():
        metadata[name] = {"zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "uint8", "fill_value": 0, "attributes": {},
                          "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": array.pop("chunk", [1])}},
                          "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "codecs": ["bytes"], **array}
    os.makedirs("hostile.zarr")
    for name, length in files:
        path = pathlib.Path("hostile.zarr", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "wb") as file:
            file.truncate(length)
    group = {"zarr_format": 3, "node_type": "group", "attributes": {}, "consolidated_metadata": {"kind": "inline", "metadata": metadata, **more}}
    pathlib.Path("hostile.zarr/zarr.json").write_text(json.dumps(group))


def make_large_index(chunks):
    sharding = {"chunk_shape": [1], "codecs": ["bytes"], "index_codecs": ["bytes"], "index_location": "end"}
    make_group({"v": {"shape": [chunks], "chunk": [chunks], "dimension_names": ["x"],
                      "codecs": [{"name": "sharding_indexed", "configuration": sharding}]}}, [("v/c/0", 16 * chunks)])


def make_many_dimensions():
    make_group({}, netcdf={"records": 0, "dimensions": [{"name": f"d{n:06x}", "length": 1} for n in range(200_000)]})


def make_many_attributes():
    make_group({"v": {"dimension_names": ["x"], "attributes": {f"a{n:06x}": n for n in range(50_000)}}})


def make_wide_record():
    """A record of 2^40 chunks, of which one is there: opening for writing looks at this one."""
    dims = {"records": 1, "unlimited": "t", "dimensions": [{"name": "t", "length": 0}, {"name": "x", "length": 1 << 40}]}
    make_group({"v": {"shape": [1, 1 << 40], "chunk": [2, 1], "dimension_names": ["t", "x"]}}, [("v/c/0/7", 2)], netcdf=dims)


def make_names_that_lead_out():
    os.makedirs("elsewhere/c", exist_ok=True)
    pathlib.Path("elsewhere/c/0").write_bytes(b"s")
    make_group({"..": {}, ".": {}, "../elsewhere": {}, "a\0b": {}, "good": {}}, [("good/c/0", 1)])


def look_at_known(copier):
    """Groups that were too costly once, or led out of the group."""
    for make, line, may_fail in [(lambda: make_large_index(1 << 22), "read", True), (lambda: make_large_index(1 << 26), "read", True),
                                 (make_many_dimensions, "read", True), (make_many_attributes, "read", True), (make_wide_record, "write", False),
                                 (make_names_that_lead_out, "read", False)]:
        make()
        before = time.monotonic()
        was_read, wrong = copier.copy(line)
        if wrong or not (was_read or may_fail):
            sys.exit(f"{pathlib.Path('hostile.zarr/zarr.json').read_text()[:1000]}: {wrong or 'it was refused: ' + copier.cause}")
        if (seconds := time.monotonic() - before) > 60:
            sys.exit(f"{seconds:.0f} s for {line}: {pathlib.Path('hostile.zarr/zarr.json').read_text()[:300]}")
    assert pathlib.Path("elsewhere/c/0").read_bytes() == b"s", "what is outside the group was written"


def make_endless():
    """Of a variable that claims so many cells that even to list its parts would take gigabytes."""
    shutil.rmtree("hostile.zarr", ignore_errors=True)
    shutil.copytree("blosc", "hostile.zarr")
    for path in pathlib.Path("hostile.zarr").rglob("zarr.json"):
        metadata = json.loads(path.read_text())
        for array in [metadata, metadata.get("consolidated_metadata", {}).get("metadata", {}).get("t", {})]:
            if array.get("shape") == [4, 12, 16]:
                array["shape"] = [4, 12, 1 << 40]
        path.write_text(json.dumps(metadata))


class Copier:
    """The process that copies one group after the other."""

    def __init__(self):
        self.process = subprocess.Popen([COPIES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.most_kb = 0
        self.cause = ""

    def copy(self, line="read"):
        """Whether hostile.zarr could be read, and the error in the answer; "" if there is none."""
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass
        if not select.select([self.process.stdout], [], [], 60)[0]:
            self.process.kill()
        answer = self.process.stdout.readline().decode(errors="replace")
        if not answer.endswith("\n"):
            return False, f"the process ended with {self.process.wait()}"
        verdict, kb, cause = answer.rstrip("\n").split(" ", 2)
        self.most_kb = int(kb)
        self.cause = cause
        if self.most_kb > MOST_KB:
            return False, f"{self.most_kb >> 10} MiB of memory"
        if verdict == "refused" and "hostile.zarr" not in cause and "copy.nc" not in cause:
            return False, f"an error that names no file: {cause}"
        return verdict == "read", ""

    def end(self):
        self.process.communicate()
        return self.process.returncode


def main():
    originals = make_originals()
    read = refused = failed = most_kb = 0
    copier = Copier()
    shutil.rmtree("ours", ignore_errors=True)
    if not copier.copy("make")[0]:
        sys.exit(f"no group: {copier.cause}")
    look_at_known(copier)
    make_endless()
    was_read, wrong = copier.copy()
    if wrong or was_read:
        sys.exit(f"an endless variable: {wrong or 'it was copied'}")
    end = time.monotonic() + float(os.environ.get("MOST_SECONDS", "inf"))
    for number in range(FIRST, FIRST + COUNT):
        if time.monotonic() > end:
            break
        chance = random.Random(f"{SEED},{number}")
        make_hostile(chance, originals)
        was_read, wrong = copier.copy(chance.choice(["read", "read", "write"]))
        most_kb = max(most_kb, copier.most_kb)
        if wrong:
            failed += 1
            print(f"SEED={SEED} FIRST={number} COUNT=1: {wrong}", flush=True)
            shutil.rmtree(f"failed.{number}.zarr", ignore_errors=True)
            os.rename("hostile.zarr", f"failed.{number}.zarr")
            copier.end()
            copier = Copier()
        elif was_read:
            read += 1
        else:
            refused += 1
    if status := copier.end():
        failed += 1
        print(f"in the end the process ended with {status}")
    print(f"SEED={SEED}: {read + refused + failed} groups: {read} read, {refused} refused, {failed} failed; {most_kb >> 10} MiB of memory at most")
    if failed:
        sys.exit(1)
    if COUNT >= 40 and min(read, refused) == 0:
        sys.exit("all were alike: this looks at nothing")


main()
