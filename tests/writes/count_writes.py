#!/usr/bin/env python3
"""Counts, with strace, the system calls that write the data of combined requests: count_writes.py MPIRUN WRITER.

One launch of the writer makes all files, each in its own way. 77: strace is missing, or may not trace.
"""
import glob
import math
import os
import re
import shutil
import subprocess
import sys

STEPS, VARIABLES, SLAB = 20, 24, 32 * 32 * 4  # bytes of one variable and step
DATA = STEPS * VARIABLES * SLAB
BEGIN = STRIPE = 4096  # data begin on a new page, behind a header without reserve
LARGE, SMALL = 8 << 20, 1 << 20  # windows: all data in one round, or not
CALLS = "write,pwrite64,writev,pwritev,pwritev2"
STRACE = ["strace", "-ff", "--seccomp-bpf", "-y", "-s", "0", "-e", "trace=" + CALLS, "-e", "signal=none"]
CALL = re.compile(r"^(\w+)\(\d+<(.*?)>.* = (\d+)$")


def wanted_of_wait(window, writers):
    """The writes of one wait for everything, one per writer and round. Each writer has an equal share of the file, and
    takes as many rounds as its part of half the window, in whole stripes, requires."""
    staged = (window // 2 // writers - 1) // STRIPE * STRIPE
    return writers * math.ceil(DATA // writers / staged)


def options(window, writers, *more):
    return ",".join((f"transport.window={window}", f"writers={writers}", f"file_system.stripe={STRIPE}", "header_reserve=0", *more))


def cases():
    """The arguments of the writer, with the data writes that are wanted."""
    made = {}
    for what in ("records", "fixed"):
        for window, writers in ((LARGE, 1), (LARGE, 2), (SMALL, 1), (SMALL, 2)):
            name = f"{what}_{window >> 20}_{writers}"
            made[f"{name};{what};wait;{options(window, writers)}"] = wanted_of_wait(window, writers)
    made[f"each;records;put;{options(LARGE, 1)}"] = STEPS * VARIABLES
    made[f"step;records;step;{options(LARGE, 1, 'combine=step')}"] = STEPS
    made[f"step_fixed;fixed;step;{options(LARGE, 1, 'combine=step')}"] = 1
    return made


def traced(command):
    """Runs it. Returns the calls of each thread, as lines."""
    shutil.rmtree("trace", ignore_errors=True)
    os.mkdir("trace")
    subprocess.run([*STRACE, "-o", "trace/of", *command], check=True)
    lines = []
    for path in glob.glob("trace/of.*"):
        with open(path, encoding="utf-8", errors="replace") as file:
            lines.append(file.read().splitlines())
    return lines


def may_trace():
    if shutil.which("strace") is None:
        return False
    return subprocess.run([*STRACE, "true"], capture_output=True, check=False).returncode == 0


def data_writes(threads, name):
    """(offset, bytes) of the writes of a file's threads behind its header, a list for each writing thread."""
    of_threads = []
    for lines in threads:
        writes = []
        for line in lines:
            match = CALL.match(line)
            if match is None or os.path.basename(match[2]) not in (name + ".nc", name + ".nc.part"):
                continue
            assert match[1] == "pwrite64", line  # our own store writes at positions
            offset = int(line.rsplit(")", 1)[0].rsplit(",", 1)[1])
            if offset >= BEGIN:
                writes.append((offset, int(match[3])))
        if writes:
            of_threads.append(writes)
    return of_threads


def fault_of(name, wanted, of_threads):
    """The error in them, or nothing."""
    writes = sorted(write for writes in of_threads for write in writes)
    if len(writes) != wanted:
        return f"{len(writes)} writes of data, {wanted} wanted"
    if any(writes != sorted(writes) for writes in of_threads):
        return "a writer goes back in the file"
    at = BEGIN
    for offset, size in writes:
        if offset != at:
            return f"a write at {offset}, where {at} was wanted"
        at += size
    return None if at == BEGIN + DATA else f"{at - BEGIN} bytes of data, {DATA} wanted"


def main():
    if not may_trace():
        print("no strace, or it may not trace here")
        return 77
    mpirun, writer = sys.argv[1:]
    wanted = cases()
    threads = traced([mpirun, "4", writer, *wanted])
    failed = 0
    for case, count in wanted.items():
        name = case.split(";")[0]
        of_threads = data_writes(threads, name)
        fault = fault_of(name, count, of_threads)
        print(f"{name}: {fault or f'{count} writes by {len(of_threads)} writers'}")
        failed += fault is not None
    return 1 if failed else 0


sys.exit(main())
