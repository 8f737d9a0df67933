"""Ends tests/kill/writer at random moments and checks what is left, by value, with netCDF-C.

campaign.py kill MPIRUN WRITER COUNT [SEED]        SIGKILL to all ranks, one rank, a server or the launcher, then a restart
                                                   from an earlier step
campaign.py leftovers MPIRUN WRITER COUNT [SEED]   four kills, one run after the other from the first step on: each begins the files whose
                                                   parts, header copies and published predecessors the killed ones have left
campaign.py pieces MPIRUN WRITER COUNT [SEED]      the same as kill with a file for each variable, or netCDF-4 files, or both; what is left
                                                   is looked at through sv-copy, as sv_open sees it
campaign.py zarr MPIRUN WRITER COUNT [SEED]        the same in Zarr
campaign.py late MPIRUN WRITER SHIM COUNT [SEED]   the same where servers or threads lag behind the calls on a slow device, and sv_flush
                                                   comes seldom or never; also the death of whoever makes a certain write
campaign.py fault MPIRUN WRITER SHIM COUNT [SEED]  a full disk or a failing operation, then the same restart
campaign.py lag MPIRUN WRITER SHIM COUNT [SEED]    SIGKILL with `durability: ordered` on a slow disk: which records count,
                                                   then the same restart

It stops at no failure: each gets a line with the command that repeats it, and keeps its folder. JOBS from the environment: so
many at a time (1); FIRST: the number of the first case (1); ONLY: takes only rows of options with all of these words, so that the
command which repeats a case needs it, too; SCRATCH: where killed ranks of Open MPI leave what they have in /dev/shm and /tmp (the folder of the
run). Exit status 77: no netCDF4 here. Ranks may be on several hosts (MPIEXEC=scripts/hosts/mpiexec), which ssh reaches by their names."""
import collections
import concurrent.futures
import contextlib
import faulthandler
import glob
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import socket
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
           ["durability=on_disk"], ["combine=step"], ["stripe=4096", "writers=3"], ["write_depth=3", "direct_io=on", "stripe=4096"]]
SERVED = [["servers=1"], ["servers=1", "durability=on_disk"], ["servers=2"], ["servers=1", "ranks_per_node=2"],
          ["servers=2", "stripe=4096", "window=64KiB"], ["servers=1", "combine=step"], ["servers=1", "durability=ordered"]]
THREADS = [["servers=threads"], ["servers=threads", "ranks_per_node=2"], ["servers=threads", "durability=on_disk"],
           ["servers=threads", "combine=step", "ranks_per_node=2"], ["servers=threads", "durability=ordered"],
           ["servers=threads", "server_memory=1MiB", "stripe=4096"],
           ["servers=threads", "write_depth=3", "direct_io=on", "stripe=4096"]]
# Ranks that are kept ready: the calls, threads and servers take turns.
READY = [["servers=auto,1", "server_turns=2,1,3"], ["servers=auto,1", "server_turns=3,2,9", "ranks_per_node=2"],
         ["servers=auto,2", "server_turns=1,1,1", "stripe=4096"], ["servers=auto,1", "server_turns=4,1,4", "durability=on_disk"],
         ["servers=auto,1", "server_turns=2,2,5", "durability=ordered"], ["servers=auto,1", "server_turns=1,1,2", "combine=step"]]
LIBRARY = [["store=pnetcdf"], ["store=pnetcdf", "writers=2"]]
ORDERED = ["durability=ordered"]
SYNC_SECONDS = 0.1  # `slow_sync` of the shim
VICTIMS = ["all", "rank", "server", "launcher"]
FLUSHES = [1, 7, 0]  # sv_flush in every so many steps, where servers or threads write; 0: never
DEVICES = ["1GB/s", "20MB/s,1ms", "5MB/s"]
ENDS = []  # seconds from each kill of this case to the end of its launcher


class Failure(Exception):
    """What is wrong after a case."""


def fail(story):
    raise Failure(story)


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


def run_program(words):
    """What it says on the standard error, if it fails or does not end, or None."""
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


def only(rows):
    """The rows of options that ONLY leaves."""
    words = os.environ.get("ONLY", "").split()
    return [row for row in rows if all(word in row for word in words)]


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
    """What counts is right, and not more than was begun. Returns how many records there are."""
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
    never ahead of the disk; what sv_durable_step told counts; and so does what the thread of a rank must have synchronised: it
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
        fail(f"{growing} records count, but sv_durable_step told {ended[-1][2]}")
    late = sum(end <= ended[-1][0] - 2 * SYNC_SECONDS - SLOW / 2 for _, end, _ in ended)  # SLOW / 2: for what else the cores do
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


HERE = socket.gethostname()
Process = collections.namedtuple("Process", "pid host")


def is_alive(pid):
    """Of this host."""
    try:
        return open(f"/proc/{pid}/stat", encoding="ascii").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def on_host(host, command, pids):
    """What a command says there; $p is each process in turn."""
    said = subprocess.run(["ssh", host, f"for p in {' '.join(map(str, pids))}; do {command}; done; true"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if said.returncode != 0:
        fail(f"{host} does not answer: {said.stderr}")
    return said.stdout


def by_host(processes):
    hosts = collections.defaultdict(list)
    for process in processes:
        hosts[process.host].append(process.pid)
    return hosts.items()


def alive(processes):
    """Whether any of them is."""
    for host, pids in by_host(processes):
        if any(map(is_alive, pids)) if host == HERE else on_host(host, "grep -s '^State:' /proc/$p/status | grep -v Z", pids):
            return True
    return False


def end(processes):
    """At once, and awaits it."""
    for host, pids in by_host(processes):
        if host != HERE:
            on_host(host, "kill -KILL $p 2>/dev/null", pids)
            continue
        for pid in filter(is_alive, pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    while alive(processes):
        time.sleep(0.001)


class Writer:
    """A run in the current directory."""

    def __init__(self, mpirun, program, ranks, arguments, environment=None):
        here = os.environ.get("SCRATCH", os.getcwd())  # other runs are alive in /dev/shm and /tmp
        flags = {"OMPI_MCA_btl_vader_backing_directory": here, "OMPI_MCA_btl_sm_backing_directory": here,
                 "OMPI_MCA_orte_tmpdir_base": here}
        self.process = subprocess.Popen([mpirun, str(ranks), program, *arguments], stdout=open("out", "w", encoding="utf-8"),
                                        stderr=subprocess.STDOUT, env={**os.environ, **flags, **(environment or {})})

    def wait(self, seconds):
        try:
            return self.process.wait(seconds * SLOW)
        except subprocess.TimeoutExpired:
            self.process.kill()
            end(self.ranks())
            self.process.wait()
            fail("a run hangs: " + pathlib.Path("out").read_text(encoding="utf-8"))

    @staticmethod
    def ranks():
        """The processes that the writer told."""
        if not os.path.exists("log"):
            return []
        words = open("log", encoding="ascii").readline().split()
        told = [word.split("@", 1) for word in words[1:]] if words[:1] == ["RANKS"] else []
        return [Process(int(pid), host) for pid, host in told]

    def kill_after_first(self, begun, whom, seconds, servers):
        """`begun`: true when the time begins; `whom`: one of VICTIMS. Returns, when all ranks have ended, at which time it was dead."""
        begin = time.monotonic()
        while not begun():
            if self.process.poll() is not None or time.monotonic() - begin > 60 * SLOW:
                fail("no step: " + pathlib.Path("out").read_text(encoding="utf-8"))
            time.sleep(0.002)
        time.sleep(seconds)
        ranks = self.ranks()
        models = ranks[:len(ranks) - servers]
        victims = {"all": ranks, "rank": [models[int(seconds * 1e6) % len(models)]], "server": ranks[-1:],
                   "launcher": [Process(self.process.pid, HERE)]}[whom]
        end(victims)
        killed = time.monotonic()
        if self.wait(30) == 0:
            fail("a killed run ended well")
        ENDS.append(time.monotonic() - killed)
        self.end_orphans(ranks)
        return killed

    @staticmethod
    def end_orphans(ranks):
        """Ranks without a launcher end by themselves, or go on writing: they are given a moment, then ended."""
        last_moment = time.monotonic() + 3 * SLOW
        while alive(ranks) and time.monotonic() < last_moment:
            time.sleep(0.02)
        end(ranks)


def start_of(done, dice):
    """Of a second run, from an older state than that of the last step that is known to be committed."""
    return dice.randint(max(0, done - 2 * DAY_STEPS), done)


def resume(mpirun, program, growing, done, dice):
    """Goes on from a step up to `done`, as from an older restart file, past the end of the first run."""
    start = start_of(done, dice)
    steps = growing + dice.randint(1, DAY_STEPS)
    if os.path.exists("log"):
        os.remove("log")
    options = dice.choice([*OPTIONS, *THREADS, *READY, ORDERED])
    run = Writer(mpirun, program, ranks_for(options, dice), [str(steps), f"from={start}", *options])
    if run.wait(60) != 0:
        fail("the second run failed: " + pathlib.Path("out").read_text(encoding="utf-8"))
    check_whole(steps, start)
    return f"went on from step {start} to {steps}"


def number_in(options, key):
    """Of servers, also of ranks that are kept ready."""
    values = [each.split("=")[1].removeprefix("auto,") for each in options if each.startswith(key + "=")]
    return max([0] + [int(value) for value in values if value.isdigit()])


def ranks_for(options, dice):
    """As many as the writers and servers that are asked for, at least."""
    servers = number_in(options, "servers")
    return dice.randint(max(1, number_in(options, "writers")), 5 - servers) + servers


def choice(program, dice):
    """Whom to kill, the options of the run, its servers and its ranks."""
    library = pathlib.Path(program).parent.parent / "lib" / "sverdrup" / "store_pnetcdf.so"
    serving = SERVED + READY
    whom = dice.choice([each for each in VICTIMS if each != "server" or only(serving)])
    options = dice.choice(only(serving if whom == "server" else OPTIONS + serving + THREADS + (LIBRARY if library.exists() else [])))
    servers = number_in(options, "servers")
    if servers:
        options = [*options, "server_placement=last"]
    ranks = ranks_for(options, dice)
    return whom, options, servers, max(2, ranks) if whom == "rank" else ranks


def kill(mpirun, program, dice):
    whom, options, servers, ranks = choice(program, dice)
    run = Writer(mpirun, program, ranks, ["0", "log=log", *options])
    run.kill_after_first(read_commits, whom, dice.uniform(0, 0.5) * SLOW, servers)
    growing = check_left()
    story = f"{whom} of {ranks} ranks {' '.join(options)}: killed after {growing} records; "
    return story + resume(mpirun, program, growing, read_commits().get("growing.nc", 0), dice), whom


def leftovers(mpirun, program, dice):
    kills, stories, left = 4, [], 0
    for _ in range(kills):
        # What counts of an older run would be taken for that of this one; what never got a name stays.
        for name in ["log", *glob.glob("growing.nc*"), *glob.glob("series_*.nc*")]:
            if os.path.exists(name) and ".part" not in name:
                os.remove(name)
        left += len(glob.glob("*.part*"))
        whom, options, servers, ranks = choice(program, dice)
        run = Writer(mpirun, program, ranks, ["0", "log=log", *options])
        run.kill_after_first(steps_begun, whom, dice.uniform(0, 0.3) * SLOW, servers)
        growing = check_left()
        stories.append(f"{whom} of {ranks} ranks {' '.join(options)}: {growing} records")
    story = f"{kills} kills, {left} parts were there before: {'; '.join(stories)}; "
    return story + resume(mpirun, program, growing, read_commits().get("growing.nc", 0), dice), "leftovers"


PIECES = [["layout=per_variable"], ["layout=per_variable", "durability=on_disk"], ["layout=per_variable", "servers=1"],
          ["layout=per_variable", "servers=2"], ["layout=per_variable", "servers=threads"],
          ["layout=per_variable", "servers=threads", "ranks_per_node=2"], ["layout=per_variable", "combine=step", "writers=2"],
          ["layout=per_variable", "store=netcdf4"], ["layout=per_variable", "store=netcdf4", "deflate=1", "writers=2"],
          ["layout=per_variable", "store=netcdf4", "servers=1"], ["store=netcdf4"], ["store=netcdf4", "deflate=1", "writers=2"],
          ["store=netcdf4", "deflate=1", "durability=on_disk"], ["store=netcdf4", "servers=1"],
          ["store=netcdf4", "deflate=1", "servers=2"], ["store=netcdf4", "servers=threads"],
          ["store=netcdf4", "deflate=1", "servers=threads"], ["store=netcdf4", "servers=auto,1", "server_turns=2,1,3"],
          ["store=netcdf4", "deflate=1", "servers=auto,2", "server_turns=1,1,1"],
          ["layout=per_variable", "servers=auto,1", "server_turns=2,1,3"]]
ZARR = [["store=zarr"], ["store=zarr", "zstd=1", "chunks=1,1,12,40", "writers=2"], ["store=zarr", "shards=auto", "durability=on_disk"],
        ["store=zarr", "servers=1"], ["store=zarr", "servers=threads"],
        ["store=zarr", "zstd=1", "shards=auto", "servers=threads", "ranks_per_node=2"],
        ["store=zarr", "servers=auto,1", "server_turns=2,1,3"],
        ["store=zarr", "zstd=1", "shards=auto", "servers=auto,1", "server_turns=1,1,2", "ranks_per_node=2"]]
VARIABLES = ["depth", "temp", "flag"]  # which have files; depth the first one, without which there is no set


def sampled(names, dice):
    """The growing file, the last ones of the other kinds, which a kill may have met, and two more: to copy all takes longer than
    to make them."""
    chosen = set()
    for kind in ("growing", "published_", "series_"):
        chosen |= set([name for name in names if name.startswith(kind)][-2:])
    others = [name for name in names if name not in chosen]
    return sorted(chosen | set(dice.sample(others, min(2, len(others)))))


def copy_log(names):
    """What it tells of these files, and of steps."""
    with open("log", encoding="ascii") as log, open("left/log", "w", encoding="ascii") as copy:
        copy.writelines(line for line in log if not line.startswith("COMMIT") or line.split()[1] in names)


def through_copies(program, options, check, dice):
    """Copies some of the files into the folder `left`, as one CDF file each, and returns what `check` finds there."""
    copy = pathlib.Path(program).parent.parent / "bin" / "sv-copy"
    divided = "layout=per_variable" in options
    shutil.rmtree("left", ignore_errors=True)
    os.mkdir("left")
    ending = "_depth.nc" if divided else ".nc"
    names = sorted(name.removesuffix(ending) for name in glob.glob("*" + ending))
    for name in read_commits():
        if name.removesuffix(".nc") not in names:
            fail(f"{name} was committed, but is not there")
    chosen = sampled(names, dice)
    for whole in chosen:
        said = run_program([copy, "-q", "--store", "cdf", "--format", "cdf5", whole + ("_%v.nc" if divided else ".nc"), f"left/{whole}.nc"])
        if said is not None:
            fail(f"{whole} cannot be copied: {said}")
    if os.path.exists("log"):
        copy_log([whole + ".nc" for whole in chosen])
    os.chdir("left")
    try:
        return check()
    finally:
        os.chdir("..")


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


def zarr(mpirun, program, dice):
    return pieces(mpirun, program, dice, ZARR)


def pieces(mpirun, program, dice, kinds=None):
    options = dice.choice(only(kinds or PIECES))
    servers, divided = number_in(options, "servers"), "layout=per_variable" in options
    whom = dice.choice([each for each in VICTIMS if each != "server" or servers])
    if servers:
        options = [*options, "server_placement=last"]
    ranks = max(ranks_for(options, dice), 2 if whom == "rank" else 1) + (servers if whom == "rank" else 0)
    flush = dice.choice(FLUSHES)
    run = Writer(mpirun, program, ranks, ["0", "log=log", f"flush={flush}", *options])
    # Soon: what was made is copied, which takes longer than to make it.
    run.kill_after_first(read_commits if flush == 1 else steps_begun, whom, dice.uniform(0, 0.15) * SLOW, servers)
    if divided and "store=netcdf4" not in options:
        check_each_file()
    growing = through_copies(program, options, check_left, dice)
    start = start_of(read_commits().get("growing.nc", 0), dice)
    steps = growing + dice.randint(1, DAY_STEPS)
    os.remove("log")
    run = Writer(mpirun, program, ranks, [str(steps), f"from={start}", *options])
    if run.wait(60) != 0:
        fail("the second run failed: " + pathlib.Path("out").read_text(encoding="utf-8"))
    through_copies(program, options, lambda: check_steps(steps), dice)
    for name in glob.glob("growing_*.nc") + glob.glob("growing.nc"):
        if not os.path.exists(name + ".complete"):
            fail(f"{name} has no marker")
        if "depth" not in name and not os.path.isdir(name) and records_of(name) != steps:
            fail(f"{name} has {records_of(name)} records, not {steps}")
    story = f"{whom} of {ranks} ranks flush={flush} {' '.join(options)}: killed after {growing} records; "
    return story + f"went on from {start} to {steps}", whom


def late(mpirun, program, shim, dice):
    options = dice.choice(only(SERVED + THREADS + READY))
    servers, flush, device = number_in(options, "servers"), dice.choice(FLUSHES), dice.choice(DEVICES)
    whom = dice.choice([each for each in [*VICTIMS, "writing"] if each != "server" or servers])
    if servers:
        options = [*options, "server_placement=last"]
    ranks = ranks_for(options, dice) + (1 if whom == "rank" else 0)
    environment = {"LD_PRELOAD": shim, "SV_DEVICE": device, "SV_DEVICE_DIR": os.getcwd()}
    if whom == "writing":
        environment |= {"SV_INJECT": f"kill@{dice.randint(1, 300)}", "SV_INJECT_DIR": os.getcwd(), "SV_INJECT_MATCH": "*.nc*"}
    run = Writer(mpirun, program, ranks, ["0", "log=log", f"flush={flush}", *options], environment)
    if whom != "writing":
        run.kill_after_first(steps_begun, whom, dice.uniform(0, 0.5) * SLOW, servers)
    elif run.wait(60) == 0:
        fail("a killed run ended well")
    Writer.end_orphans(Writer.ranks())
    growing = check_left()
    story = f"{whom} of {ranks} ranks flush={flush} {device} {' '.join(options)}: killed after {growing} of {steps_begun()} records; "
    return story + resume(mpirun, program, growing, read_commits().get("growing.nc", 0), dice), whom


def lag(mpirun, program, shim, dice):
    whom, pace = dice.choice(["all", "rank"]), int(dice.choice([10, 50, 100]) * SLOW)
    options = [*dice.choice([[], ["route=shared"], ["route=serial"], ["transport=send"], ["combine=step"]]), *ORDERED]
    ranks = dice.randint(2, 4)
    run = Writer(mpirun, program, ranks, ["0", "log=log", f"pace={pace}", *options],
                 {"LD_PRELOAD": shim, "SV_INJECT": "slow_sync@1", "SV_INJECT_DIR": os.getcwd(), "SV_INJECT_MATCH": "growing.nc*"})
    killed = run.kill_after_first(read_commits, whom, dice.uniform(1, 3.5) * SLOW, 0)
    ended, growing, series = check_lag(killed)
    story = f"{whom} of {ranks} ranks pace={pace} {' '.join(options)}: {growing} of {ended} steps count; "
    return story + resume(mpirun, program, ended, min(growing, series), dice), whom


def fault(mpirun, program, shim, dice):
    what = dice.choice(["enospc", "eio", "open", "rename", "close"])
    at = dice.randint(1, 400) if what in ("enospc", "eio") else dice.randint(1, 30)
    options = dice.choice(only(OPTIONS + THREADS))
    run = Writer(mpirun, program, ranks_for(options, dice), ["100", "log=log", *options],
                 {"LD_PRELOAD": shim, "SV_INJECT": f"{what}@{at}", "SV_INJECT_DIR": os.getcwd(), "SV_INJECT_MATCH": "*.nc*"})
    status = run.wait(60)
    growing = check_left()
    if status == 0:
        check_whole(100)
    story = f"{what}@{at} {' '.join(options)}: status {status}, {growing} records; "
    return story + resume(mpirun, program, growing, read_commits().get("growing.nc", 0), dice), what


TROUBLES = {"kill": kill, "leftovers": leftovers, "pieces": pieces, "zarr": zarr, "late": late, "fault": fault, "lag": lag}


def one_case(number, trouble, seed, arguments):
    """In a folder of its own, which is left if it fails. Returns its line, what was done, and how long a killed run took to end, or None
    where something was wrong."""
    here, folder = os.getcwd(), f"run.{number}"
    faulthandler.dump_traceback_later(400 * SLOW)  # a case of this campaign that does not end tells where
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    os.chdir(folder)
    dice = random.Random(f"{seed} {number}")
    what = trouble
    ENDS.clear()
    try:
        story, what = TROUBLES[trouble](*arguments, dice)
        return f"{number:4d} {story}", what, max(ENDS, default=0)
    except Failure as failure:
        again = f"FIRST={number} tests/kill/run {trouble} BUILD 1 {seed}"
        return f"{number:4d} FAILED: {failure}; the files are in {os.getcwd()}; again: {again}", what, None
    finally:
        os.chdir(here)


def main():
    trouble, mpirun, program, *rest = sys.argv[1:]
    arguments = [os.path.abspath(mpirun), os.path.abspath(program)] + ([os.path.abspath(rest.pop(0))] if trouble in ("late", "fault", "lag") else [])
    count, seed = int(rest[0]), int(rest[1]) if len(rest) > 1 else 1
    first, begin = int(os.environ.get("FIRST", "1")), time.monotonic()
    print(f"seed {seed}")
    cases, failures, longest = collections.Counter(), collections.Counter(), 0
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("JOBS", "1")), context) as pool:
        futures = [pool.submit(one_case, n, trouble, seed, arguments) for n in range(first, first + count)]
        for number, future in enumerate(futures, first):
            line, what, seconds = future.result()
            print(line, flush=True)
            cases[what] += 1
            failures[what] += seconds is None
            if seconds is not None:
                longest = max(longest, seconds)
                shutil.rmtree(f"run.{number}")
    for what, number in sorted(cases.items()):
        print(f"{what}: {number} cases, {failures[what]} failed")
    print(f"{count} {trouble}s, {failures.total()} failed; {time.monotonic() - begin:.0f} s; killed runs ended after {longest:.1f} s at most")
    sys.exit(1 if failures.total() else 0)


main()
