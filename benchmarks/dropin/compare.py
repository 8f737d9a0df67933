"""Programs with the shapes of the field's (shapes.c), by sv-run and without, in turn: seconds from the first file to the last.

    compare.py BUILD [--ranks N] [--runs N] [--folder DIRECTORY] [SHAPE...]"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

SHAPES = ["s3d", "bt", "flash", "cells_f", "cells_g", "cells_i", "weather", "aggregation", "own"]

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("shapes", nargs="*", default=SHAPES)
parser.add_argument("--ranks", default="8")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--folder", default="/dev/shm", help="where files are written (/dev/shm)")
arguments = parser.parse_intermixed_args()  # shapes and options in any order

build = arguments.build.resolve()
mpirun = pathlib.Path(__file__).resolve().parents[2] / "scripts/mpirun"
# Ranks that share cores and spin would measure the scheduler.
environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1"}


def seconds(shape, folder, head):
    command = [*head, str(mpirun), arguments.ranks, str(build / "bin/dropin-shapes"), shape, f"{folder}/{shape}.nc"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    for path in pathlib.Path(folder).iterdir():
        path.unlink()
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return float(done.stdout.split()[-1])


work = tempfile.mkdtemp(prefix="sv-dropin.", dir=arguments.folder)
print(f"{arguments.ranks} ranks, {arguments.runs} runs of each in turn, medians (minimum to maximum)")
print(f"{'shape':12} {'PnetCDF, s':>28} {'sv-run, s':>28}   ratio")
try:
    for shape in arguments.shapes:
        taken = {"theirs": [], "ours": []}
        for _ in range(arguments.runs):
            taken["theirs"].append(seconds(shape, work, []))
            taken["ours"].append(seconds(shape, work, [str(build / "bin/sv-run"), "-q"]))
        cells = [f"{statistics.median(all_):.4f} ({min(all_):.4f} to {max(all_):.4f})" for all_ in taken.values()]
        ratio = statistics.median(taken["ours"]) / statistics.median(taken["theirs"])
        print(f"{shape:12} {cells[0]:>28} {cells[1]:>28}   {ratio:.2f}", flush=True)
finally:
    shutil.rmtree(work)
