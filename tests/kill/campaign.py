"""Ends tests/kill/writer at random moments and checks its files, by value, with netCDF-C.

campaign.py kill MPIRUN WRITER COUNT [SEED]        SIGKILL to all ranks, one rank, a server or the launcher, then a restart
                                                   from an earlier step
campaign.py leftovers MPIRUN WRITER COUNT [SEED]   four kills, one run after the other from the first step on: each begins the files whose
                                                   parts, header copies and published predecessors the killed ones have left
campaign.py pieces MPIRUN WRITER COUNT [SEED]      the same as kill with a file for each variable, or netCDF-4 files, or both; their files
                                                   are read through sv-copy, as sv_open sees it
campaign.py zarr MPIRUN WRITER COUNT [SEED]        the same in Zarr
campaign.py late MPIRUN WRITER SHIM COUNT [SEED]   the same where servers or threads lag behind the calls on a slow device, and sv_flush
                                                   comes seldom or never; also the death of the process that makes a certain write
campaign.py fault MPIRUN WRITER SHIM COUNT [SEED]  a full disk or a failing operation, then the same restart
campaign.py lag MPIRUN WRITER SHIM COUNT [SEED]    SIGKILL with `durability: ordered` on a slow disk: which records count,
                                                   then the same restart

It stops at no failure: each gets a line with the command that repeats it, and keeps its folder. JOBS from the environment: so
many at a time (1); FIRST: the number of the first case (1); ONLY: takes only rows of options with all of these words, so that the
command which repeats a case needs it, too; SCRATCH: where killed ranks of Open MPI leave what they have in /dev/shm and /tmp (the folder of the
run). Exit status 77: no netCDF4 here. Ranks may be on several hosts (MPIEXEC=scripts/hosts/mpiexec), which ssh reaches by their names."""
import collections
import concurrent.futures
import faulthandler
import glob
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import sys
import time

from killed_runs import ENDS, Writer
from left_behind import (DAY_STEPS, Failure, SLOW, check_each_file, check_lag, check_left, check_steps, check_whole, fail, read_commits,
                         records_of, run_program, steps_begun)

OPTIONS = [[], ["route=shared"], ["route=row"], ["route=column", "writers=2"], ["route=serial"], ["route=ranges", "writers=2"],
           ["testing.ranks_per_node=2"], ["testing.ranks_per_node=2", "route=row", "transport.window=64KiB"], ["transport=send"],
           ["durability=on_disk"], ["combine=step"], ["file_system.stripe=4096", "writers=3"], ["file_system.write_depth=3", "file_system.direct_io=on", "file_system.stripe=4096"]]
SERVED = [["async=servers:1"], ["async=servers:1", "durability=on_disk"], ["async=servers:2"], ["async=servers:1", "testing.ranks_per_node=2"],
          ["async=servers:2", "file_system.stripe=4096", "transport.window=64KiB"], ["async=servers:1", "combine=step"], ["async=servers:1", "durability=ordered"]]
THREADS = [["async=threads"], ["async=threads", "testing.ranks_per_node=2"], ["async=threads", "durability=on_disk"],
           ["async=threads", "combine=step", "testing.ranks_per_node=2"], ["async=threads", "durability=ordered"],
           ["async=threads", "async.memory=1MiB", "file_system.stripe=4096"],
           ["async=threads", "file_system.write_depth=3", "file_system.direct_io=on", "file_system.stripe=4096"]]
# Ranks that are kept ready: the calls, threads and servers take turns.
READY = [["async=auto:1", "testing.turns=2,1,3"], ["async=auto:1", "testing.turns=3,2,9", "testing.ranks_per_node=2"],
         ["async=auto:2", "testing.turns=1,1,1", "file_system.stripe=4096"], ["async=auto:1", "testing.turns=4,1,4", "durability=on_disk"],
         ["async=auto:1", "testing.turns=2,2,5", "durability=ordered"], ["async=auto:1", "testing.turns=1,1,2", "combine=step"]]
LIBRARY = [["store=pnetcdf"], ["store=pnetcdf", "writers=2"]]
ORDERED = ["durability=ordered"]
VICTIMS = ["all", "rank", "server", "launcher"]
FLUSHES = [1, 7, 0]  # sv_flush in every so many steps, where servers or threads write; 0: never
DEVICES = ["1GB/s", "20MB/s,1ms", "5MB/s"]


def only(rows):
    """The rows of options that ONLY leaves."""
    words = os.environ.get("ONLY", "").split()
    return [row for row in rows if all(word in row for word in words)]


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
    """Of servers, also of those on standby."""
    values = [re.split("[=:]", each)[-1] for each in options if each.startswith(key + "=")]
    return max([0] + [int(value) for value in values if value.isdigit()])


def ranks_for(options, dice):
    """As many as the writers and servers that are asked for, at least."""
    servers = number_in(options, "async")
    return dice.randint(max(1, number_in(options, "writers")), 5 - servers) + servers


def choice(program, dice):
    """Whom to kill, the options of the run, its servers and its ranks."""
    library = pathlib.Path(program).parent.parent / "lib" / "sverdrup" / "store_pnetcdf.so"
    serving = SERVED + READY
    whom = dice.choice([each for each in VICTIMS if each != "server" or only(serving)])
    options = dice.choice(only(serving if whom == "server" else OPTIONS + serving + THREADS + (LIBRARY if library.exists() else [])))
    servers = number_in(options, "async")
    if servers:
        options = [*options, "async.placement=last"]
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
        # Counted data of an older run would be taken for those of this one; files without a name stay.
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


PIECES = [["layout=per_variable"], ["layout=per_variable", "durability=on_disk"], ["layout=per_variable", "async=servers:1"],
          ["layout=per_variable", "async=servers:2"], ["layout=per_variable", "async=threads"],
          ["layout=per_variable", "async=threads", "testing.ranks_per_node=2"], ["layout=per_variable", "combine=step", "writers=2"],
          ["layout=per_variable", "store=netcdf4"], ["layout=per_variable", "store=netcdf4", "compression=deflate:1", "writers=2"],
          ["layout=per_variable", "store=netcdf4", "async=servers:1"], ["store=netcdf4"], ["store=netcdf4", "compression=deflate:1", "writers=2"],
          ["store=netcdf4", "compression=deflate:1", "durability=on_disk"], ["store=netcdf4", "async=servers:1"],
          ["store=netcdf4", "compression=deflate:1", "async=servers:2"], ["store=netcdf4", "async=threads"],
          ["store=netcdf4", "compression=deflate:1", "async=threads"], ["store=netcdf4", "async=auto:1", "testing.turns=2,1,3"],
          ["store=netcdf4", "compression=deflate:1", "async=auto:2", "testing.turns=1,1,1"],
          ["layout=per_variable", "async=auto:1", "testing.turns=2,1,3"]]
ZARR = [["store=zarr"], ["store=zarr", "compression=zstd:1", "chunks=1,1,12,40", "writers=2"], ["store=zarr", "chunks.shards=auto", "durability=on_disk"],
        ["store=zarr", "async=servers:1"], ["store=zarr", "async=threads"],
        ["store=zarr", "compression=zstd:1", "chunks.shards=auto", "async=threads", "testing.ranks_per_node=2"],
        ["store=zarr", "async=auto:1", "testing.turns=2,1,3"],
        ["store=zarr", "compression=zstd:1", "chunks.shards=auto", "async=auto:1", "testing.turns=1,1,2", "testing.ranks_per_node=2"]]


def sampled(names, dice):
    """The growing file, the last ones of the other kinds, which a kill may have met, and two more: to copy all takes longer than
    to make them."""
    chosen = set()
    for kind in ("growing", "published_", "series_"):
        chosen |= set([name for name in names if name.startswith(kind)][-2:])
    others = [name for name in names if name not in chosen]
    return sorted(chosen | set(dice.sample(others, min(2, len(others)))))


def copy_log(names):
    """Its lines on these files, and on steps."""
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


def zarr(mpirun, program, dice):
    return pieces(mpirun, program, dice, ZARR)


def pieces(mpirun, program, dice, kinds=None):
    options = dice.choice(only(kinds or PIECES))
    servers, divided = number_in(options, "async"), "layout=per_variable" in options
    whom = dice.choice([each for each in VICTIMS if each != "server" or servers])
    if servers:
        options = [*options, "async.placement=last"]
    ranks = max(ranks_for(options, dice), 2 if whom == "rank" else 1) + (servers if whom == "rank" else 0)
    flush = dice.choice(FLUSHES)
    run = Writer(mpirun, program, ranks, ["0", "log=log", f"flush={flush}", *options])
    # Soon: the files are copied, which takes longer than to make them.
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
    servers, flush, device = number_in(options, "async"), dice.choice(FLUSHES), dice.choice(DEVICES)
    whom = dice.choice([each for each in [*VICTIMS, "writing"] if each != "server" or servers])
    if servers:
        options = [*options, "async.placement=last"]
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
    """In a folder of its own, which is left if it fails. Returns its line, its actions, and how long a killed run took to end, or None
    after an error."""
    here, folder = os.getcwd(), f"run.{number}"
    faulthandler.dump_traceback_later(400 * SLOW)  # a case of this campaign that does not end shows where
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
