"""Measures calls of netCDF (calls.c), netCDF-4 files (files4.c) or their reading by many ranks (read4.c), by netCDF-C and by sv-run,
in turn: microseconds.

    calls.py BUILD [--program dropin-files4] [--ranks N] [--runs N] [--size MEBIBYTES] [--processor-time]
    [--folder DIRECTORY]"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--program", default="dropin-calls", help="dropin-calls, dropin-files4, or dropin-read4")
parser.add_argument("--ranks", help="of dropin-read4")
parser.add_argument("--size", help="of a large record, in MiB")
parser.add_argument("--processor-time", action="store_true", help="of all threads, rather than elapsed time")
parser.add_argument("--runs", type=int, default=7)
parser.add_argument("--folder", default="/dev/shm", help="where files are written (/dev/shm)")
arguments = parser.parse_args()
build = arguments.build.resolve()
source = pathlib.Path(__file__).resolve().parents[2]


def microseconds(head):
    """By kind of call."""
    folder = tempfile.mkdtemp(prefix="sv-calls.", dir=arguments.folder)
    try:
        launcher = [str(source / "scripts/mpirun"), arguments.ranks] if arguments.ranks else []
        size = [arguments.size] if arguments.size else []
        command = [*head, *launcher, str(build / "bin" / arguments.program), folder, *size]
        environment = {**os.environ, "DROPIN_PROCESSOR_TIME": "1"} if arguments.processor_time else None
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    finally:
        shutil.rmtree(folder)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return {name: float(taken) for name, taken in (line.split("\t") for line in done.stdout.splitlines())}


taken = {"theirs": [], "ours": []}
for _ in range(arguments.runs):
    taken["theirs"].append(microseconds([]))
    taken["ours"].append(microseconds([str(build / "bin/sv-run"), "-q"]))
print(f"{arguments.runs} runs of each in turn, medians\n{'call':50} {'netCDF-C, us':>14} {'sv-run, us':>12}   ratio")
for kind in taken["theirs"][0]:
    theirs, ours = (statistics.median(run[kind] for run in taken[which]) for which in ("theirs", "ours"))
    print(f"{kind:50} {theirs:14.2f} {ours:12.2f}   {ours / theirs:.2f}")
