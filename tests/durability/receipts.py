#!/usr/bin/env python3
"""Compares receipts with the system calls of the run, with strace: receipts.py MPIRUN WRITER STORE[,STORE...].

At each receipt (sv_flush(SV_ON_DISK) has returned, or sv_durable_step returns all steps) all data that were written to a
file must have been synchronised after it was written, and every directory after its last change. So must the files of a
Zarr group, of all ranks, when zarr.json of the group is replaced. 77: strace is missing, or may not trace.
"""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys

CALLS = ("write,pwrite64,writev,pwritev,pwritev2,ftruncate,fallocate,fsync,fdatasync,openat,open,creat,rename,renameat,"
         "renameat2,link,linkat,unlink,unlinkat,access,faccessat,faccessat2")
STRACE = ["strace", "-ff", "--seccomp-bpf", "-y", "-s", "300", "-ttt", "-T", "-e", "trace=" + CALLS, "-e", "signal=none"]
LINE = re.compile(r"^(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(.*) <(\d+\.\d+)>$")
WRITES = ("write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "fallocate")
KINDS = ("published", "growing", "series", "appended", "redefined", "moved")

Call = collections.namedtuple("Call", "begin end name arguments descriptor")


def scenes(stores):
    made = []
    for store in stores:
        for kind in KINDS:
            for servers in (0, 2):
                writers = 1 if store.startswith("netcdf4") and kind == "appended" else 2  # HDF5 lets one rank append
                options = f"transport.window=1MiB,writers={writers},store={store},file_system.stripe=4096,durability=written"
                options += f",async=servers:{servers},async.memory=8MiB" if servers else ""
                options += ",chunks=writers" if store == "zarr" else ""
                made.append(f"{store}_{kind}_{servers};{kind};{options}")
    made.append("set;growing;transport.window=1MiB,route=per_pe,durability=written")
    for kind in KINDS:
        for servers in (0, 2):
            made.append(f"ordered_{kind}_{servers};{kind};transport.window=1MiB,durability=ordered,async=servers:{servers},"
                        "async.memory=8MiB")
            made.append(f"on_disk_{kind}_{servers};{kind};transport.window=1MiB,durability=on_disk,async=servers:{servers},"
                        "async.memory=8MiB")
    return made


def parsed(line):
    match = LINE.match(line)
    if match is None or int(match[4]) < 0 and not match[2].startswith(("access", "faccessat")):
        return None
    begin = float(match[1])
    descriptor = re.match(r"\d+<(.*?)>", match[3]) or re.match(r"<(.*?)>", match[5])
    return Call(begin, begin + float(match[6]), match[2], match[3], descriptor and descriptor[1])


def traced(command):
    shutil.rmtree("trace", ignore_errors=True)
    os.mkdir("trace")
    subprocess.run([*STRACE, "-o", "trace/of", *command], check=True)
    calls = []
    for path in glob.glob("trace/of.*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            calls += [call for call in map(parsed, file.read().splitlines()) if call is not None]
    return sorted(calls)


def may_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run([*STRACE, "true"], capture_output=True, check=False).returncode == 0


def base(path):
    """A file and its temporary name, or that of a directory above it, are one file."""
    return re.sub(r"\.part(?=/|$)", "", path)


def changes(call):
    """The directory whose names a call changes."""
    if call.name in ("openat", "open", "creat"):
        return os.path.dirname(re.search(r'"(.*?)"', call.arguments)[1]) if "O_CREAT" in call.arguments else None
    if call.name.startswith(("rename", "link", "unlink")):
        return os.path.dirname(re.findall(r'"(.*?)"', call.arguments)[-1])
    return None


def faults_of(folder, calls):
    """The files that are not on the disk at receipts of a scene."""
    afloat, faults, receipts = {}, [], 0
    for call in calls:
        where = call.descriptor or ""
        if call.name.startswith(("access", "faccessat")):
            if f'"{folder}/FLUSHED"' in call.arguments or f'"{folder}/DURABLE"' in call.arguments:
                receipts += 1
                what = "FLUSHED" if "FLUSHED" in call.arguments else "DURABLE"
                faults += [f"{os.path.basename(one)} is not on the disk at {what}, receipt {receipts}" for one in sorted(afloat)]
                afloat.clear()
        elif call.name in ("fsync", "fdatasync"):
            afloat = {one: since for one, since in afloat.items() if one != base(where) or call.begin < since}
        elif call.name.startswith("renameat") and '"zarr.json.part"' in call.arguments:
            group = base(where) + "/"
            faults += [f"{one} is not on the disk although its group lists it" for one in sorted(afloat)
                       if one.startswith(group) and one != group + "zarr.json"]
        elif call.name in WRITES and f"/{folder}/" in where and not where.rstrip(">").endswith(".journal"):  # for a kill
            afloat[base(where)] = call.end
        elif changes(call) is not None and os.path.basename(changes(call)) == folder:
            afloat[os.path.abspath(changes(call))] = call.end
    if receipts < 2:
        faults.append(f"{receipts} receipts")
    return faults


def judged(mpirun, writer, wanted, faults_of, praise):
    """Runs the scenes under strace and holds each against what `faults_of` finds; the exit status of the test."""
    if not may_trace():
        print("no strace, or it may not trace here")
        return 77
    for one in wanted:
        shutil.rmtree(one.split(";")[0], ignore_errors=True)
    calls = traced([mpirun, "4", writer, *wanted])
    failed = 0
    for one in wanted:
        folder = one.split(";")[0]
        faults = faults_of(folder, calls)
        print(f"{folder}: {'; '.join(faults) or praise}")
        failed += bool(faults)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(judged(*sys.argv[1:3], scenes(sys.argv[3].split(",")), faults_of, "every receipt is true"))
