"""Compares the promises of the report's finding `port` for typical programs (shapes.c) with the savings of sv-run.

    promises.py BUILD [--ranks N] [--runs N] [--folder DIRECTORY] [SHAPE...]

Each program runs traced, by itself and by sv-run, in turn. A promise is a share of the traced run's time, and a gain a share of the run's
by itself; medians. Broken: less came than the lower bound, or the program became slower where the finding promises something. The exit
status is 1 then."""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("shapes", nargs="*", default=["s3d", "bt", "flash", "cells_f", "cells_g", "cells_i"])
parser.add_argument("--ranks", default="8")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--folder", default="/dev/shm", help="where files are written (/dev/shm)")
arguments = parser.parse_intermixed_args()  # shapes and options in any order

build = arguments.build.resolve()
source = pathlib.Path(__file__).resolve().parents[2]
# The tracer sees what ROMIO writes, and so knows the rate of the storage. Ranks that share cores and spin would measure the scheduler.
environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_io": "^ompio", "PYTHONPATH": str(source / "python")}
python = build / "venv/bin/python"


def run(*command):
    done = subprocess.run([str(each) for each in command], env=environment, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def program(shape, work, *head):
    said = run(*head, source / "scripts/mpirun", arguments.ranks, build / "bin/dropin-shapes", shape, work / f"{shape}.nc")
    for path in work.glob("*.nc*"):
        path.unlink()
    return float(said.split()[-1])


def promise(shape, work):
    """The finding's bounds, as shares of the time of the run; 0: it is silent."""
    trace = work / "traced"
    shutil.rmtree(trace, ignore_errors=True)
    took = program(shape, work, build / "bin/sv-trace", "--output", trace, "--")
    report = json.loads(run(python, "-m", "sverdrup", "report", trace, "--json", "-"))
    found = [each for each in report["runs"][0]["findings"] if each["kind"] == "port"]
    return [min(each / took, 1) for each in found[0]["saves_seconds"]] if found else [0, 0]


work = pathlib.Path(tempfile.mkdtemp(prefix="sv-promises.", dir=arguments.folder))
broken = 0
print(f"{arguments.ranks} ranks, {arguments.runs} runs of each in turn, medians")
print(f"{'shape':12} {'PnetCDF, s':>11} {'sv-run, s':>11} {'saved':>7} {'promised':>14}")
try:
    for shape in arguments.shapes:
        promised, theirs, ours = [], [], []
        for _ in range(arguments.runs):
            promised.append(promise(shape, work))
            theirs.append(program(shape, work))
            ours.append(program(shape, work, build / "bin/sv-run", "-q"))
        before, after = statistics.median(theirs), statistics.median(ours)
        low, high = (statistics.median(each) for each in zip(*promised))
        saved = 1 - after / before
        kept = high == 0 or saved >= low
        broken += not kept
        reported = f"{low:.0%} to {high:.0%}" if high > 0 else "nothing"
        print(f"{shape:12} {before:11.3f} {after:11.3f} {saved:7.0%} {reported:>14}{'' if kept else '  broken'}", flush=True)
finally:
    shutil.rmtree(work)
sys.exit(broken > 0)
