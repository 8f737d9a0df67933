"""A file that is open is opened once more, under any spelling of its path, in this process or another: after nc_enddef it has its header, and in
this process the values that were put. sv-run also reports files that the program opens in other ways than nc_open."""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("run", "library"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--real")
parser.add_argument("--mpirun")
parser.add_argument("--parallel", help="a program that makes and opens a file in parallel")
parser.add_argument("--child", action="store_true")
arguments = parser.parse_args()
place = pathlib.Path.cwd() if arguments.child else pathlib.Path("again").resolve()
ROUNDS = 150


def must(code):
    assert code == 0, f"code {code}"


def opened(netcdf, path, mode=0):
    file = ctypes.c_int()
    must(netcdf.nc_open(path, mode, ctypes.byref(file)))
    return file


def content(netcdf, path, mode=0):
    """Variables, records, and the last value of the first."""
    file, number, records, value = opened(netcdf, path, mode), ctypes.c_int(), ctypes.c_size_t(), ctypes.c_int(-1)
    must(netcdf.nc_inq_nvars(file, ctypes.byref(number)))
    must(netcdf.nc_inq_dimlen(file, 0, ctypes.byref(records)))
    if records.value > 0:
        must(netcdf.nc_get_var1_int(file, 0, (ctypes.c_size_t * 1)(records.value - 1), ctypes.byref(value)))
    must(netcdf.nc_close(file))
    return number.value, records.value, value.value


def once(netcdf, at):
    file, dim, variable = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    name = f"again{at % 7}.nc"
    pathlib.Path(name).unlink(missing_ok=True)
    must(netcdf.nc_create(name.encode(), 0, ctypes.byref(file)))
    must(netcdf.nc_def_dim(file, b"t", ctypes.c_size_t(0), ctypes.byref(dim)))
    must(netcdf.nc_def_var(file, b"first", 4, 1, ctypes.byref(dim), ctypes.byref(variable)))
    must(netcdf.nc_enddef(file))
    raw = pathlib.Path(name).read_bytes()  # as another process sees it
    assert raw[:3] == b"CDF" and b"first" in raw, f"round {at}: after nc_enddef the file has {len(raw)} bytes"
    spellings = (f"./{name}", str(place / name), f"../again/{name}", f"link{at % 7}", f"hard{at % 7}")
    for make, link in ((os.symlink, f"link{at % 7}"), (os.link, f"hard{at % 7}")):
        pathlib.Path(link).unlink(missing_ok=True)
        make(name, link)
    spelling = spellings[at % len(spellings)].encode()
    assert content(netcdf, spelling) == (1, 0, -1)
    must(netcdf.nc_put_var1_int(file, variable, (ctypes.c_size_t * 1)(2), ctypes.byref(ctypes.c_int(40 + at))))
    assert content(netcdf, spelling) == (1, 3, 40 + at), f"round {at}: what was put is not there"
    must(netcdf.nc_redef(file))
    must(netcdf.nc_def_var(file, b"second", 6, 1, ctypes.byref(dim), ctypes.byref(variable)))
    assert content(netcdf, spelling) == (1, 3, 40 + at), f"round {at}: definitions that are not ended are there"
    must(netcdf.nc_enddef(file))
    raw = pathlib.Path(name).read_bytes()
    assert b"second" in raw, f"round {at}: the new definitions are not there"
    assert content(netcdf, spelling, 0x0800) == (2, 3, 40 + at), f"round {at}: NC_SHARE"  # netCDF itself opens it
    must(netcdf.nc_close(file))
    assert content(netcdf, spelling) == (2, 3, 40 + at)


if arguments.child:
    netcdf = ctypes.CDLL(None)
    for each in range(ROUNDS):
        once(netcdf, each)
    sys.exit(0)
shutil.rmtree(place, ignore_errors=True)
place.mkdir()
command = [sys.executable, __file__, *sys.argv[1:], "--child"]
done = subprocess.run(command, cwd=place, env={**os.environ, "LD_PRELOAD": f"{arguments.library}:{arguments.real}"}, capture_output=True, text=True,
                      timeout=120)
assert done.returncode == 0, f"{done.returncode}\n{done.stdout}{done.stderr}"
if arguments.parallel:
    done = subprocess.run([arguments.run, arguments.mpirun, "2", arguments.parallel, "parallel.nc", "old.nc"], cwd=place, capture_output=True, text=True,
                          timeout=100)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}{done.stderr}"
    assert re.search(r"parallel\.nc: (2 ranks, 2 puts|opened 2 times)", done.stderr), done.stderr
    assert "opened in parallel" not in done.stderr, done.stderr
    assert "old.nc: left to netCDF: netCDF's own calls opened it (version 2)" in done.stderr, done.stderr
print("files are opened again with what was put")
