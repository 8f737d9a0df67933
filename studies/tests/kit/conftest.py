"""The package as it stands in the source tree, and a stand-in for sv-bench, which answers at once."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "studies/python"), str(ROOT / "python")]

STAND_IN = f"""#!{sys.executable} -S
import json, os, signal, sys, time
workload, options = sys.argv[1], sys.argv[2:]
if "SLEEPS_AS" in os.environ:
    with open(os.environ["SLEEPS_AS"], "w") as file:
        file.write(str(os.getpid()))
    time.sleep(100)
if workload == "pop":
    sys.exit(109)
if "--help" in options:
    sys.exit(0)
if workload == "records":
    sys.exit("sv-bench: no room in the directory")
if workload == "macom":
    sys.exit("sv-bench: --ownership metis: not compiled")
if workload == "points":
    sys.exit("sv-bench: MPI_File_open cannot create a file")
if workload == "flash":
    os.kill(os.getpid(), signal.SIGKILL)
given = dict(zip(options, options[1:]))
one = {{"seconds": {{"min": 1.0, "median": 2.0, "max": 3.0}}, "rounds": [1.0, 2.0, 3.0], "writes": 7, "verified": True}}
results = [{{"name": "sverdrup.auto", **one}}, {{"name": "<b>pnetcdf", **one}}]
case = {{"ranks": int(os.environ["RANKS"]), "bytes": 1000, "scale": given.get("--scale")}}
with open(given["--json"], "w") as file:
    environment = {{"mpi_io": os.environ.get("OMPI_MCA_io")}}
    json.dump({{"benchmark": workload, "case": case, "environment": environment, "results": results}}, file)
"""
LAUNCHER = "env RANKS={ranks}"


@pytest.fixture
def programs_folder(tmp_path):
    """A folder with the stand-in."""
    folder = tmp_path / "bin"
    folder.mkdir()
    path = folder / "sv-bench"
    path.write_text(STAND_IN, encoding="utf-8")
    path.chmod(0o755)
    return folder
