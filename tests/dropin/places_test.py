"""places.c with PnetCDF alone and by sv-run: the output, and the files in their headers and in all values of their variables.

    places_test.py --run SV_RUN --mpirun MPIRUN --program PLACES [--ranks N] [--first SEED] [--last SEED]"""
import argparse
import pathlib
import re
import shutil
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "mpirun", "program"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--ranks", default="1")
parser.add_argument("--first", type=int, default=1)
parser.add_argument("--last", type=int, default=300)
arguments = parser.parse_args()

LAST_PLACES = re.compile(r"header (\d+) .* record (\d+) records (\d+) .*\n((?:variable .*\n)*)(?:(?!header).*\n)*$")


def run(folder, head):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [*head, arguments.mpirun, arguments.ranks, arguments.program, str(folder), str(arguments.first), str(arguments.last)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return re.split(r"(?m)^(?=seed )", done.stdout)[1:]


def slabs(said):
    """(begin, bytes) of the header and of each variable or record of it."""
    found = LAST_PLACES.search(said)
    header, record, records = (int(found[i]) for i in (1, 2, 3))
    yield 0, header
    for begin, size, has_records in re.findall(r"begin (\d+) bytes (\d+) records (\d)", found[4]):
        for r in range(records if has_records == "1" else 1):
            yield int(begin) + r * record, int(size)


place = pathlib.Path("places").absolute()
place.mkdir(exist_ok=True)
theirs = run(place / "theirs", [])
ours = run(place / "ours", [arguments.run, "-q"])
assert len(theirs) == len(ours) == arguments.last - arguments.first + 1
wrong = []
for seed, (one, other) in enumerate(zip(theirs, ours), arguments.first):
    differing = [f"  {a}\n  {b}" for a, b in zip(one.splitlines(), other.splitlines()) if a != b]
    if one != other:
        wrong.append(f"seed {seed}: PnetCDF prints, and by sv-run:\n" + "\n".join(differing[:2]))
        continue
    a, b = ((place / whose / f"{seed}.nc").read_bytes() for whose in ("theirs", "ours"))
    for begin, size in slabs(one):
        values = [each[begin:begin + size].ljust(size, b"\0") for each in (a, b)]  # unwritten bytes are zeros
        if values[0] != values[1]:
            wrong.append(f"seed {seed}: the {size} bytes from {begin} on differ: {values[0][:24].hex()} and {values[1][:24].hex()}")
            break
assert not wrong, f"{len(wrong)} of {len(theirs)}\n" + "\n".join(wrong[:20])
