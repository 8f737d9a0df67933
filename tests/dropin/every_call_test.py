"""every_call by itself and by sv-run: the same codes and values on every rank, and the same files. --all: each name with each
variable and case (minutes), for the campaign."""
import argparse
import difflib
import pathlib
import subprocess

parser = argparse.ArgumentParser()
for name in ("run", "mpirun", "program", "ranks"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--all", action="store_true")
arguments = parser.parse_args()
CLASSIC, WIDE = 0, 0x0020


def run(head, name, flags):
    command = [*head, arguments.mpirun, arguments.ranks, arguments.program, f"{name}.nc", name, str(flags)]
    done = subprocess.run(command + (["all"] if arguments.all else []), capture_output=True, text=True,
                          timeout=7200 if arguments.all else 100)
    assert done.returncode == 0, f"{name}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


for flags in (CLASSIC, WIDE) if arguments.all else (WIDE if arguments.ranks == "1" else CLASSIC,):
    theirs, ours = (f"{name}.{arguments.ranks}.{flags}" for name in ("theirs", "ours"))
    run([], theirs, flags)
    printed = run([arguments.run], ours, flags)
    assert "Sverdrup carried 1 of 1 files" in printed, printed
    lines = 0
    for rank in range(int(arguments.ranks)):
        wanted, found = (pathlib.Path(f"{name}.{rank}").read_text(encoding="utf-8").splitlines() for name in (theirs, ours))
        different = list(difflib.unified_diff(wanted, found, "PnetCDF", "Sverdrup", lineterm="", n=0))
        assert not different, f"rank {rank}, flags {flags}:\n" + "\n".join(different[:40])
        lines += len(wanted)
    assert pathlib.Path(f"{theirs}.nc").read_bytes() == pathlib.Path(f"{ours}.nc").read_bytes(), "the files differ"
    print(f"{lines} calls of {arguments.ranks} ranks are the same")
