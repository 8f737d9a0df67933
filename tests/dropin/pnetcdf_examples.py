"""PnetCDF's C examples by themselves and by sv-run: the files of each, byte by byte.

    pnetcdf_examples.py BUILD SOURCE [--ranks N] [--folder DIRECTORY] [--work DIRECTORY]

SOURCE: the unpacked source of the PnetCDF that is installed (Debian: apt-get source pnetcdf); the programs are built into DIRECTORY of
--work, once. The exit status is 1 where an example fails that PnetCDF carries out, or has other values."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("source", type=pathlib.Path)
parser.add_argument("--ranks", default="4")
parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/dev/shm/pnetcdf_examples"), help="where files are written")
parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("pnetcdf_examples"), help="where programs are built")
arguments = parser.parse_args()
mpirun = pathlib.Path(__file__).resolve().parents[2] / "scripts/mpirun"
run = str(arguments.build.resolve() / "bin/sv-run")
sources = sorted((arguments.source.resolve() / "examples/C").glob("*.c"))
programs = arguments.work.resolve()
programs.mkdir(parents=True, exist_ok=True)


def built(source):
    program = programs / source.stem
    if not program.exists():
        subprocess.run(["mpicc.openmpi", "-O1", "-w", str(source), "-o", str(program), "-lpnetcdf", "-lpthread", "-lm"], check=True)
    return program


def launch(name, head, folder):
    """Whether it succeeds. get_vara reads what put_vara writes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1"}
    for each in ("put_vara", name) if name == "get_vara" else (name,):
        command = [*head, str(mpirun), arguments.ranks, str(programs / each), "-q", "file.nc"]
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", timeout=60)
        except subprocess.TimeoutExpired:
            return False, "takes more than 60 s\n"
        if done.returncode != 0:
            return False, done.stdout + done.stderr
    return True, ""


def same_values(one, other):
    """Whether they differ only in bytes that belong to no variable."""
    shown = [subprocess.run(["ncdump", "-n", "x", str(each)], capture_output=True, text=True).stdout for each in (one, other)]
    return shown[0] == shown[1] and shown[0] != ""


counts = {"the same bytes": 0, "the same values": 0, "other values": 0, "fails": 0, "fails with PnetCDF, too": 0}
for source in sources:
    built(source)
for source in sources:
    theirs, ours = arguments.folder / "theirs", arguments.folder / "ours"
    good, said = launch(source.stem, [run, "-q"], ours)
    theirs_good, _ = launch(source.stem, [], theirs)
    if not good:
        story = "fails" if theirs_good else "fails with PnetCDF, too"
    else:
        names = sorted(each.name for each in theirs.iterdir())
        left = [each for each in sorted(ours.iterdir()) if not each.name.endswith(".complete")]
        pairs = [(theirs / name, ours / name) for name in names]
        if names != [each.name for each in left]:
            story, said = "other values", f"{names} became {[each.name for each in left]}\n"
        elif all(one.read_bytes() == other.read_bytes() for one, other in pairs):
            story = "the same bytes"
        else:
            story = "the same values" if all(same_values(*pair) for pair in pairs) else "other values"
    counts[story] += 1
    print(f"{story:25} {source.stem}\n{said}", end="", flush=True)
shutil.rmtree(arguments.folder, ignore_errors=True)
print(", ".join(f"{count} {told}" for told, count in counts.items()))
sys.exit(counts["fails"] + counts["other values"] > 0)
