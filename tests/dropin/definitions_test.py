"""Names of files and of definitions, and ranks that define different things: the same codes and files with PnetCDF alone and by sv-run,
which reports what differs."""
import argparse
import pathlib
import re
import shutil
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "mpirun", "names", "differing"):
    parser.add_argument(f"--{name}", required=True)
arguments = parser.parse_args()


def run(program, ranks, folder, dropped_in):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    head = [arguments.run] if dropped_in else []
    done = subprocess.run([*head, arguments.mpirun, str(ranks), program, str(folder)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{program}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.endswith(".complete")}


def compared(program, ranks, name):
    """Both print the same; returns what sv-run says, and the files of both."""
    folders = [pathlib.Path(f"{name}.{whose}").absolute() for whose in ("theirs", "ours")]
    theirs, ours = (run(program, ranks, folder, dropped_in) for folder, dropped_in in zip(folders, (False, True)))
    assert theirs.stdout == ours.stdout, f"{program} prints\n{theirs.stdout}\nand by sv-run\n{ours.stdout}"
    return ours.stderr, *(files_of(folder) for folder in folders)


def check_names():
    """%v, %f, %Y in names of files mean nothing to a program that knows nothing of Sverdrup; names may have 256 bytes."""
    _, theirs, ours = compared(arguments.names, 1, "names")
    assert theirs.keys() == ours.keys(), f"PnetCDF made {sorted(theirs)}, sv-run {sorted(ours)}"
    for name, content in theirs.items():
        assert ours[name].rstrip(b"\0") == content.rstrip(b"\0"), f"{name} has other bytes"


# The summary's line for each file of differing.c, by its number.
DIFFERENCES = {
    1: "rank 0 has dimension 'x' of 4; this rank has dimension 'xx' of 4",
    2: "rank 0 has dimension 'y' of 3; this rank has dimension 'y' of 2",
    3: "rank 0 has variable 'a', int, on dimensions 'y' 'x'; this rank has variable 'a', double, on dimensions 'y' 'x'",
    4: "rank 0 has variable 'a', int, on dimensions 'y' 'x'; this rank has variable 'b', int, on dimensions 'y' 'x'",
    5: "rank 0 has variable 'a', int, on dimensions 'y' 'x'; this rank has variable 'a', int, on dimensions 'y'",
    6: "rank 0 has nothing more; this rank has variable 'z', int, on dimensions 'x'",
    7: "rank 0 has attribute 'step' of 'a', double: 0.5; this rank has attribute 'step' of 'a', double: 1.5",
    8: "rank 0 has attribute 'time' of the file, char: '12:00:00'; this rank has attribute 'time' of the file, char: '12:00:01'",
    9: "rank 0 has attribute 'one' of 'a', int: 1; this rank has attribute 'other' of 'a', int: 1",
    "changed": "rank 0 has attribute 'time' of the file, char: '12:00:00'; this rank has attribute 'time' of the file, char: '12:00:01'",
}
# A put of rank 1 into the variable that it has defined otherwise: values must not go where it does not mean.
REFUSED = {"dimension size": "NC_EMULTIDEFINE_DIM_SIZE", "variable type": "NC_EMULTIDEFINE_VAR_TYPE",
           "variable name": "NC_EMULTIDEFINE_VAR_NAME", "variable dimensions": "NC_EMULTIDEFINE_VAR_NDIMS"}


def check_differing():
    said, theirs, ours = compared(arguments.differing, 2, "differing")
    for number, difference in DIFFERENCES.items():
        found = re.search(rf"/{number}\.nc: .*\n    (.*)", said)
        assert found and "rank 1: ranks defined different things: " + difference in found[1], f"file {number}: {found and found[1]}\n{said}"
    assert not re.search(r"/0\.nc: .*\n    .*differ", said), said
    for which, code in re.findall(r"put into (.*): (\w+)", said):
        assert code == REFUSED.get(which, "NC_NOERR"), f"a put into {which}: {code}"
    assert re.findall(r"got of .*: (.*)", said) == ["1 2"] * 10, said
    for name in ("0.nc", "1.nc", "6.nc", "7.nc", "8.nc", "9.nc", "changed.nc"):
        assert theirs[name].rstrip(b"\0") == ours[name].rstrip(b"\0"), f"{name} has other bytes"


check_names()
check_differing()
