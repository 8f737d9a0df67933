"""In every way that a process can load netCDF, a program works as without Sverdrup: functions that it has looked up by a handle (as ctypes and
Julia do), libraries under other names that only a module sees (as those of Python's wheels), several of them, and all of it mixed."""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("run", "library", "real", "source", "compiler", "include"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--child", help="what to do in a process of its own")
arguments = parser.parse_args()
place = pathlib.Path.cwd() if arguments.child else pathlib.Path("loading").resolve()
CLASSIC, NETCDF4 = 0, 0x1000


def must(code):
    assert code == 0, f"code {code}"


def make(netcdf, path, value, mode=CLASSIC):
    file, dim, variable = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    must(netcdf.nc_create(os.fsencode(path), mode, ctypes.byref(file)))
    must(netcdf.nc_def_dim(file, b"x", ctypes.c_size_t(2), ctypes.byref(dim)))
    must(netcdf.nc_def_var(file, b"v", 6, 1, ctypes.byref(dim), ctypes.byref(variable)))
    must(netcdf.nc_enddef(file))
    must(netcdf.nc_put_var_double(file, variable, (ctypes.c_double * 2)(value, value + 1)))
    return file


def values(netcdf, path):
    file, found = ctypes.c_int(), (ctypes.c_double * 2)()
    must(netcdf.nc_open(os.fsencode(path), 0, ctypes.byref(file)))
    must(netcdf.nc_get_var_double(file, 0, found))
    must(netcdf.nc_close(file))
    return list(found)


def by_handle():
    """All functions from a handle: the real library's own. Nothing of it meets ours."""
    netcdf = ctypes.CDLL(arguments.real)
    must(netcdf.nc_close(make(netcdf, "handle.nc", 3)))
    assert values(netcdf, "handle.nc") == [3, 4]


def by_name():
    """All functions by the names that the process sees."""
    netcdf = ctypes.CDLL(None)
    must(netcdf.nc_close(make(netcdf, "name.nc", 5)))
    assert values(netcdf, "name.nc") == [5, 6]


def mixed():
    """Both, in turn: each knows its own files, and refuses the other's."""
    seen, handle = ctypes.CDLL(None), ctypes.CDLL(arguments.real)
    ours = make(seen, "seen.nc", 1)
    theirs = make(handle, "held.nc", 7)
    more = make(seen, "more.nc", 9)
    dims = ctypes.c_int()
    assert handle.nc_inq_ndims(ours, ctypes.byref(dims)) in (0, -33), "a file of ours is another one of the real library"
    must(seen.nc_inq_ndims(theirs, ctypes.byref(dims)))
    for netcdf, file in ((handle, theirs), (seen, more), (seen, ours)):
        must(netcdf.nc_close(file))
    for netcdf in (seen, handle):
        for path, value in (("seen.nc", 1), ("held.nc", 7), ("more.nc", 9)):
            assert values(netcdf, path) == [value, value + 1], path


class Info(ctypes.Structure):
    _fields_ = [("path", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]


def module(name):
    loaded = ctypes.CDLL(str(place / name / "module.so"))
    loaded.module_make.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_double]
    loaded.module_version.restype = ctypes.c_void_p
    return loaded


def library_of(loaded):
    info = Info()
    assert ctypes.CDLL(None).dladdr(ctypes.c_void_p(loaded.module_version()), ctypes.byref(info)) != 0
    return pathlib.Path(info.path.decode()).resolve().name


def by_module():
    """A module whose library has a name of its own, and that no other module sees."""
    loaded = module("one")
    assert library_of(loaded).startswith("libnetcdf-"), library_of(loaded)
    must(loaded.module_make(b"module.nc", CLASSIC, 2))
    must(loaded.module_make(b"module4.nc", NETCDF4, 4))
    reader = ctypes.CDLL(str(next((place / "one").glob("libnetcdf-*"))))
    assert values(reader, "module.nc") == [2, 3] and values(reader, "module4.nc") == [4, 5]


def by_several():
    """Two modules with a library each, and a third by a handle: numbers of their files are the same, and each is its own library's."""
    loaded = [module("one"), module("two")]
    assert library_of(loaded[0]) != library_of(loaded[1])
    for at, each in enumerate(loaded):
        must(each.module_make(f"several{at}.nc".encode(), CLASSIC, 10 * at))
        must(each.module_make(f"four{at}.nc".encode(), NETCDF4, 10 * at))
    handle = ctypes.CDLL(str(place / "three" / "libnetcdf.so"))
    held = make(handle, "held3.nc", 30, NETCDF4)
    files = [ctypes.c_int(), ctypes.c_int()]
    for at, each in enumerate(loaded):
        must(each.module_open(f"four{at}.nc".encode(), ctypes.byref(files[at])))
    assert [each.module_dims(file) for each, file in zip(loaded, files)] == [1, 1]
    must(loaded[0].module_close(files[0]))
    assert loaded[1].module_dims(files[1]) == 1, "one library has closed the file of another"
    must(loaded[1].module_close(files[1]))
    must(handle.nc_close(held))
    must(handle.nc_close(make(handle, "held4.nc", 40)))
    assert values(handle, "held3.nc") == [30, 31] and values(handle, "held4.nc") == [40, 41]
    assert values(handle, "several1.nc") == [10, 11] and values(handle, "four1.nc") == [10, 11]


def by_wheel():
    """PyPI's netCDF4, where it is installed, whose library has a hashed name."""
    import netCDF4

    for kind in ("NETCDF3_64BIT_OFFSET", "NETCDF4"):
        with netCDF4.Dataset(f"{kind}.nc", "w", format=kind) as file:
            file.createDimension("x", 2)
            file.createVariable("v", "f8", ("x",))[:] = [1.5, 2.5]
        with netCDF4.Dataset(f"{kind}.nc") as file:
            assert list(file["v"][:]) == [1.5, 2.5]


def prepare():
    """Copies of the real library under names of their own, and a module that needs each."""
    shutil.rmtree(place, ignore_errors=True)
    real = pathlib.Path(arguments.real).resolve()
    listed = subprocess.run(["readelf", "-dW", str(real)], capture_output=True, text=True, check=True).stdout
    soname = re.search(r"SONAME\).*\[(.+)\]", listed)[1]
    for number, name in enumerate(("one", "two", "three")):
        (place / name).mkdir(parents=True)
        hashed = "libnetcdf-" + "".join(f"{number}a" for _ in soname)[:len(soname) - len("libnetcdf-.so")] + ".so"
        copy = place / name / ("libnetcdf.so" if name == "three" else hashed)
        assert len(hashed) == len(soname), (hashed, soname)
        copy.write_bytes(real.read_bytes().replace(soname.encode() + b"\0", hashed.encode() + b"\0"))
        if name == "three":
            continue
        subprocess.run([arguments.compiler, "-shared", "-fPIC", f"-I{arguments.include}", arguments.source, "-o", str(place / name / "module.so"),
                        str(copy), f"-Wl,-rpath,{place / name}"], check=True)


def run(action, head):
    command = [*head, sys.executable, __file__, *sys.argv[1:], "--child", action]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{action} by {head}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


if arguments.child:
    globals()[arguments.child]()
    sys.exit(0)
prepare()
LEFT = "left to netCDF: the program calls functions that it has looked up"
for action, told in (("by_handle", LEFT), ("mixed", LEFT), ("by_module", "module.nc: 1 rank, 1 puts"), ("by_several", "several1.nc: 1 rank, 1 puts")):
    preload = ["env", f"LD_PRELOAD={arguments.real}"] if action == "mixed" else []
    run(action, preload)
    said = run(action, [*preload, arguments.run])
    assert told in said, f"{action}: {said}"
assert "Sverdrup carried 1 of 1 files" in run("by_name", ["env", f"LD_PRELOAD={arguments.real}", arguments.run])
if subprocess.run([sys.executable, "-c", "import netCDF4"], capture_output=True, timeout=120).returncode == 0:
    run("by_wheel", [])
    said = run("by_wheel", [arguments.run])
    assert "NETCDF3_64BIT_OFFSET.nc: opened 2 times" in said and "NETCDF4.nc: left to netCDF: netCDF-4" in said, said
print("files are the same in every way of loading")
