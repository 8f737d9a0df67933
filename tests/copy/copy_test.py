"""sv-copy as a program: copy_test.py CASE SV_COPY MPIRUN, in a folder of its own."""
import glob
import os
import pathlib
import shutil
import subprocess
import sys

import netCDF4
import numpy

from same import difference

CASE, SV_COPY, MPIRUN = sys.argv[1:4]
MODEL = {"cdf1": "NETCDF3_CLASSIC", "cdf2": "NETCDF3_64BIT_OFFSET", "cdf5": "NETCDF3_64BIT_DATA"}
CLASSIC_TYPES = ["i1", "S1", "i2", "i4", "f4", "f8"]
WIDE_TYPES = ["u1", "u2", "u4", "i8", "u8"]


def fail(text):
    sys.exit(f"copy.{CASE}: {text}")


def copy(*arguments, ranks=1, wanted=0):
    """Runs sv-copy; returns what it says."""
    command = ([MPIRUN, str(ranks)] if ranks > 1 else []) + [SV_COPY, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    text = done.stdout.decode(errors="replace")
    if done.returncode != wanted:
        fail(f"{' '.join(command)} ended with {done.returncode}: {text}")
    return text


def expect_same(path, original):
    found = difference(path, original)
    if found:
        fail(f"{path} differs from {original}: {found}")


def kind_of(path):
    return f"cdf{pathlib.Path(path).read_bytes()[3]}"


def make(path, kind, types, records=3):
    """Fixed, record, scalar and text variables, of every type, with attributes of every type, on odd lengths."""
    with netCDF4.Dataset(path, "w", format=MODEL[kind]) as data:
        data.set_auto_maskandscale(False)
        for name, length in (("y", 5), ("time", None), ("x", 7)):
            data.createDimension(name, length)
        data.setncattr("title", "a café")
        data.setncattr("none", "")
        for i, t in enumerate(types):
            for name, dims in ((f"fixed_{t}", ("y", "x")), (f"record_{t}", ("time", "x")), (f"scalar_{t}", ())):
                variable = data.createVariable(name, t, dims)
                if t != "S1":
                    variable.setncattr("some", numpy.arange(1, 2 + i % 3, dtype=t))
                variable.setncattr("long_name", f"{name}, a variable")
                shape = tuple({"y": 5, "time": records, "x": 7}[d] for d in dims)
                count = int(numpy.prod(shape))
                values = (numpy.arange(count) * 37 + 11 * i) % 100 + 1
                variable[...] = (values.astype("u1").view("S1") if t == "S1" else values.astype(t)).reshape(shape)


def kinds():
    make("start.nc", "cdf1", CLASSIC_TYPES)
    # Every ordered pair of kinds once.
    path = ["cdf1", "cdf1", "cdf2", "cdf2", "cdf5", "cdf5", "cdf1", "cdf5", "cdf2", "cdf1"]
    source = "start.nc"
    for step, kind in enumerate(path[1:]):
        target = f"{step}.{kind}.nc"
        copy(source, target, "--format", kind, "-q", ranks=1 if step % 4 else 3)
        expect_same(target, "start.nc")
        if kind_of(target) != kind:
            fail(f"{target} is {kind_of(target)}")
        source = target
    for tool in (["cdfdiff", "-q"], ["ncmpidiff", "-q"], ["ncvalidator", "-q"]):
        files = [source] if tool[0] == "ncvalidator" else [source, "start.nc"]
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        done = subprocess.run(tool + files, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, timeout=60)
        if done.returncode != 0:
            fail(f"{tool[0]}: {done.stdout.decode()}")
    # Types of CDF-5 alone; and no record at all.
    make("wide.nc", "cdf5", CLASSIC_TYPES + WIDE_TYPES)
    copy("wide.nc", "wide.copy.nc", "-q", ranks=3)
    expect_same("wide.copy.nc", "wide.nc")
    make("no_record.nc", "cdf2", ["i2", "f8"], records=0)
    copy("no_record.nc", "no_record.copy.nc", "-q")
    expect_same("no_record.copy.nc", "no_record.nc")


def no_record_of_chunks():
    """No record yet, of chunks that would have many."""
    with netCDF4.Dataset("none.nc", "w") as data:
        data.createDimension("time", None)
        data.createVariable("time", "f8", ("time",))
    copy("none.nc", "none.copy.nc", "-q")
    expect_same("none.copy.nc", "none.nc")


def damaged_chunk():
    """One rank alone reads damaged values; all get the error."""
    copy("start.nc", "bad.zarr", "-q", "--chunks", "13,17", "--chunk-records", "20", "--deflate", "1")
    max(path for path in pathlib.Path("bad.zarr/flat/c").rglob("*") if path.is_file()).write_bytes(b"no zlib")
    text = copy("bad.zarr", "out.nc", "-q", "--format", "cdf5", ranks=2, wanted=1)
    if "bad.zarr" not in text or "flat" not in text or "different calls" in text:
        fail(f"a damaged chunk of rank 1: {text}")


def stores():
    """Through netCDF-4 and its classic model, compressed, and through PnetCDF, and back."""
    make("start.nc", "cdf2", CLASSIC_TYPES)
    make("wide.nc", "cdf5", CLASSIC_TYPES + WIDE_TYPES)
    probe = subprocess.run([SV_COPY, "-q", "--format", "netcdf4", "start.nc", "probe.nc"], stderr=subprocess.PIPE, timeout=60)
    if b"not compiled" in probe.stderr:
        sys.exit(77)
    copy("wide.nc", "wide.4.nc", "-q", "--format", "netcdf4", "--deflate", "3", "--shuffle", "--chunk-layout", "2,1", ranks=3)
    expect_same("wide.4.nc", "wide.nc")
    with netCDF4.Dataset("wide.4.nc") as data:
        of = data["fixed_f8"]
        if of.chunking() != [5, 4] or of.filters()["complevel"] != 3 or not of.filters()["shuffle"]:
            fail(f"chunks {of.chunking()}, filters {of.filters()}")
    copy("wide.4.nc", "wide.5.nc", "-q", "--format", "cdf5", ranks=3)
    expect_same("wide.5.nc", "wide.nc")
    copy("start.nc", "classic.nc", "-q", "--format", "netcdf4_classic")
    copy("classic.nc", "again.nc", "-q", ranks=3)
    with netCDF4.Dataset("again.nc") as data:
        if data.data_model != "NETCDF4_CLASSIC":
            fail(f"a copy of the classic model is {data.data_model}")
    subprocess.run(["nccopy", "-k", "nc3", "again.nc", "nccopy.nc"], check=True, timeout=60)
    for path in ("again.nc", "nccopy.nc"):
        expect_same(path, "start.nc")
    copy("start.nc", "p.nc", "-q", "--store", "pnetcdf", ranks=3)
    expect_same("p.nc", "start.nc")
    if kind_of("p.nc") != "cdf2":
        fail(f"without --format the copy is {kind_of('p.nc')}")
    pathlib.Path("bad.nc").write_bytes(pathlib.Path("wide.4.nc").read_bytes()[:3000])
    refused("bad.nc", "out.nc", ranks=3, says=["file 'bad.nc'"])
    refused("wide.4.nc", "out.nc", "--format", "netcdf4_classic", says=["variable 'fixed_u1'", "Set the format to netcdf4"])


def chunks_of(path, name):
    with netCDF4.Dataset(path) as data:
        return data[name].chunking()


def check_zarr(path, original):
    """The values that zarr-python reads of a group, if it is installed."""
    try:
        import zarr
    except ImportError:
        return
    with netCDF4.Dataset(original) as data:
        data.set_auto_maskandscale(False)
        group = zarr.open_group(path, mode="r")
        for name, variable in data.variables.items():
            if not numpy.array_equal(group[name][...], variable[...]):
                fail(f"zarr-python reads other values of {name} from {path}")


def rechunk():
    """Chunks that span records, in input and output, in memory that has room for a part of them."""
    with netCDF4.Dataset("start.nc", "w", format="NETCDF3_64BIT_OFFSET") as data:
        for name, length in (("time", None), ("z", 3), ("y", 13), ("x", 17)):
            data.createDimension(name, length)
        random = numpy.random.default_rng(5)
        for name, dims in (("t", ("time",)), ("map", ("y", "x")), ("flat", ("time", "y", "x")), ("deep", ("time", "z", "y", "x"))):
            shape = tuple({"time": 37, "z": 3, "y": 13, "x": 17}[d] for d in dims)
            data.createVariable(name, "f4" if name != "deep" else "f8", dims)[...] = random.integers(0, 50, shape)
    try:
        copy("start.nc", "maps.nc", "-q", "--format", "netcdf4", "--deflate", "1")
    except SystemExit as error:
        if "not compiled" in str(error):
            sys.exit(77)
        raise
    source = "start.nc"
    for turn in range(12):  # all kinds with all of the memories, and with two numbers of ranks each
        ranks = (1, 3, 2, 5)[turn % 4]
        kind = ("netcdf4", "zarr", "netcdf4", "cdf5", "zarr", "netcdf4")[turn % 6]
        y, x, records = (int(random.integers(1, most + 1)) for most in (13, 17, 40))
        target = f"{turn}.{'zarr' if kind == 'zarr' else 'nc'}"
        words = ["--memory", ("2kB", "30kB", "1MB")[turn % 3]]
        if kind != "cdf5":
            words += ["--chunks", f"{y},{x}", "--chunk-records", str(records), "--deflate", str(turn % 2)]
        if kind != "zarr":  # NAME.zarr says it
            words += ["--format", kind]
        copy(source, target, "-q", *words, ranks=ranks)
        if kind == "zarr":
            check_zarr(target, "start.nc")
        else:
            expect_same(target, "start.nc")
        if kind == "netcdf4" and chunks_of(target, "flat") != [records, y, x]:
            fail(f"{target} has chunks of {chunks_of(target, 'flat')} in place of {[records, y, x]}")
        source = target
    refused("start.nc", "out.nc", "--format", "netcdf4", "--growing", "--chunk-records", "4", "--deflate", "1",
            says=["'chunks.records' in a growing file", "sv-copy makes such chunks"], ranks=3)
    no_record_of_chunks()
    damaged_chunk()


def options():
    make("in.nc", "cdf2", ["i2", "f4"])
    text = copy("--set", "header_reserve=0", "in.nc", "out.nc", "--set", "writers=1")
    if "sv-copy: out.nc: " not in text or "[" in text:
        fail(f"no last line, or a bar without a terminal: {text}")
    expect_same("out.nc", "in.nc")
    if "exists" not in copy("in.nc", "out.nc", wanted=1):
        fail("an existing file was replaced")
    if "exists" not in copy("in.nc", "out.nc", "--no-clobber", wanted=1):
        fail("an existing file was replaced")
    copy("in.nc", "out.nc", "--force", "-q", "--format", "auto", "--growing")
    copy("in.nc", "each_%v.nc", "-q")  # no file has this name
    if "exist" not in copy("in.nc", "each_%v.nc", "-q", wanted=1):
        fail("a file for each variable was replaced")
    expect_same("out.nc", "in.nc")
    if not os.path.exists("out.nc.complete"):
        fail("a growing copy has no marker")
    # Without a launcher, Open MPI starts no server, which it would not find here.
    environment = os.environ | {"OPAL_BINDIR": "/nonexistent"}
    subprocess.run([SV_COPY, "-q", "in.nc", "alone.nc"], env=environment, check=True, timeout=60)


def refused(*arguments, says, ranks=1):
    text = copy(*arguments, ranks=ranks, wanted=1)
    for part in says:
        if text.count(part) != 1:
            fail(f"not once '{part}' in: {text}")
    if glob.glob("out.nc*"):
        fail(f"{arguments} left {glob.glob('out.nc*')}")


def refuses():
    make("in.nc", "cdf5", CLASSIC_TYPES)
    make("wide.nc", "cdf5", ["i4", "u2"])
    refused("in.nc", "in.nc", says=["onto itself"])
    for size in ("-5", "0", "2TiB"):
        copy("in.nc", "out.nc", f"--memory={size}", wanted=2)
    refused("in.nc", "out.nc", "--format", "netcdf4", "--chunk-records", "2147483647", says=["'chunks.records'"])
    refused("in.nc", "./in.nc", "-f", says=["onto itself"])
    # Nothing that is read may be lost by writing: neither by another name of it, nor by one that is used meanwhile.
    for name in ("part", "complete", "header", "part.header", "gone"):
        make("out.nc." + name, "cdf5", ["i4"])
        before = pathlib.Path("out.nc." + name).read_bytes()
        text = copy("out.nc." + name, "out.nc", wanted=1)
        if "would be lost" not in text or "--rescue" not in text:
            fail(f"out.nc.{name}: {text}")
        if pathlib.Path("out.nc." + name).read_bytes() != before:
            fail(f"out.nc.{name} was changed")
        os.remove("out.nc." + name)
    make("lead.part", "cdf5", ["i4"])
    os.symlink("lead", "leads.nc")  # a file that is written through it begins as lead.part
    if "would be lost" not in copy("lead.part", "leads.nc", wanted=1) or not os.path.exists("lead.part"):
        fail("written through a link")
    os.remove("lead.part")
    os.symlink("in.nc", "link.nc")
    os.link("in.nc", "hard.nc")
    refused("in.nc", "link.nc", "-f", says=["onto itself"])
    refused("in.nc", "hard.nc", "-f", says=["onto itself"])
    refused("absent.nc", "out.nc", says=["absent.nc", "No such file"])
    refused("in.nc", "no/such/out.nc", says=["directory 'no/such'"])
    refused("wide.nc", "out.nc", "--format", "cdf2", ranks=3, says=["variable 'fixed_u2'", "CDF-2", "cdf5"])
    refused("in.nc", "out.nc", "--format", "cdf4", says=["value 'cdf4'", "nearest"])
    refused("in.nc", "out.nc", "--set", "chunky=2", says=["'chunky'"])
    whole = pathlib.Path("in.nc").read_bytes()
    pathlib.Path("bad.nc").write_bytes(whole[:-40])  # ends in the last record
    refused("bad.nc", "out.nc", ranks=3, says=["variable 'record_", "ends after"])
    pathlib.Path("bad.nc").write_bytes(whole[:400])
    refused("bad.nc", "out.nc", says=["malformed"])
    pathlib.Path("bad.nc").write_bytes(whole[:4] + b"\x00\x0f" + b"\xff" * 6 + whole[12:])  # 10^15 records
    refused("bad.nc", "out.nc", says=["bad.nc"])
    pathlib.Path("bad.nc").write_bytes(b"netCDF? no")
    refused("bad.nc", "out.nc", says=["not a netCDF file"])
    # An error that only the definition of the copy finds is one of the input, too.
    for before, after, cause in ((b"title", b"tit\x01e", "control character"), (b"fixed_f8", b"fixed_f4", "defined twice")):
        pathlib.Path("odd.nc").write_bytes(whole.replace(before, after))
        refused("odd.nc", "out.nc", ranks=3, says=["'odd.nc'", cause])
    os.mkfifo("pipe.nc")
    refused("pipe.nc", "out.nc", says=["pipe.nc", "pipe or a device"])
    # A count of records without a variable that has some: nothing to copy, and no time taken for it.
    pathlib.Path("empty.nc").write_bytes(b"CDF\x05" + b"\x7f" + b"\xff" * 7 + b"\x00" * 36)
    copy("empty.nc", "out.nc", "-q")


def rescued(source, wanted, ranks=1):
    """The lines of --rescue for each variable, and the copy."""
    before = pathlib.Path(source).read_bytes()
    text = copy("--rescue", "-f", source, "saved.nc", ranks=ranks)
    for name, part in wanted.items():
        if f"{name}: {part}" not in text:
            fail(f"{source}: no '{name}: {part}' in {text}")
    if pathlib.Path(source).read_bytes() != before:
        fail(f"{source} was changed")


def rescue():
    make("whole.nc", "cdf5", ["i4", "f8"])
    whole = pathlib.Path("whole.nc").read_bytes()
    pathlib.Path("out.nc.part").write_bytes(whole)
    for ranks in (1, 3):
        rescued("out.nc.part", {"fixed_i4": "saved", "record_f8": "3 of 3 records"}, ranks)
        expect_same("saved.nc", "whole.nc")
    # Cut within the last record: its first variable is there, its second is not.
    pathlib.Path("torn.nc").write_bytes(whole[:-20])
    for ranks in (1, 3):
        rescued("torn.nc", {"scalar_f8": "saved", "record_i4": "3 of 3 records", "record_f8": "2 of 3 records; missing"}, ranks)
        with netCDF4.Dataset("saved.nc") as saved, netCDF4.Dataset("whole.nc") as original:
            for name in ("record_i4", "fixed_i4", "fixed_f8"):
                if not numpy.array_equal(saved[name][...], original[name][...]):
                    fail(f"{name} was not saved")
            if not numpy.array_equal(saved["record_f8"][:2], original["record_f8"][:2]):
                fail("two records of record_f8 were not saved")
            if not numpy.ma.getmaskarray(saved["record_f8"][2]).all():
                fail("a missing record is not filled")
    # A header that promises 10^15 records.
    pathlib.Path("many.nc").write_bytes(whole[:4] + (10**15).to_bytes(8, "big") + whole[12:])
    rescued("many.nc", {"fixed_i4": "saved", "record_i4": f"3 of {10**15} records"})
    # Nothing but a header: an error, and nothing under the name.
    with netCDF4.Dataset("header.nc", "w", format="NETCDF3_CLASSIC") as data:
        data.createDimension("x", 1000)
        data.createVariable("v", "f8", ("x",))
    bare = pathlib.Path("header.nc").read_bytes()
    pathlib.Path("header.nc").write_bytes(bare[:100])
    os.remove("out.nc.part")
    refused("--rescue", "header.nc", "out.nc", says=["nothing to save"])


for old in glob.glob("*.nc*") + glob.glob("lead.*"):
    os.remove(old)
for old in glob.glob("*.zarr*"):
    shutil.rmtree(old)
{"kinds": kinds, "stores": stores, "rechunk": rechunk, "options": options, "refuses": refuses, "rescue": rescue}[CASE]()
