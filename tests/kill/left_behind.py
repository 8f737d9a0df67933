"""The files that a run of tests/kill/writer must leave at any end: checked by value, with netCDF-C. The campaign of kills and its
runs use it; a Failure names the error."""
import glob
import os
import subprocess
import sys

try:
    import netCDF4
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

NZ, NY, NX = 3, 24, 40
PUBLISHED_STEPS, DAY_STEPS = 5, 20
SLOW = float(os.environ.get("SV_TEST_SLOW", "1"))
SYNC_SECONDS = 0.1  # `slow_sync` of the shim
VARIABLES = ["depth", "temp", "flag"]  # which have files; depth the first one, without which there is no set


class Failure(Exception):
    """The error of a case."""


def fail(story):
    raise Failure(story)


def cells(shape, shift, steps=0):
    """The values of the writer: see writer.cpp."""
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


def run_program(words):
    """Its standard error, if it fails or does not end, or None."""
    here = {"OMPI_MCA_orte_tmpdir_base": os.getcwd()}  # ranks without a launcher have, and remove, directories of one name
    try:
        made = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=60 * SLOW,
                              env={**os.environ, **here})
    except subprocess.TimeoutExpired:
        return "it does not end"
    return None if made.returncode == 0 else f"status {made.returncode}: {made.stderr}"


def check_ncdump(path):
    said = run_program(["ncdump", "-v", "time", path])
    if said is not None:
        fail(f"ncdump cannot read {path}: {said}")


def read_commits():
    """By file: the number of records whose commit has returned."""
    commits = {}
    if os.path.exists("log"):
        for line in open("log", encoding="ascii").read().split("\n")[:-1]:
            if line.startswith("COMMIT"):
                _, name, record = line.split()
                commits[name] = max(commits.get(name, 0), int(record) + 1)
    return commits


def steps_begun():
    """How many, of a run that began with step 0."""
    if not os.path.exists("log"):
        return 0
    return open("log", encoding="ascii").read().rsplit("\n", 1)[0].count("STEP ")


def series_name(day):
    return f"series_{1 + day // 336:04d}{1 + day // 28 % 12:02d}{1 + day % 28:02d}.nc"


def records_of(name):
    with netCDF4.Dataset(name) as file:
        return len(file.dimensions["time"])


def check_growing(name, first, commits, begun):
    """Every committed record, and perhaps those in flight. Returns how many there are."""
    committed = commits.get(name, 0)
    if not os.path.exists(name):
        if committed > 0:
            fail(f"{name} is not there after {committed} commits")
        return 0
    found = records_of(name)
    if not committed <= found <= begun:
        fail(f"{name} has {found} records after {committed} commits, {begun} were begun")
    check_values(name, range(first, first + found))
    check_ncdump(name)
    return found


def check_left():
    """After an end at any moment. Returns the steps in the growing file or, where they are more, in the series."""
    commits, begun = read_commits(), steps_begun()
    for path in sorted(glob.glob("published_*.nc")):
        first = int(path[10:-3]) * PUBLISHED_STEPS
        check_values(path, range(first, first + PUBLISHED_STEPS))
    for name in commits:
        if not os.path.exists(name):
            fail(f"{name} was committed, but is not there")
    most = check_growing("growing.nc", 0, commits, begun)
    days = range((begun + DAY_STEPS - 1) // DAY_STEPS)
    if not set(glob.glob("series_*.nc")) <= {series_name(day) for day in days}:
        fail("the series has files of days that were not begun")
    for first in [day * DAY_STEPS for day in days]:
        most = max(most, first + check_growing(series_name(first // DAY_STEPS), first, commits, min(DAY_STEPS, begun - first)))
    return most


def check_counted(name, first, most):
    """Counted records are right, and not more than were begun. Returns how many records there are."""
    if not os.path.exists(name):
        return 0
    found = records_of(name)
    if found > most:
        fail(f"{name} has {found} records, but only {most} were begun")
    check_values(name, range(first, first + found))
    check_ncdump(name)
    return found


def check_lag(killed):
    """Of a run with `durability: ordered`, whose syncs of the growing file take SYNC_SECONDS, after it was killed: the count is
    never ahead of the disk; steps of sv_durable_step count; and so do those that the thread of a rank must have synchronised: it
    may have been at work when a step asked, and then a second time for it. Returns the steps in the growing and in the series."""
    ended = []
    for line in open("log", encoding="ascii").read().split("\n")[:-1]:
        if line.startswith("ENDED"):
            _, step, begin, end, durable = line.split()
            if int(step) != len(ended):
                fail(f"after {len(ended)} steps, step {step} ended")
            ended.append((float(begin), float(end), int(durable)))
    growing = check_counted("growing.nc", 0, len(ended) + 1)
    synced = sum(begin + SYNC_SECONDS <= killed for begin, _, _ in ended)
    if growing > synced:
        fail(f"{growing} records count, but of {synced} only a sync can have returned")
    if growing < ended[-1][2]:
        fail(f"{growing} records count, but sv_durable_step returned {ended[-1][2]}")
    late = sum(end <= ended[-1][0] - 2 * SYNC_SECONDS - SLOW / 2 for _, end, _ in ended)  # SLOW / 2: for other work of the cores
    if growing < late:
        fail(f"{growing} records count, but {late} steps ended long before the last one")
    days = (len(ended) + DAY_STEPS - 1) // DAY_STEPS
    series = sum(check_counted(series_name(day), day * DAY_STEPS, DAY_STEPS) for day in range(days))
    return len(ended), growing, series


def check_whole(steps, start=0):
    """After a run from a step to the end: everything is complete, and nothing is left over but the parts of days that only an
    older run, which came further, has begun."""
    check_values("growing.nc", range(steps))
    for first in range((start + PUBLISHED_STEPS - 1) // PUBLISHED_STEPS * PUBLISHED_STEPS, steps - PUBLISHED_STEPS + 1, PUBLISHED_STEPS):
        check_values(f"published_{first // PUBLISHED_STEPS:03d}.nc", range(first, first + PUBLISHED_STEPS))
    days = (steps + DAY_STEPS - 1) // DAY_STEPS
    for day in range(days):
        check_values(series_name(day), range(day * DAY_STEPS, min(steps, (day + 1) * DAY_STEPS)))
    if len(glob.glob("series_*.nc")) != days:
        fail("there are more files of the series than days")
    last = series_name(days - 1)
    for name in ("growing.nc", last):
        if not os.path.exists(name + ".complete"):
            fail(f"{name} has no marker")
    left = [part for part in glob.glob("growing*.part") + glob.glob("series*.part") if part < series_name(days)]
    if left:
        fail(f"parts are left: {left}")
    with netCDF4.Dataset("growing.nc") as file:
        begin = os.path.getsize("growing.nc") - len(file.dimensions["time"]) * (8 + 8 * NZ * NY * NX + 4)
    if not 0 < begin < 3 * 4096 + 4 * NY * NX:
        fail("growing.nc was not cut where its records end")


def check_each_file():
    """Those of a set differ by one commit at most, and each can be read."""
    for name, committed in read_commits().items():
        records = [records_of(f"{name.removesuffix('.nc')}_{variable}.nc") for variable in VARIABLES[1:]]
        if min(records) < committed or max(records) - min(records) > 1:
            fail(f"the files of {name} have {records} records after {committed} commits")


def check_steps(steps):
    """Of a whole run, of which some files of the series are here, the last one among them."""
    check_values("growing.nc", range(steps))
    days = [day for day in range((steps + DAY_STEPS - 1) // DAY_STEPS) if os.path.exists(series_name(day))]
    if series_name((steps - 1) // DAY_STEPS) not in map(series_name, days):
        fail("the last file of the series is not there")
    for day in days:
        check_values(series_name(day), range(day * DAY_STEPS, min(steps, (day + 1) * DAY_STEPS)))
