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
CASES = {"storage": HELD, "classic": HELD, "quantized": HELD, "independent": HELD, "unlimited": HELD,
         "redefine": HELD, "rename": RENAMED,
         "left.group": HELD, "left.string": HELD, "left.compound": LEFT + "user-defined types",
         "late.group": HELD, "grouped": HELD, "grouped.left": HANDED_OVER + "user-defined types", "late.string": HELD,
         "enum": HELD, "enum.left": HELD if arguments.mpirun else HANDED_OVER + "changed definitions after data"}
if arguments.mpirun:
    CASES |= {"opened.read": HELD, "opened.write": HELD, "opened.group": HELD, "opened.early": HELD}
else:
    CASES |= {"strings": HELD, "small.group": HELD}
# A file of another program, for the cases that open one.
GIVEN = """netcdf given {
dimensions: t = UNLIMITED; y = 4; x = 6;
variables:
  float temp(t, y, x); temp:units = "K"; temp:_FillValue = -1.f; temp:_ChunkSizes = 1, 4, 6; temp:_DeflateLevel = 2; temp:_Shuffle = "true";
  short field(y, x); field:range = 1s, 9s;
  string :notes = "first", "second";
data:
  temp = %s;
  field = %s;
%s}
""" % (", ".join(str(n) for n in range(48)), ", ".join(str(n) for n in range(24)), "%s")


INNER = 'group: inner { dimensions: z = 2; variables: string name(z); data: name = "one", "two"; }'


def compare(case, what, wanted, found):
    different = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "netCDF", "Sverdrup", lineterm="", n=0))
    assert not different, f"{case}, {what}:\n" + "\n".join(different[:40])


def contents(path):
    """Definitions with their storage, and all values."""
    text = subprocess.run(["ncdump", "-s", "-p", "9,17", str(path)], capture_output=True, text=True, check=True).stdout
    return re.sub(r"\n\t*:?_NCProperties.*|\n\t*:_SuperblockVersion.*", "", text)


def start(head, case, place):
    ranks = [arguments.mpirun, arguments.ranks] if arguments.mpirun else []
    return subprocess.run([*head, *ranks, arguments.program, case, "made.nc", "list"], cwd=place, capture_output=True, text=True, timeout=100)


def launch(case, place, head):
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    if case == "opened.write":
        start([], "given", place)
    elif case.startswith("opened"):
        (place / "given.cdl").write_text(GIVEN % (INNER if "group" in case else ""), encoding="utf-8")
        subprocess.run(["ncgen", "-4", "-o", "made.nc", "given.cdl"], cwd=place, check=True)
    done = start(head, case, place)
    assert (done.returncode != 0) == (case == "killed"), f"{case}: {done.returncode}\n{done.stdout}{done.stderr}"
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

if arguments.mpirun and arguments.only in (None, "opened.write"):
    # Parallel HDF5 does not lengthen a file that one process has made.
    place = pathlib.Path("opened.foreign.write.ours")
    assert HELD in launch("opened.foreign.write", place, [arguments.run])
    compare("opened.foreign.write", "the file", contents("opened.write.theirs/made.nc"), contents(place / "made.nc"))
    print("opened.foreign.write: the same")
if arguments.mpirun and arguments.only in (None, "killed"):
    place = pathlib.Path("killed.ours")
    launch("killed", place, [arguments.run])
    text = subprocess.run(["ncdump", "-v", "v", str(place / "made.nc")], capture_output=True, text=True, check=True).stdout
    values = re.findall(r"[\d_]+", text[text.index("data:"):].partition("=")[2])
    assert values[:48 * RANKS] == ["1"] * 24 * RANKS + ["2"] * 24 * RANKS, text
    print("killed: synchronised records are there")
