"""Programs that make netCDF-4 files, by themselves and by sv-run: the same codes, answers, values and storage. Without --mpirun, the
program is one process without MPI."""
import argparse
import difflib
import pathlib
import re
import shutil
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "program"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--mpirun")
parser.add_argument("--ranks", default="1")
parser.add_argument("--only")
arguments = parser.parse_args()
RANKS = int(arguments.ranks)
HELD, LEFT, HANDED_OVER = "carried 1 of 1 files", "left to netCDF: ", "left to netCDF: after Sverdrup had begun it: "
RENAMED = HELD if arguments.mpirun else HANDED_OVER + "renaming after data"
CASES = {"storage": HELD, "classic": HELD, "independent": HELD, "unlimited": HELD, "redefine": HELD, "rename": RENAMED,
         "left.group": LEFT + "groups", "left.string": LEFT + "strings", "left.compound": LEFT + "user-defined types",
         "late.group": HANDED_OVER + "groups", "late.string": HANDED_OVER + "strings"}


def compare(case, what, wanted, found):
    different = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "netCDF", "Sverdrup", lineterm="", n=0))
    assert not different, f"{case}, {what}:\n" + "\n".join(different[:40])


def contents(path):
    """Definitions with their storage, and all values."""
    text = subprocess.run(["ncdump", "-s", "-p", "9,17", str(path)], capture_output=True, text=True, check=True).stdout
    return re.sub(r"\n\t*:?_NCProperties.*|\n\t*:_SuperblockVersion.*", "", text)


def launch(case, place, head):
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    start = [arguments.mpirun, arguments.ranks] if arguments.mpirun else []
    done = subprocess.run([*head, *start, arguments.program, case, "made.nc", "list"], cwd=place, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"{case}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


for case, outcome in CASES.items():
    if arguments.only and arguments.only != case:
        continue
    theirs, ours = (pathlib.Path(f"{case}.{name}") for name in ("theirs", "ours"))
    launch(case, theirs, [])
    summary = launch(case, ours, [arguments.run])
    for rank in range(RANKS):
        compare(case, f"rank {rank}", *((place / f"list.{rank}").read_text(encoding="utf-8") for place in (theirs, ours)))
    compare(case, "the file", *(contents(place / "made.nc") for place in (theirs, ours)))
    assert outcome in summary, f"{case}: {summary}"
    print(f"{case}: the same")
