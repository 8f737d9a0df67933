"""Ends tests/kill/writer at random moments and checks what is left, by value, with netCDF-C.

campaign.py kill MPIRUN WRITER COUNT [SEED]        SIGKILL to all ranks, then a restart from an earlier step
campaign.py fault MPIRUN WRITER SHIM COUNT [SEED]  a full disk or a failing operation, then the same restart

Exit status 77: no netCDF4 here. What killed ranks of OpenMPI would leave in /dev/shm, they leave in the folder of the run."""
import glob
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

NZ, NY, NX = 3, 24, 40
PUBLISHED_STEPS, DAY_STEPS = 5, 20
SLOW = float(os.environ.get("SV_TEST_SLOW", "1"))
OPTIONS = [[], ["route=shared"], ["route=row"], ["route=column", "writers=2"], ["route=serial"], ["route=ranges", "writers=2"],
           ["ranks_per_node=2"], ["ranks_per_node=2", "route=row", "window=64KiB"], ["transport=send"],
           ["durability=on_disk"], ["stripe=4096", "writers=3"]]


def fail(story):
    sys.exit(f"FAILED: {story}; the files are in {os.getcwd()}")


def cells(shape, shift, steps=0):
    """What the writer puts: see writer.cpp."""
    index = numpy.arange(numpy.prod(shape), dtype=numpy.int64).reshape(shape)
    return (7 * index + 1013 * steps + shift) % 32749


def check_values(path, steps):
    """The file holds exactly these steps."""
    try:
        with netCDF4.Dataset(path) as file:
            if len(file.dimensions["time"]) != len(steps):
                fail(f"{path} has {len(file.dimensions['time'])} records, not {len(steps)}")
            of = numpy.array(steps, dtype=numpy.int64)
            right = {"time": of, "flag": 1013 * of % 32749, "temp": cells((NZ, NY, NX), 131, of.reshape(-1, 1, 1, 1))}
            if len(steps) > 0:
                right["depth"] = cells((NY, NX), 13)
            for name, values in right.items():
                file[name].set_auto_mask(False)
                if not numpy.array_equal(file[name][:], values):
                    fail(f"{path}: {name} is wrong")
    except OSError as error:
        fail(f"netCDF-C cannot read {path}: {error}")


def check_ncdump(path):
    if subprocess.run(["ncdump", "-v", "time", path], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        fail(f"ncdump cannot read {path}")


def read_commits():
    """By file: the number of records whose commit has returned."""
    commits = {}
    if os.path.exists("log"):
        for line in open("log", encoding="ascii").read().split("\n")[:-1]:
            if line.startswith("COMMIT"):
                _, name, record = line.split()
                commits[name] = max(commits.get(name, 0), int(record) + 1)
    return commits


def series_name(day):
    return f"series_{1 + day // 336:04d}{1 + day // 28 % 12:02d}{1 + day % 28:02d}.nc"


def records_of(name):
    with netCDF4.Dataset(name) as file:
        return len(file.dimensions["time"])


def check_growing(name, first, commits):
    """Every committed record, and perhaps the one in flight. Returns how many there are."""
    committed = commits.get(name, 0)
    if not os.path.exists(name):
        if committed > 0:
            fail(f"{name} is not there after {committed} commits")
        return 0
    found = records_of(name)
    if found not in (committed, committed + 1):
        fail(f"{name} has {found} records after {committed} commits")
    check_values(name, range(first, first + found))
    check_ncdump(name)
    return found


def check_left():
    """After an end at any moment. Returns the steps in the growing file."""
    commits = read_commits()
    for path in sorted(glob.glob("published_*.nc")):
        first = int(path[10:-3]) * PUBLISHED_STEPS
        check_values(path, range(first, first + PUBLISHED_STEPS))
    for name in commits:
        if not os.path.exists(name):
            fail(f"{name} was committed, but is not there")
    growing = check_growing("growing.nc", 0, commits)
    for day in range(len(glob.glob("series_*.nc"))):
        check_growing(series_name(day), day * DAY_STEPS, commits)
    return growing


def check_whole(steps):
    """After a run to the end: everything is complete, and nothing is left over."""
    check_values("growing.nc", range(steps))
    for day in range((steps + DAY_STEPS - 1) // DAY_STEPS):
        check_values(series_name(day), range(day * DAY_STEPS, min(steps, (day + 1) * DAY_STEPS)))
    if len(glob.glob("series_*.nc")) != (steps + DAY_STEPS - 1) // DAY_STEPS:
        fail("there are more files of the series than days")
    last = series_name((steps - 1) // DAY_STEPS)
    for name in ("growing.nc", last):
        if not os.path.exists(name + ".complete"):
            fail(f"{name} has no marker")
    if glob.glob("growing*.part") + glob.glob("series*.part"):
        fail("parts are left")
    with netCDF4.Dataset("growing.nc") as file:
        begin = os.path.getsize("growing.nc") - len(file.dimensions["time"]) * (8 + 8 * NZ * NY * NX + 8)
    if not 0 < begin < 3 * 4096 + 4 * NY * NX:
        fail("growing.nc was not cut where its records end")


class Writer:
    """A run in the current directory."""

    def __init__(self, mpirun, program, ranks, arguments, environment=None):
        flags = {"OMPI_MCA_btl_vader_backing_directory": os.getcwd()}  # the others in /dev/shm may be alive
        self.process = subprocess.Popen([mpirun, str(ranks), program, *arguments], stdout=open("out", "w", encoding="utf-8"),
                                        stderr=subprocess.STDOUT, env={**os.environ, **flags, **(environment or {})})

    def wait(self, seconds):
        try:
            return self.process.wait(seconds * SLOW)
        except subprocess.TimeoutExpired:
            self.process.kill()
            fail("a run hangs: " + pathlib.Path("out").read_text(encoding="utf-8"))

    def kill_ranks_after_first_commit(self, seconds):
        begin = time.monotonic()
        while not read_commits():
            if self.process.poll() is not None or time.monotonic() - begin > 20 * SLOW:
                fail("no commit: " + pathlib.Path("out").read_text(encoding="utf-8"))
            time.sleep(0.002)
        time.sleep(seconds)
        pids = [int(pid) for pid in open("log", encoding="ascii").readline().split()[1:]]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        if self.wait(30) == 0:
            fail("a killed run ended well")


def resume(mpirun, program, growing, dice):
    """Goes on from an earlier step, as from an older restart file, past the end of the first run."""
    done = read_commits().get("growing.nc", 0)  # steps that ended: later ones left no restart file
    start = dice.randint(max(0, done - 2 * DAY_STEPS), done)
    steps = growing + dice.randint(1, DAY_STEPS)
    if os.path.exists("log"):
        os.remove("log")
    options = dice.choice(OPTIONS)
    run = Writer(mpirun, program, ranks_for(options, dice), [str(steps), f"from={start}", *options])
    if run.wait(60) != 0:
        fail("the second run failed: " + pathlib.Path("out").read_text(encoding="utf-8"))
    check_whole(steps)
    return f"went on from step {start} to {steps}"


def ranks_for(options, dice):
    """As many as the writers that are asked for, at least."""
    return dice.randint(max([1] + [int(each[8:]) for each in options if each.startswith("writers=")]), 5)


def in_fresh_directory():
    shutil.rmtree("run", ignore_errors=True)
    os.mkdir("run")
    os.chdir("run")


def kill(mpirun, program, dice):
    options = dice.choice(OPTIONS)
    ranks = ranks_for(options, dice)
    run = Writer(mpirun, program, ranks, ["0", "log=log", *options])
    run.kill_ranks_after_first_commit(dice.uniform(0, 0.5) * SLOW)
    growing = check_left()
    return f"{ranks} ranks {' '.join(options)}: killed after {growing} records; ", growing


def fault(mpirun, program, shim, dice):
    what = dice.choice(["enospc", "eio", "open", "rename", "close"])
    at = dice.randint(1, 400) if what in ("enospc", "eio") else dice.randint(1, 30)
    options = dice.choice(OPTIONS)
    run = Writer(mpirun, program, ranks_for(options, dice), ["100", "log=log", *options],
                 {"LD_PRELOAD": shim, "SV_INJECT": f"{what}@{at}", "SV_INJECT_DIR": os.getcwd(), "SV_INJECT_MATCH": "*.nc*"})
    status = run.wait(60)
    growing = check_left()
    if status == 0 and growing < 100:
        fail(f"success, but {growing} records")
    return f"{what}@{at} {' '.join(options)}: status {status}, {growing} records; ", growing


def main():
    trouble, mpirun, program, *rest = sys.argv[1:]
    shim = [rest.pop(0)] if trouble == "fault" else []
    count, seed = int(rest[0]), int(rest[1]) if len(rest) > 1 else 1
    dice = random.Random(seed)
    here, begin = os.getcwd(), time.monotonic()
    print(f"seed {seed}")
    for number in range(1, count + 1):
        in_fresh_directory()
        story, growing = kill(mpirun, program, dice) if trouble == "kill" else fault(mpirun, program, *shim, dice)
        story += resume(mpirun, program, growing, dice)
        os.chdir(here)
        print(f"{number:3d} {story}", flush=True)
    shutil.rmtree("run")
    print(f"{count} {trouble}s: every committed record is right; {time.monotonic() - begin:.0f} s")


main()
