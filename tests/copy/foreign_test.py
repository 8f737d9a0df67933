"""Files of other programs through sv-copy: readable parts are copied, and the rest is named. foreign_test.py CASE SV_COPY MPIRUN,
in a folder of its own."""
import glob
import itertools
import os
import pathlib
import socket
import struct
import subprocess
import sys

import netCDF4
import numpy

CASE, SV_COPY, MPIRUN = sys.argv[1:4]


def fail(text):
    sys.exit(f"copy.{CASE}: {text}")


def copy(*arguments, ranks=1, wanted=0):
    """Runs sv-copy; returns what it prints."""
    command = ([MPIRUN, str(ranks)] if ranks > 1 else []) + [SV_COPY, "-q", "-f", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    text = done.stdout.decode(errors="replace")
    if "not compiled" in text:
        sys.exit(77)
    if done.returncode != wanted:
        fail(f"{' '.join(command)} ended with {done.returncode}: {text}")
    return text


def expect(text, *parts):
    for part in parts:
        if text.count(part) != 1:
            fail(f"not once '{part}' in: {text}")


def both(source, *parts, settings=(), cdf=()):
    """Copies to netCDF-4 and to CDF-5, with HDF5 in this process and in its own; all print the same remarks, and the
    copies to CDF-5 these besides."""
    untrusted = ("--set", "reading.untrusted=true")
    for target, format, own, more, ranks in (("out.cdf.nc", "cdf5", cdf, (), 1), ("out.cdf.nc", "cdf5", cdf, untrusted, 2),
                                             ("out.nc", "netcdf4", (), (), 2), ("out.nc", "netcdf4", (), untrusted, 1)):
        expect(copy(source, target, "--format", format, *more, *settings, ranks=ranks), *parts, *own)
    return [netCDF4.Dataset(path) for path in ("out.cdf.nc", "out.nc")]


def same(found, right, what):
    if not numpy.array_equal(found, right):
        fail(f"{what}: {found} in place of {right}")


def dataset(path, **dims):
    data = netCDF4.Dataset(path, "w", format="NETCDF4")
    for name, length in dims.items():
        data.createDimension(name, length)
    return data


def model():
    """Objects of the netCDF-4 data model that the classic one lacks."""
    with dataset("rich.nc", x=3) as data:
        data.createVariable("ok", "f4", ("x",))[:] = [1, 2, 3]
        data.createVariable("expver", str, ("x",))[:] = numpy.array(["0001", "", "0005"], dtype=object)
        clouds = data.createEnumType("u1", "cloud", {"clear": 1, "cloudy": 2})
        data.createVariable("sky", clouds, ("x",))[:] = numpy.array([1, 2, 1], "u1")
        pair = data.createCompoundType(numpy.dtype([("a", "i4"), ("b", "f8")]), "pair")
        data.createVariable("pairs", pair, ("x",))
        lists = data.createVLType("i4", "list")
        data.createVariable("lists", lists, ("x",))
        data["ok"].setncattr_string("one", "text")
        data["ok"].setncattr_string("two", ["a", "bcd"])
        data.setncattr_string("empty", "")
        data.createGroup("sub").createVariable("v", "f4", ("x",))
    for read in both("rich.nc", "variable 'pairs': it is left out, since it contains structures of the type 'pair'",
                     "variable 'lists': it is left out, since it contains lists of the type 'list'",
                     cdf=("attribute 'two': it is left out, since it is a list of 2 strings",
                          "variable 'expver': it is left out, since it contains strings, which CDF files do not have",
                          "group 'sub': it is left out, since CDF files have no groups")):
        same(sorted(set(read.variables) - {"expver"}), ["ok", "sky"], "variables")
        same(read["ok"][:], [1, 2, 3], "ok")
        same(read["sky"][:], [1, 2, 1], "sky")
        same([read["ok"].one, read.empty], ["text", ""], "attributes")
        if read.data_model != "NETCDF4":
            same([*read["sky"].flag_values, read["sky"].flag_meanings], [1, 2, "clear cloudy"], "names of integers")
    same(read.enumtypes["cloud"].enum_dict, {"clear": 1, "cloudy": 2}, "an enumeration")
    same(read["sky"].datatype.name, "cloud", "the type of a variable")
    same(read["ok"].two, ["a", "bcd"], "strings")
    same(read["expver"][:], ["0001", "", "0005"], "a variable of strings")
    same(read["sub/v"].dimensions, ["x"], "a variable of a group")


def growing():
    """Dimensions that grow, where the classic model has none: they are read with the length that they have."""
    with dataset("late.nc", x=4, t=None) as data:
        late = data.createVariable("v", "i4", ("x", "t"), fill_value=-1, chunksizes=(2, 4))
        late[:, :5] = numpy.arange(20).reshape(4, 5)
        data.createVariable("w", "f8", ("t",))[:] = numpy.arange(7.0)
    right = numpy.full((4, 7), -1)
    right[:, :5] = numpy.arange(20).reshape(4, 5)
    for read in both("late.nc", "dimension 't': it is unlimited, and read with the length 7"):
        read.set_auto_mask(False)
        same(read.dimensions["t"].isunlimited(), read.data_model == "NETCDF4", "t")
        same(read["v"][:], right, "v")
        same(read["w"][:], numpy.arange(7.0), "w")
    with dataset("two.nc", b=None, a=None, x=2) as data:
        data.createVariable("v", "i4", ("b", "x"))[:3] = [[1, 2], [3, 4], [5, 6]]
        data.createVariable("odd", "i4", ("a",))
    for read in both("two.nc", "dimension 'a': it is unlimited, and read with the length 0",
                     cdf=("dimension 'a': it is left out, since it has the length 0",
                          "variable 'odd': it is left out, since one of its dimensions is")):
        enhanced = read.data_model == "NETCDF4"
        same(sorted(read.variables), ["odd", "v"] if enhanced else ["v"], "variables")
        same(enhanced and read.dimensions["a"].isunlimited(), enhanced, "a")
        same(read.dimensions["b"].isunlimited(), True, "b")
        same(read["v"][:], [[1, 2], [3, 4], [5, 6]], "v")
    with dataset("named.nc", time=None, x=None, y=5) as data:  # HDF5 has the variable under another name
        data.createVariable("x", "i4", ("y",))[:] = numpy.arange(11, 16)
        data.createVariable("v", "i4", ("time",))[:2] = [1, 2]
    for read in both("named.nc", "dimension 'x': it is unlimited, and read with the length 0",
                     cdf=("dimension 'x': it is left out, since it has the length 0",)):
        same(read["x"][:], numpy.arange(11, 16), "a variable named like a dimension")
    odd()


def odd():
    """Objects that only HDF5 writes: records in one piece, and names that netCDF-C's writers refuse."""
    h5py = needed()
    with dataset("odd.nc", time=None, y=5) as data:
        data.createVariable("time", "i4", ("time",))[:3] = [1, 2, 3]
        data.createVariable("y", "i4", ("y",))[:] = numpy.arange(5)
    numbers = numpy.arange(15, dtype="i4").reshape(3, 5)
    with h5py.File("odd.nc", "r+") as data:
        values = data.create_dataset("v", data=numbers)
        for d, name in enumerate(("time", "y")):
            values.dims[d].attach_scale(data[name])
        values.attrs["@type"] = numpy.int32(1)
        data.create_dataset("w+/w", data=numpy.int32(1))
        data["@w"] = numpy.int32(1)
    for read in both("odd.nc", "attribute '@type' of variable 'v': it is left out, since no attribute of netCDF may have this name",
                     "variable '@w': it is left out, since no variable of netCDF may have this name", cdf=("group 'w+'",)):
        same(read.dimensions["time"].isunlimited(), True, "time")
        same(read["v"][:], numbers, "records in one piece")


def attributes():
    """Attributes that other programs leave in classic files, and netCDF-4 or the library refuses in a new one."""
    with netCDF4.Dataset("in.nc", "w", format="NETCDF3_CLASSIC") as data:
        data.createDimension("x", 3)
        for name in ("v", "w"):
            data.createVariable(name, "i2", ("x",))[:] = [1, 2, 3]
        data["v"].setncattr("AAAAAAAAAAAAA", numpy.int32(0))  # a name as long as the reserved one
        data["v"].setncattr("CLASS", "a class")
        data.setncattr("Conventions", "CF-1.8")
        data["v"].setncattr("BFillValue", numpy.float64(-9))
        data["w"].setncattr("BFillValue", numpy.float64(-9.5))
    whole = pathlib.Path("in.nc").read_bytes()
    pathlib.Path("in.nc").write_bytes(whole.replace(b"AAAAAAAAAAAAA", b"_Netcdf4Dimid").replace(b"BFillValue", b"_FillValue"))
    fill = "variable 'w': its attribute '_FillValue' is left out, since it is not one value of the variable's type"
    expect(copy("in.nc", "out.nc", "--format", "netcdf4", ranks=2), fill,
           "attribute '_Netcdf4Dimid' of variable 'v': it is left out, since netCDF-4 keeps this name for itself",
           "attribute 'CLASS' of variable 'v': it is left out")
    expect(copy("in.nc", "out.cdf.nc"), fill)
    for path in ("out.nc", "out.cdf.nc"):
        with netCDF4.Dataset(path) as read:
            same(read["v"][:], [1, 2, 3], "v")
            same(read["v"]._FillValue, -9, "the fill value")
            same(read["v"]._FillValue.dtype, "i2", "the type of the fill value")
            same("_FillValue" in read["w"].ncattrs(), False, "another fill value")
            same(read.Conventions, "CF-1.8", "Conventions")
    with netCDF4.Dataset("out.cdf.nc") as read:
        same("_Netcdf4Dimid" in read["v"].ncattrs(), True, "what only netCDF-4 refuses")


number_of_ranks = itertools.cycle((1, 2))  # in turn: each cause and each setting of several files meets both


def refused(source, *parts, settings=()):
    text = copy(source, "out.nc", *settings, ranks=next(number_of_ranks), wanted=1)
    expect(text, *parts)
    if "store 'cdf'" in text or glob.glob("out.nc*"):
        fail(f"{source}: {text}, {glob.glob('out.nc*')}")


def damaged():
    """Files that netCDF-C cannot open, one of them because it crashes."""
    with dataset("whole.nc", x=1000) as data:
        data.createVariable("v", "f8", ("x",))[:] = numpy.arange(1000.0)
    whole = pathlib.Path("whole.nc").read_bytes()
    for length in (len(whole) - 100, 4000, 60, 20):
        pathlib.Path("cut.nc").write_bytes(whole[:length])
        for settings in ((), ("--set", "reading.untrusted=true"), ("--set", "store=netcdf4_library", "--format", "netcdf4")):
            refused("cut.nc", "'cut.nc'", "the file was cut: it has ", "Take a complete copy of it", settings=settings)
    pathlib.Path("torn.nc").write_bytes(whole[:200] + bytes(len(whole) - 200))
    refused("torn.nc", "'torn.nc'")
    h5py = needed()
    for has_space in (False, True):
        with h5py.File("null.nc", "w") as data:
            scale = data.create_dataset("x", data=h5py.Empty("f4") if not has_space else numpy.zeros(3, "f4"))
            for name, text in (("CLASS", "DIMENSION_SCALE"), ("NAME", "x")):
                terminated = h5py.h5t.C_S1.copy()  # as HDF5's own interface of scales writes it
                terminated.set_size(len(text) + 1)
                scale.attrs.create(name, numpy.bytes_(text), dtype=h5py.Datatype(terminated))
            values = data.create_dataset("v", data=numpy.arange(3.0))
            lists = numpy.empty(1, dtype=object)
            lists[0] = numpy.array([scale.ref], dtype=h5py.ref_dtype)
            values.attrs.create("DIMENSION_LIST", lists, dtype=h5py.vlen_dtype(h5py.ref_dtype))
            scale.attrs.create("REFERENCE_LIST", numpy.array([(values.ref, 0)], dtype=[("dataset", h5py.ref_dtype), ("dimension", "u4")]))
        if has_space:  # as the remedy says
            copy("null.nc", "out.nc")
            with netCDF4.Dataset("out.nc") as read:
                same(read["v"][:], [0, 1, 2], "v")
        else:
            for store in ("netcdf4", "netcdf4_library"):
                refused("null.nc", "'null.nc'", "netCDF-C cannot read it: the dataset 'x' has no dataspace",
                        "Write that object otherwise", settings=("--format", "netcdf4", "--set", f"store={store}"))
            text = copy("null.nc", "out.nc", "--set", "reading.untrusted=true", wanted=1)
            expect(text, "'null.nc'")


def needed():
    try:
        import h5py
        return h5py
    except ImportError:
        sys.exit(77)


def confined():
    """The helper process, as the system sees it."""
    helper = pathlib.Path(SV_COPY).parent.parent / "lib" / "sverdrup" / "sv-netcdf4-reader"
    ours, theirs = socket.socketpair()
    inherited = os.open("other.nc", os.O_RDWR)
    with subprocess.Popen([helper, "other.nc"], stdin=theirs, pass_fds=[inherited]) as process:
        theirs.close()
        ours.sendall(struct.pack("3q", 0, 0, 0))  # for definitions
        same(struct.unpack("2q", ours.recv(16, socket.MSG_WAITALL))[0], 0, "the status of definitions")
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        has_inherited = os.path.lexists(f"/proc/{process.pid}/fd/{inherited}")
        ours.close()
    os.close(inherited)
    same(has_inherited, False, "whether the helper has what this process had open")
    if "NoNewPrivs:\t1" not in status or (os.uname().machine in ("x86_64", "aarch64") and "Seccomp:\t2" not in status):
        fail(f"the helper is not confined: {status}")


def journalled():
    """The helper completes an interrupted commit, too."""
    for path, title in (("then.nc", "AsItIs!!"), ("in.nc", "AsItWas!")):
        with dataset("other.nc", x=3) as data:
            data.title = title
        copy("other.nc", path, "--format", "netcdf4")
    before, after = (pathlib.Path(path).read_bytes() for path in ("in.nc", "then.nc"))
    same(len(before), len(after), "the length")
    differ = [at for at in range(len(before)) if before[at] != after[at]]
    part = slice(differ[0], differ[-1] + 1)
    body = struct.pack("3q", len(before), part.start, part.stop - part.start) + before[part] + after[part]
    total = 0xcbf29ce484222325
    for each in body:
        total = (total ^ each) * 0x100000001b3 % 2**64
    pathlib.Path("in.nc.journal").write_bytes(b"SVJRNL01" + struct.pack("<qQ", len(body), total) + body)
    for settings in ((), ("--set", "reading.untrusted=true")):
        copy("in.nc", "out.nc", *settings)
        with netCDF4.Dataset("out.nc") as read:
            same(read.title, "AsItIs!!", "the title")
    os.remove("in.nc.journal")


def elsewhere():
    """Parts of a file that are in other files are read with the reader's rights, but not in an untrusted file."""
    h5py = needed()
    pathlib.Path("secret").write_bytes(b"a secret of the reader's own" + bytes(36))
    with h5py.File("other.nc", "w") as other:
        other.create_dataset("secret", data=numpy.full(4, 7.0))

    def external(data):
        data.create_dataset("v", (64,), "u1", external=[("secret", 0, 64)])

    def virtual(data):
        layout = h5py.VirtualLayout((4,), "f8")
        layout[:] = h5py.VirtualSource("other.nc", "secret", shape=(4,))
        data.create_virtual_dataset("v", layout)

    def link(data):
        data["v"] = h5py.ExternalLink("other.nc", "secret")

    def deep(data):
        data.create_group("a")["b"] = h5py.ExternalLink("other.nc", "secret")

    for make, cause in ((external, "the values of the dataset 'v' stand in another file (external storage)"),
                        (virtual, "the dataset 'v' is virtual: its values stand in other files"),
                        (link, "the link 'v' leads to another file"), (deep, "the link 'a/b' leads to another file")):
        with h5py.File("in.nc", "w", track_order=True) as data:
            make(data)
        refused("in.nc", "file 'in.nc': " + cause, "set 'reading.untrusted: false' if you trust", settings=("--set", "reading.untrusted=true"))
    confined()
    journalled()
    with h5py.File("in.nc", "w", track_order=True) as data:
        external(data)
    copy("in.nc", "out.nc", "--set", "reading.untrusted=false")
    with netCDF4.Dataset("out.nc") as read:
        same(read["v"][:8].tobytes(), b"a secret", "what the remedy gives")


for old in glob.glob("*.nc*"):
    os.remove(old)
{"model": model, "growing": growing, "attributes": attributes, "damaged": damaged, "elsewhere": elsewhere}[CASE]()
