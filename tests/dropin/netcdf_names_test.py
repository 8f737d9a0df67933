"""Every public name of netCDF 4.9 and 4.10 that takes a file, on a classic file, by the real library and by ours before it: the same codes
and the same answers. Each call is made in a process of its own, since netCDF itself ends by a signal in some."""
import argparse
import ctypes
import os
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("library", "real", "header", "more"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--child", help="makes the calls, by the names that the process sees")
arguments = parser.parse_args()

NUMBERS = {"ncid", "parent_ncid", "grpid", "ncid1", "ncid2", "ncid_in", "ncid_out"}
WRITE, INT = 1, 4
# Names that move numbers are those of netcdf_calls.c; netcdf_definitions.c compares what nc_inq_format_extended says.
LEFT_OUT = re.compile(r"nc_(put|get)_(var[1asm]?|att)_(?!string)|nc_inq_format_extended$")


def functions():
    """(name, [(declared, parameter)]) of each that takes a file."""
    found = {}
    for header in (arguments.more, arguments.header):
        text = re.sub(r"/\*.*?\*/", " ", pathlib.Path(header).read_text(encoding="utf-8"), flags=re.S)
        for name, listed in re.findall(r"\bint\s+(nc_\w+)\s*\(([^;{]*?)\)\s*;", text):
            parameters = [" ".join(each.split()) for each in listed.split(",")]
            names = [match[1] if (match := re.search(r"(\w+)\s*(?:\[\])?$", each)) else "" for each in parameters]
            if names[0] in NUMBERS and not LEFT_OUT.match(name) and "..." not in listed:
                found[name] = list(zip(parameters, names))
    return found


def make(path, netcdf):
    file, dim, variable = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    must = lambda code: code == 0 or sys.exit(f"code {code}")
    must(netcdf.nc_create(path, 0, ctypes.byref(file)))
    must(netcdf.nc_def_dim(file, b"x", ctypes.c_size_t(4), ctypes.byref(dim)))
    must(netcdf.nc_def_var(file, b"scalar", INT, 0, None, ctypes.byref(variable)))
    must(netcdf.nc_def_var(file, b"v", INT, 1, ctypes.byref(dim), ctypes.byref(variable)))
    must(netcdf.nc_put_att_text(file, variable, b"v", ctypes.c_size_t(1), b"u"))
    must(netcdf.nc_enddef(file))
    must(netcdf.nc_put_var_int(file, variable, (ctypes.c_int * 4)(1, 2, 3, 4)))
    must(netcdf.nc_close(file))


def call(netcdf, name, parameters, case):
    """Makes it, in the data or in the definitions of a file, of a variable; returns its expected output."""
    variable, defining, text = case
    libc = ctypes.CDLL("libc.so.6")
    libc.malloc.restype = ctypes.c_void_p
    file, given, buffers = ctypes.c_int(), [], {}
    assert netcdf.nc_open(b"names.nc", WRITE, ctypes.byref(file)) == 0
    if defining:
        assert netcdf.nc_redef(file) == 0
    for declared, short in parameters:
        if short in NUMBERS:
            given.append(file)
        elif short == "memory" and name.endswith("reclaim_data_all"):
            given.append(ctypes.c_void_p(libc.malloc(64)))
        elif "const char" in declared:
            given.append(text)
        elif "*" in declared or "[]" in declared:
            buffers[short] = ctypes.create_string_buffer(4096)
            given.append(buffers[short])
        elif declared.startswith("float"):
            given.append(ctypes.c_float(0.5))
        elif declared.startswith(("size_t", "long long", "ptrdiff_t")):
            given.append(ctypes.c_size_t(1))
        elif short.startswith(("xtype", "typeid", "base_typeid", "field_typeid")):
            given.append(ctypes.c_int(INT))
        else:
            given.append(ctypes.c_int(variable if short.startswith("varid") else 1))
    code = getattr(netcdf, name)(*given)
    seen = []
    for short, buffer in buffers.items():
        raw = buffer.raw
        if short in ("copyp", "buf") and name.startswith(("nc_copy_data", "nc_dump_data")) and any(raw[:8]):
            raw = ctypes.string_at(int.from_bytes(raw[:8], sys.byteorder), 2)  # of memory that the call has made
        if int.from_bytes(raw[:4], sys.byteorder) == file.value:
            raw = b"the file" + raw[4:]
        seen.append(f"{short}={raw.rstrip(bytes(1)).hex()}")
    return f"{code} {' '.join(seen)}"


def child():
    netcdf = ctypes.CDLL(None)
    make(b"names.nc", netcdf)
    with open(arguments.child, "w", encoding="utf-8") as log:
        for name, parameters in sorted(functions().items()):
            if not hasattr(netcdf, name):
                continue
            for case in ((1, False, b"v"), (1, True, b"v"), (99, False, b"none"), (-1, True, b"new")):
                before = pathlib.Path("names.nc").read_bytes()
                reading, writing = os.pipe()
                if (process := os.fork()) == 0:
                    os.dup2(os.open("/dev/null", os.O_WRONLY), 2)
                    os.write(writing, call(netcdf, name, parameters, case).encode())
                    os._exit(0)
                os.close(writing)
                said = os.read(reading, 65536).decode()
                os.close(reading)
                _, status = os.waitpid(process, 0)
                log.write(f"{name} {case}: {f'signal {os.WTERMSIG(status)}' if os.WIFSIGNALED(status) else said}\n")
                pathlib.Path("names.nc").write_bytes(before)


def lines(preloaded, log):
    command = [sys.executable, __file__, *sys.argv[1:], "--child", log]
    done = subprocess.run(command, env={**os.environ, "LD_PRELOAD": ":".join(preloaded)}, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{preloaded}: {done.returncode}\n{done.stdout}{done.stderr}"
    return pathlib.Path(log).read_text(encoding="utf-8").splitlines()


if arguments.child:
    child()
else:
    wanted, found = lines([arguments.real], "theirs.log"), lines([arguments.library, arguments.real], "ours.log")
    there = {line.split(":")[0] for line in wanted}
    pairs = list(zip(wanted, [line for line in found if line.split(":")[0] in there], strict=True))
    different = [(theirs, ours) for theirs, ours in pairs if theirs != ours and ("signal" not in theirs or "signal" in ours)]
    assert not different, "\n".join(f"netCDF:   {theirs}\nSverdrup: {ours}" for theirs, ours in different)
    print(f"{len(pairs)} calls of {len(functions())} names are the same")
    sys.exit(0)
