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
HELD, LEFT, HANDED_OVER = f"{RANKS} rank", "left to netCDF: ", "left to netCDF: after Sverdrup had begun it: "
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
# Case of a file by ncgen that gets more records: parallel HDF5 does not lengthen a file that one process has made; Sverdrup does.
FOREIGN = "opened.foreign.write"
THEIRS, OURS = pathlib.Path("theirs"), pathlib.Path("ours")


def compare(case, what, wanted, found):
    different = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "netCDF", "Sverdrup", lineterm="", n=0))
    assert not different, f"{case}, {what}:\n" + "\n".join(different[:40])


def contents(path):
    """Definitions with their storage, and all values."""
    text = subprocess.run(["ncdump", "-s", "-p", "9,17", "-n", "made", str(path)], capture_output=True, text=True, check=True).stdout
    return re.sub(r"\n\t*:?_NCProperties.*|\n\t*:_SuperblockVersion.*", "", text)


def launch(place, head, *cases):
    """All of them by one start of the program; returns what sv-run has said of each file."""
    ranks = [arguments.mpirun, arguments.ranks] if arguments.mpirun else []
    done = subprocess.run([*head, *ranks, arguments.program, *cases], cwd=place, capture_output=True, text=True, timeout=100)
    assert (done.returncode != 0) == ("killed" in cases), f"{cases}: {done.returncode}\n{done.stdout}{done.stderr}"
    return dict(re.findall(r"^  (\S+)\.nc: (.*)$", done.stderr, flags=re.M))


def prepare(cases):
    """Both folders, with the files that cases open."""
    for place in (THEIRS, OURS):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    for case in cases:
        if case == "opened.write":
            launch(THEIRS, [], "given")
            (THEIRS / "given.nc").rename(THEIRS / f"{case}.nc")
        elif case.startswith("opened"):
            (THEIRS / "given.cdl").write_text(GIVEN % (INNER if "group" in case else ""), encoding="utf-8")
            subprocess.run(["ncgen", "-4", "-o", f"{case}.nc", "given.cdl"], cwd=THEIRS, check=True)
        else:
            continue
        shutil.copy(THEIRS / f"{case}.nc", OURS)


def check_together(cases):
    outcomes = {case: CASES[case] for case in cases} | ({FOREIGN: HELD} if "opened.write" in cases else {})
    prepare(outcomes)
    launch(THEIRS, [], *cases)
    stories = launch(OURS, [arguments.run], *outcomes)
    assert stories.keys() == outcomes.keys(), stories
    for case, outcome in outcomes.items():
        theirs = "opened.write" if case == FOREIGN else case
        for rank in range(RANKS if case != FOREIGN else 0):
            compare(case, f"rank {rank}", *((place / f"{case}.list.{rank}").read_text(encoding="utf-8") for place in (THEIRS, OURS)))
        compare(case, "the file", contents(THEIRS / f"{theirs}.nc"), contents(OURS / f"{case}.nc"))
        assert stories[case].startswith(outcome), f"{case}: {stories[case]}"
        print(f"{case}: the same")


def check_killed():
    launch(OURS, [arguments.run], "killed")
    text = subprocess.run(["ncdump", "-v", "v", str(OURS / "killed.nc")], capture_output=True, text=True, check=True).stdout
    values = re.findall(r"[\d_]+", text[text.index("data:"):].partition("=")[2])
    assert values[:48 * RANKS] == ["1"] * 24 * RANKS + ["2"] * 24 * RANKS, text
    print("killed: synchronised records are there")


check_together([case for case in CASES if arguments.only in (None, case)])
if arguments.mpirun and arguments.only in (None, "killed"):
    check_killed()
