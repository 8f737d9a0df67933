"""Measures calls of netCDF (calls.c) or netCDF-4 files (files4.c), by netCDF-C and by sv-run, in turn: microseconds.

    calls.py BUILD [--program dropin-files4] [--runs N] [--folder DIRECTORY]"""
import argparse
import pathlib
import shutil
import statistics
import subprocess
import tempfile

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--program", default="dropin-calls", help="dropin-calls, or dropin-files4")
parser.add_argument("--runs", type=int, default=7)
parser.add_argument("--folder", default="/dev/shm", help="where files are written (/dev/shm)")
arguments = parser.parse_args()
build = arguments.build.resolve()


def microseconds(head):
    """By kind of call."""
    folder = tempfile.mkdtemp(prefix="sv-calls.", dir=arguments.folder)
    try:
        command = [*head, str(build / "bin" / arguments.program), folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
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
