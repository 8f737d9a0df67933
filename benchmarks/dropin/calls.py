"""Measures calls of netCDF (calls.c), netCDF-4 files (files4.c) or those of many ranks (ranks4.c): microseconds.

    calls.py BUILD [--program dropin-files4] [--ranks N] [--runs N] [--size MEBIBYTES] [--kinds KIND...]
    calls.py BUILD --limits [--runs N] [--processor-time]

The programs run by netCDF-C and by sv-run, in turn. --limits: the ratios that netCDF-4 programs should reach, in
memory, and the ratio of the codec alone, in about six minutes for five runs of each. The exit status is 1 where a ratio
is larger."""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LAYERS, ALONE = "compressed layers, with 0.1 s of computing", "compressed layers, without computing"
WRITTEN = [("a step, shuffled and deflated, together", None, 0.25),
           ("a step, quantized, shuffled, by Zstandard, together", None, 0.25),
           ("a step, uncompressed, together", None, 0.6),
           ("a step, uncompressed, each by itself", None, 1.0)]
READ = [("a record, in rows of chunks, together", None, 0.5),
        ("a record, in rows of chunks, each by itself", None, 0.5),
        ("a record, in columns that share chunks, together", None, 0.5)]
# The work that any writer has, as a line of the same program.
LEAST = {"a step, quantized, shuffled, by Zstandard, together": "a step by Zstandard alone"}
OPENED = ("open 1000 variables, one value", None, 1.0)
# A program, its ranks, and its arguments; and of each of its lines the largest ratio, to the same line of netCDF-C or
# (in place of None) to another line of the same run.
LIMITS = [("dropin-files4", None, ["25", "layers", "alone"],
           [(f"{LAYERS}: a put", f"{LAYERS}: a copy of its values", 1.2), (LAYERS, None, 0.35), (ALONE, None, 0.5)]),
          ("dropin-files4", None, ["5", "small", "open"],
           [("500 variables, 20 records, 5 redefinitions", None, 1.0), OPENED]),
          ("dropin-ranks4", "4", ["32", "write"], WRITTEN),
          ("dropin-ranks4", "16", ["32", "write", "read", "open"], [*WRITTEN, *READ, OPENED])]


def microseconds(command, arguments, head):
    """By kind of call. `command`: a program, its ranks and its arguments."""
    program, ranks, more = command
    folder = tempfile.mkdtemp(prefix="sv-calls.", dir=arguments.folder)
    build = arguments.build.resolve()
    environment = dict(os.environ)
    if arguments.processor_time:
        environment["DROPIN_PROCESSOR_TIME"] = "1"
    for plug_ins in build.glob("venv/lib/python3*/site-packages/hdf5plugin/plugins"):
        environment.setdefault("HDF5_PLUGIN_PATH", str(plug_ins))
    try:
        launcher = [str(SOURCE / "scripts/mpirun"), ranks] if ranks else []
        done = subprocess.run([*head, *launcher, str(build / "bin" / program), folder, *more], env=environment,
                              capture_output=True, text=True, timeout=120)
    finally:
        shutil.rmtree(folder)
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return {name: float(taken) for name, taken in (line.split("\t") for line in done.stdout.splitlines())}


def measured(command, arguments):
    """The runs by netCDF-C, and those by sv-run."""
    heads = [], [str(arguments.build.resolve() / "bin/sv-run"), "-q"]
    runs = [[microseconds(command, arguments, head) for head in heads] for _ in range(arguments.runs)]
    return list(zip(*runs))


def print_calls(command, arguments):
    theirs, ours = measured(command, arguments)
    print(f"{arguments.runs} runs of each in turn, medians")
    print(f"{'call':50} {'netCDF-C, us':>14} {'sv-run, us':>12}   ratio")
    for kind in theirs[0]:
        medians = [statistics.median(run[kind] for run in runs) for runs in (theirs, ours)]
        print(f"{kind:50} {medians[0]:14.2f} {medians[1]:12.2f}   {medians[1] / medians[0]:.2f}")


def print_limits(arguments):
    """Returns how many are not met."""
    print(f"{arguments.runs} runs of each in turn, medians of the ratios of a run (least to most)")
    print(f"{'ranks':5} {'what':62} ratio")
    exceeded = 0
    for *command, lines in LIMITS:
        theirs, ours = measured(command, arguments)
        for kind, other, limit in lines:
            if kind not in ours[0]:
                print(f"{command[1] or '':5} {kind:62} was not measured: netCDF has no plug-in for it")
                continue
            ratios = [own[kind] / (own[other] if other else their[kind]) for their, own in zip(theirs, ours)]
            median = statistics.median(ratios)
            span = f"{median:.2f} ({min(ratios):.2f} to {max(ratios):.2f}), at most {limit}"
            if (least := LEAST.get(kind)) in ours[0]:
                alone = statistics.median(own[least] / their[kind] for their, own in zip(theirs, ours))
                span += f"; the codec alone {alone:.2f}"
            exceeded += median > limit
            what = f"{kind} / {'a copy' if other else 'netCDF-C'}"
            print(f"{command[1] or '':5} {what:62} {span}{'  exceeded' if median > limit else ''}", flush=True)
    return exceeded


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--limits", action="store_true", help="print the ratios of netCDF-4 programs, and their limits")
parser.add_argument("--program", default="dropin-calls", help="dropin-calls, dropin-files4, or dropin-ranks4")
parser.add_argument("--ranks", help="of dropin-ranks4")
parser.add_argument("--size", help="of a large record, in MiB")
parser.add_argument("--kinds", nargs="*", default=[], help="with a size: the first comment of the program names them")
parser.add_argument("--processor-time", action="store_true", help="of all threads, rather than elapsed time")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--folder", default="/dev/shm", help="where files are written (/dev/shm)")
given = parser.parse_args()
if given.limits:
    sys.exit(print_limits(given) > 0)
print_calls((given.program, given.ranks, [given.size, *given.kinds] if given.size else []), given)
