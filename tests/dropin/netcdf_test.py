"""Programs of netCDF by themselves and by sv-run: the same codes and values, the same files byte by byte, and the report of sv-run."""
import argparse
import difflib
import functools
import os
import pathlib
import re
import resource
import shutil
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "calls"):
    parser.add_argument(f"--{name}", required=True)
for name in ("definitions", "library", "header", "more", "fortran"):
    parser.add_argument(f"--{name}")
parser.add_argument("--all", action="store_true", help="the calls alone: each name with each variable and case, for the campaign")
arguments = parser.parse_args()
CLASSIC, OFFSETS, WIDE = 0, 0x0200, 0x0020


def launch(head, command, folder, code=0, **variables):
    done = subprocess.run([*head, *command], env={**os.environ, **variables}, cwd=folder, capture_output=True, text=True,
                          timeout=7200 if arguments.all else 60)
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def compare(wanted, found):
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (wanted, found)]
    different = list(difflib.unified_diff(*lines, "netCDF", "Sverdrup", lineterm="", n=0))
    assert not different, "\n".join(different[:40])
    return len(lines[0])


def both(command):
    """Runs it both ways, each in a folder of its own. Returns the folders, and the report of sv-run."""
    folders, told = [], ""
    for name, head in (("theirs", []), ("ours", [arguments.run])):
        folder = pathlib.Path(name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        told = launch(head, command, folder)
        folders.append(folder)
    return *folders, told


def check_names():
    """The library has all names of the header with a fixed number of arguments, those of more_names.h, and no MPI."""
    listed = subprocess.run(["nm", "-D", "--defined-only", arguments.library], capture_output=True, text=True, check=True)
    exported = {line.split()[2].split("@")[0] for line in listed.stdout.splitlines()}
    names = set()
    for header in (arguments.header, arguments.more):
        text = re.sub(r"/\*.*?\*/", "", pathlib.Path(header).read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.M)
        names |= set(re.findall(r"\bnc_[a-z_]\w*(?=\s*\()", text))
    assert exported == names - {"nc_advise"}, f"other names than those of the headers: {sorted(exported ^ names)}"
    assert len(exported) > 300
    needed = subprocess.run(["ldd", arguments.library], capture_output=True, text=True, check=True).stdout
    assert "libmpi" not in needed and "netcdf" not in needed, needed


@functools.cache
def open_values():
    """netCDF does not define the value for range errors: ["filled"] if this library has fill values there."""
    said = subprocess.run([arguments.calls, "asked.nc"], capture_output=True, text=True, check=True, timeout=60).stdout.split()
    assert said in (["filled"], ["cut"]), said
    return [word for word in said if word == "filled"]


def check_calls():
    words = (["all"] if arguments.all else []) + open_values()
    for flags in (CLASSIC, OFFSETS, WIDE):
        theirs, ours, told = both([arguments.calls, "file.nc", "log", str(flags), *words])
        assert "Sverdrup carried 1 of 1 files" in told, told
        print(f"flags {flags}: {compare(theirs / 'log', ours / 'log')} lines are the same")
        assert (theirs / "file.nc").read_bytes() == (ours / "file.nc").read_bytes(), f"flags {flags}: the files differ"


def contents(path):
    if not re.match(r"xgrown.01", path.name):
        return path.read_bytes()
    return subprocess.run(["ncdump", str(path)], capture_output=True, check=True).stdout


def check_definitions():
    theirs, ours, told = both([arguments.definitions, "x", "log", *open_values()])
    print(f"definitions: {compare(theirs / 'log', ours / 'log')} lines are the same")
    files = sorted(path.name for path in theirs.glob("*.nc"))
    assert files == sorted(path.name for path in ours.glob("*.nc")) and len(files) > 15, "other files"
    # Without fill values, padding in places where something else stood before is open: there the values are compared.
    different = [name for name in files if contents(theirs / name) != contents(ours / name)]
    assert not different, f"these files differ: {different}"
    assert "xgrown000.nc: opened 3 times, " in told and told.count("left to netCDF") == 0, told


def check_fortran():
    """Where netCDF-Fortran is installed."""
    if not arguments.fortran:
        return
    theirs, ours, told = both([arguments.fortran])
    assert "Sverdrup carried 1 of 1 files" in told, told
    assert (theirs / "f90.nc").read_bytes() == (ours / "f90.nc").read_bytes(), "the files of Fortran differ"


def check_extremes():
    """Counts whose sum with a start is no number, over which netCDF itself falls; a name that begins with another letter than ASCII's;
    one that is too long in normal form; and a copy of rows that no memory holds."""
    program = """
import ctypes, sys
netcdf = ctypes.CDLL(sys.argv[1])
sizes = lambda *all: (ctypes.c_size_t * len(all))(*all)
file, number, value, one = ctypes.c_int(), ctypes.c_int(), (ctypes.c_int * 4)(), sizes(1)
must = lambda code: code == 0 or sys.exit(f"code {code}")
must(netcdf.nc_create(sys.argv[2].encode(), 0, ctypes.byref(file)))
for dim, length in enumerate((0, 12)):
    must(netcdf.nc_def_dim(file, str(dim).encode(), ctypes.c_size_t(length), ctypes.byref(number)))
    must(netcdf.nc_def_var(file, str(dim).encode(), 4, 1, (ctypes.c_int * 1)(dim), ctypes.byref(number)))
must(netcdf.nc_enddef(file))
must(netcdf.nc_put_var1_int(file, 0, sizes(3), value))
for variable in (0, 1):
    for name, more in (("vara", []), ("vars", [one]), ("varm", [one, one])):
        get = getattr(netcdf, f"nc_get_{name}_int")
        print(get(file, variable, sizes(2), sizes(2**64 - 1), *more, value))
must(netcdf.nc_redef(file))
print(netcdf.nc_def_dim(file, ("\U0001d160" * 64).encode(), ctypes.c_size_t(1), ctypes.byref(number)))
must(netcdf.nc_close(file))
four, wide = ctypes.c_int(), ctypes.c_int()
must(netcdf.nc_create(b"four.nc", 0x1000, ctypes.byref(four)))
must(netcdf.nc_create(b"wide.nc", 0x20, ctypes.byref(wide)))
must(netcdf.nc_set_fill(wide, 0x100, ctypes.byref(number)))
for each in (four, wide):
    for name, length in ((b"y", 1), (b"x", 2**61)):
        must(netcdf.nc_def_dim(each, name, ctypes.c_size_t(length), ctypes.byref(number)))
must(netcdf.nc_def_var(four, b"v", 1, 2, (ctypes.c_int * 2)(0, 1), ctypes.byref(number)))
must(netcdf.nc_enddef(four))
print(netcdf.nc_copy_var(four, 0, wide))
must(netcdf.nc_close(four))
netcdf.nc_close(wide)  # no disk holds it
"""
    done = subprocess.run(["python3", "-c", program, arguments.library, "\u00e9.nc"], env={**os.environ, "SV_RUN_FILES": "files"},
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.split() == ["-57"] * 6 + ["-53", "-61"], f"{done.returncode}\n{done.stdout}{done.stderr}"
    assert pathlib.Path("files").read_text(encoding="utf-8").startswith("taken\t"), "the file was left to netCDF"
    pathlib.Path("files").unlink()


def check_traps():
    """A program that traps floating-point exceptions dies of none of ours: a NaN, infinities and large numbers, into each type and back."""
    program = """
import ctypes, platform, sys
netcdf, maths, n = ctypes.CDLL(sys.argv[1]), ctypes.CDLL("libm.so.6"), 6
if not hasattr(maths, "feenableexcept") or platform.machine() != "x86_64":
    sys.exit(0)
file, dim, var = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
odd = (ctypes.c_double * n)(float("nan"), float("inf"), float("-inf"), 1e300, -1e300, 1e-310)
narrow = (ctypes.c_float * n)(float("nan"), float("inf"), float("-inf"), 3e38, -3e38, 1)
traps = [0]
def must(name, *values):
    maths.feenableexcept(1 | 4 | 8)
    code = getattr(netcdf, name)(file, *values)
    traps.append(maths.fedisableexcept(0x3d))
    code in (0, -60) or sys.exit(f"{name}: code {code}")
netcdf.nc_create(b"traps.nc", 0x20, ctypes.byref(file))
must("nc_def_dim", b"x", ctypes.c_size_t(n), ctypes.byref(dim))
types = (1, 3, 4, 5, 6, 7, 8, 9, 10, 11)
for kind in types:
    must("nc_def_var", f"v{kind}".encode(), kind, 1, ctypes.byref(dim), ctypes.byref(var))
    must("nc_put_att_double", var, b"odd", kind, ctypes.c_size_t(n), odd)
must("nc_enddef")
for var in range(len(types)):
    for name, values in (("double", odd), ("float", narrow)):
        must(f"nc_put_var_{name}", var, values)
        for back in (ctypes.c_double, ctypes.c_float, ctypes.c_byte, ctypes.c_longlong):
            call = {"c_longlong": "longlong", "c_byte": "schar"}.get(back.__name__, back.__name__[2:])
            must(f"nc_get_var_{call}", var, (back * n)())
    must("nc_get_att_float", var, b"odd", (ctypes.c_float * n)())
must("nc_close")
set(traps[1:]) == {1 | 4 | 8} or sys.exit("the program's traps have changed")
"""
    done = subprocess.run(["python3", "-c", program, arguments.library], env={**os.environ, "SV_RUN_FILES": "files"},
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}{done.stderr}"
    pathlib.Path("files").unlink(missing_ok=True)


def check_left():
    """netCDF-4 stays netCDF's, also next to files of ours."""
    theirs, _, _ = both([arguments.calls, "file.nc", "log", str(CLASSIC)])
    for name, wanted in (("file.nc", None), ("four.nc", "left to netCDF: netCDF-4")):
        subprocess.run(["nccopy", "-k", "nc4", "file.nc", "four.nc"], cwd=theirs, check=True)
        told = launch([arguments.run], ["nccopy", "-k", "classic", name, "copy.nc"], theirs)
        assert wanted is None or wanted in told, told
        assert "copy.nc: 1 rank, " in told, told
        subprocess.run(["nccopy", "-k", "classic", name, "plain.nc"], cwd=theirs, check=True)
        assert (theirs / "plain.nc").read_bytes() == (theirs / "copy.nc").read_bytes(), name
    (theirs / "sverdrup.yaml").write_text("files:\n  'c*.nc': {take_over: false}\n", encoding="utf-8")
    told = launch([arguments.run, "-c", "sverdrup.yaml"], ["nccopy", "-k", "classic", "file.nc", "copy.nc"], theirs)
    assert "copy.nc: left to netCDF: the configuration says take_over: false" in told and "file.nc: 1 rank" in told, told


def check_many():
    """Of very many files, the first are listed one by one, and the others together."""
    program = """
import ctypes, sys
netcdf, file, number = ctypes.CDLL(sys.argv[1]), ctypes.c_int(), ctypes.c_int()
must = lambda code: code == 0 or sys.exit(f"code {code}")
for kind, mode in (("taken", 0), ("left", 0x0800)):
    for name in [f"{kind}{number}.nc" for number in range(23)] + [f"{kind}22.nc"]:
        must(netcdf.nc_create(name.encode(), mode, ctypes.byref(file)))
        must(netcdf.nc_def_var(file, b"v", 4, 0, None, ctypes.byref(number)))
        must(netcdf.nc_enddef(file))
        must(netcdf.nc_put_var_int(file, number, (ctypes.c_int * 1)(7)))
        must(netcdf.nc_close(file))
"""
    folder = pathlib.Path("many")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    told = launch([arguments.run], ["python3", "-c", program, arguments.library], folder)
    assert "Sverdrup carried 23 of 46 files" in told and len(told.splitlines()) == 1 + 2 * 21, told
    assert "  taken19.nc: 1 rank, 1 puts of 4 B" in told and "  left19.nc: left to netCDF: NC_SHARE" in told, told
    assert "  and 3 more: 4 puts of 16 B, 0 gets of 0 B" in told, told
    assert "  and 3 more left to netCDF: NC_SHARE" in told, told


def check_nothing():
    """A process that opens nothing gets no message and no file; it loads neither these libraries nor MPI, and hardly pays for the loaded names."""
    folder = pathlib.Path("nothing")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    assert launch([arguments.run], ["true"], folder) == "" and not list(folder.iterdir())
    preloaded = pathlib.Path(arguments.run).resolve().parent.parent / "lib/libsv_run.so"
    needed = subprocess.run(["ldd", str(preloaded)], capture_output=True, text=True, check=True).stdout
    assert not re.search("mpi|netcdf|stdc", needed), needed
    for quiet in ([], ["-q"]):
        maps = subprocess.run([arguments.run, *quiet, "cat", "/proc/self/maps"], cwd=folder, capture_output=True, text=True, check=True).stdout
        assert "libsv_run.so" in maps and not re.search("libsverdrup|libmpi|libstdc", maps), maps

    def processor_time(library):
        least = 1
        for _ in range(20):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            launch([], ["true"], folder, LD_PRELOAD=library)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            least = min(least, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
        return least

    more = processor_time(str(preloaded)) - processor_time("")
    print(f"preloading costs {more * 1000:.2f} ms of a processor")
    assert more < 0.001, more
    done = subprocess.run([arguments.run, "-q", "sh", "-c", "exit 7"], timeout=60)
    assert done.returncode == 7, done
    done = subprocess.run([arguments.run, "-q", "no such program"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 127 and "sv-run: 'no such program' cannot be started" in done.stderr, done


checks = (check_names, check_calls, check_definitions, check_fortran, check_extremes, check_traps, check_left, check_many, check_nothing)
for check in (check_calls,) if arguments.all else checks:
    check()
