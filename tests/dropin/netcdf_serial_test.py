"""Programs that make serial netCDF-4 files, by themselves and by sv-run: the same codes, answers, values and storage. Moreover, of the
files of sv-run alone: synchronised records outlive a kill, a full disk is an error, files take no memory after their end."""
import argparse
import difflib
import pathlib
import re
import shutil
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "program"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--seeds", type=int, default=15)
parser.add_argument("--first", type=int, default=1)
parser.add_argument("--files", type=int, default=400)
parser.add_argument("--only")
arguments = parser.parse_args()


def launch(place, *words, with_run=True, codes=(0,), keep=False):
    place = pathlib.Path(place)
    place.mkdir(exist_ok=True)
    for old in place.iterdir() if not keep else ():
        old.unlink()
    head = [arguments.run] if with_run else []
    done = subprocess.run([*head, arguments.program, *map(str, words), "list"], cwd=place, capture_output=True, text=True, timeout=150)
    assert done.returncode in codes, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    assert "HDF5-DIAG" not in done.stderr, done.stderr
    return done.stderr


def dump(path, *options):
    """Without the order of attributes, which changes where one gets another type."""
    text = subprocess.run(["ncdump", *options, str(path)], capture_output=True, text=True, check=True).stdout
    header, _, values = text.partition("\ndata:\n")
    text = "\n".join(sorted(header.splitlines())) + "\n" + values
    return re.sub(r"\n\t*:?_NCProperties.*|\n\t*:_SuperblockVersion.*", "", text)


def compare(what, wanted, found):
    different = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), "netCDF", "Sverdrup", lineterm="", n=0))
    assert not different, f"{what}:\n" + "\n".join(different[:40])


def both(what, first, keep=False):
    last = first + arguments.seeds - 1
    launch("theirs", what, first, last, with_run=False, keep=keep)
    summary = launch("ours", what, first, last, keep=keep)
    compare("answers", *(pathlib.Path(place, "list").read_text(encoding="utf-8") for place in ("theirs", "ours")))
    for seed in range(first, last + 1):
        compare(f"seed {seed}", *(dump(f"{place}/random.{seed}.nc", "-s", "-p", "9,17") for place in ("theirs", "ours")))
    carried = int(re.search(r"carried (\d+) of", summary)[1])
    assert carried > arguments.seeds * 0.8, summary


def random():
    both("random", arguments.first)


def appended():
    first = 1000 + arguments.first
    launch("theirs", "random", first, first + arguments.seeds - 1, with_run=False)
    shutil.rmtree("ours", ignore_errors=True)
    shutil.copytree("theirs", "ours")
    both("append", first, keep=True)


def killed():
    for records in (3, 6):
        launch("killed", "killed", "made.nc", codes=(-9, 137), keep=records > 3)
        text = dump("killed/made.nc", "-v", "v")
        assert f"time = UNLIMITED ; // ({records} currently)" in text, text[:300]
        assert f" {records * 1000 - 1} ;" in text, text[-300:]


def full():
    launch("full", "full", "made.nc")
    assert pathlib.Path("full/list").read_text(encoding="utf-8").count("refused") == 2


def many():
    launch("many", "many", "made.nc", arguments.files)
    more = int(pathlib.Path("many/list").read_text(encoding="utf-8").split()[0])
    assert more < 3000, f"{more} KiB more after {arguments.files} files"
    assert not list(pathlib.Path("many").glob("made.nc.*")), "something is left next to the file"


def left_open():
    launch("left_open", "left_open", "made.nc")
    assert " 999 ;" in dump("left_open/made.nc", "-v", "v")


for case in (random, appended, killed, full, many, left_open):
    if arguments.only in (None, case.__name__):
        case()
        print(f"{case.__name__}: as it should be")
