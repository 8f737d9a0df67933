"""Faults at every operation of small runs, many runs in each MPI job: tests/faults/victim makes them, judge checks the files.

campaign.py BUILD COUNT [SEED]     COUNT cases, of all configurations and kinds of fault alike
campaign.py BUILD again KIND FAULT [option=value ...] [then KIND ...]     one case, or several in a job, with the program's output

A configuration (store, route, servers, kind of file) first runs without a fault, which counts the operations of each
sort. Then each of them fails: alone, or with all that follow. It stops at no failure: each one gets a line with the command that
repeats it. From the environment: STORES and KINDS, the only ones to try; ONLY, words of which each must stand in the options of a
configuration; SIZE=large, slabs of several pages, written in
several pieces at a time and past the page cache; FOLDER, where the runs have theirs, and SCRATCH, where killed ranks of Open MPI leave
what they have in /dev/shm (the folder of the runs); JOBS, so many jobs at a time (1); WITHIN, the seconds after which it begins no more cases. The cases come in turn, one of
each configuration and kind of fault and then another of each, so that a run that ends early has tried all alike. Exit status 1 if a case
failed, 77 without the shim."""
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from dealing import dealt  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MPIRUN = HERE.parent.parent / "scripts" / "mpirun"
RANKS, BATCH, LIMIT = 4, 150, 30
SLOW = float(os.environ.get("SV_TEST_SLOW", "1"))
LAST_MOMENT = time.monotonic() + float(os.environ.get("WITHIN", "inf"))

NEW = ["published", "growing", "series", "requests", "points"]
OLD = ["appended", "stayed", "moved"]
PER_CHUNK = "chunks=1,1,6,10"  # several files for each record
CONFIGURATIONS = {
    "cdf": (NEW + OLD, ["route=auto", "route=shared testing.ranks_per_node=2", "writers=3 file_system.stripe=4096", "route=serial transport=send",
                        "route=auto durability=on_disk", "writers=2 file_system.stripe=4096 durability=on_disk", "combine=step",
                        "combine=step writers=2 file_system.stripe=4096", "async=servers:1", "async=servers:2 file_system.stripe=4096 durability=on_disk",
                        "async=servers:1 testing.ranks_per_node=2 combine=step",
                        "async=threads", "async=threads testing.ranks_per_node=2 file_system.stripe=4096", "async=threads durability=on_disk combine=step",
                        "async=auto:1 testing.turns=1,1,1"]),
    "pnetcdf": (NEW[:3] + ["points", "appended"], ["writers=3 file_system.stripe=4096", "route=shared durability=on_disk", "async=servers:2 file_system.stripe=4096"]),
    "netcdf4": (NEW[:4] + ["appended"], ["compression=deflate:1", "compression=deflate:1 writers=2 durability=on_disk", "writers=3", "route=serial", "compression=deflate:1 async=servers:1",
                                         "compression=deflate:1 async=threads", "async=threads durability=on_disk",
                                         "compression=deflate:1 async=auto:1 testing.turns=1,1,1", "async=auto:1 testing.turns=1,1,1 durability=on_disk"]),
    "zarr": (["replaced", "growing", "series", "requests", "appended"],
             ["", "compression=zstd:1 writers=2 " + PER_CHUNK, "chunks.shards=auto writers=3", "route=serial", "async=servers:1 durability=on_disk",
              "compression=zstd:1 async=threads " + PER_CHUNK, "chunks.shards=auto async=threads durability=on_disk",
              "compression=zstd:1 async=auto:1 testing.turns=1,1,1 " + PER_CHUNK, "chunks.shards=auto async=auto:1 testing.turns=1,1,1 durability=on_disk"]),
    "netcdf4_library": (NEW[:4] + ["appended"], ["writers=3", "compression=deflate:1 writers=2 durability=on_disk", "route=serial", "async=servers:1"]),
}
DIVIDED = {"cdf": ["writers=2 file_system.stripe=4096", "durability=on_disk", "async=servers:1", "async=threads"],
           "netcdf4": ["compression=deflate:1 writers=2", "durability=on_disk"]}
SETS = ["route=per_pe", "route=per_domain io_layout=1,2", "route=per_pe durability=on_disk", "route=per_pe async=threads",
        "route=per_domain io_layout=1,2 async=threads durability=on_disk"]
LARGE = {"cdf": (["published", "growing", "series", "appended", "moved"],
                 ["file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on", "writers=2 file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on durability=on_disk",
                  "async=servers:1 file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on", "async=threads file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on durability=on_disk",
                  "combine=step file_system.stripe=4096 file_system.write_depth=3"]),
         "netcdf4": (["published", "appended"], ["file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on", "file_system.stripe=4096 file_system.write_depth=4 file_system.direct_io=on async=threads"])}
IS_LARGE = os.environ.get("SIZE") == "large"
SUFFIX = "_large" if IS_LARGE else ""  # of the programs
SORTS = ["eio", "read", "fsync", "close", "rename", "open", "truncate", "allocate", "unlink", "delay"]  # as victim counts them

Case = collections.namedtuple("Case", "kind fault options")


def store_of(case):
    return case.options.split()[0].split("=")[1]


def configurations(stores):
    """All buffers are small: their first touch would take longer than the rest of a case."""
    for store in stores:
        kinds, options = LARGE.get(store, ([], [])) if IS_LARGE else CONFIGURATIONS[store]
        for kind in kinds:
            for each in options:
                if not (store == "cdf" and kind == "points" and "combine" in each):
                    yield kind, f"store={store} watchdog={10 if store == 'cdf' else 6} transport.window=64KiB async.memory=1MiB {each}".strip()
        for each in [] if IS_LARGE else DIVIDED.get(store, []):
            yield "divided", f"store={store} layout=per_variable watchdog={10 if store == 'cdf' else 6} transport.window=64KiB async.memory=1MiB {each}"
    for each in SETS if "cdf" in stores and not IS_LARGE else []:
        yield "set", f"store=cdf watchdog=10 transport.window=64KiB async.memory=1MiB {each}"


class Judge:
    """The checker, which is started again where a file brings it down."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None

    def verdict(self, words):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.program], cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                            env={**os.environ, "HDF5_USE_FILE_LOCKING": "FALSE"})
        try:
            self.process.stdin.write(words + "\n")
            self.process.stdin.flush()
            return self.process.stdout.readline().strip() or "BAD the file brings netCDF-C down"
        except BrokenPipeError:
            return "BAD the file brings netCDF-C down"


class Runner:
    """Runs cases, several in a job, in a folder of its own."""

    def __init__(self, build, name):
        self.build = build
        self.folder = pathlib.Path(os.environ.get("FOLDER", build / "tests" / "work")) / "faults" / (name + SUFFIX)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.judge = Judge(build / "tests" / f"faults_judge{SUFFIX}", self.folder)
        self.unended = 0  # jobs whose cases have ended, but which have not

    def run(self, cases):
        """Yields (case, fields of END or None, committed, what the program said, verdict)."""
        done = 0
        while done < len(cases) and time.monotonic() < LAST_MOMENT:
            for result in self.job(cases, done):
                done += 1
                yield result

    def job(self, cases, first):
        for template in self.folder.glob("template_*"):
            shutil.rmtree(template)
        with open(self.folder / "cases", "w", encoding="ascii") as out:
            out.writelines(f"{n} {case.kind} {case.fault} {case.options}\n" for n, case in enumerate(cases))
        environment = {"LD_PRELOAD": str(self.build / "lib" / "libsv_shim.so"), "SV_INJECT_DIR": str(self.folder),
                       "OMPI_MCA_btl_vader_backing_directory": os.environ.get("SCRATCH", str(self.folder))}
        process = subprocess.Popen([MPIRUN, str(RANKS), self.build / "tests" / f"faults_victim{SUFFIX}", "cases", str(first)], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                                   env={**os.environ, **environment})
        late = threading.Event()

        def end():
            late.set()
            process.terminate()

        at, committed, said, running = first, 0, [], False
        timer = threading.Timer(LIMIT * SLOW, end)
        timer.start()
        for line in process.stdout:
            if line.startswith(("BEGIN ", "COMMIT ", "END ", "DONE")):
                timer.cancel()
                timer = threading.Timer(LIMIT * SLOW, end)
                timer.start()
            if line.startswith("BEGIN "):
                committed, said, running = 0, [], True
            elif line.startswith("COMMIT "):
                committed = int(line.split()[2])
            elif line.startswith("END "):
                fields = dict(word.split("=", 1) for word in line.split(" call=")[0].split()[2:])
                fields["call"] = line.split(" call=", 1)[1].strip()
                yield self.judged(cases, at, fields, max(committed, int(fields["committed"])), said)
                at, running = at + 1, False
                if time.monotonic() > LAST_MOMENT:
                    process.terminate()
                    break
            else:
                said.append(line)
        timer.cancel()
        process.wait()
        if running or at == first:
            yield self.judged(cases, at, None, committed, said + (["it hangs"] if late.is_set() else []))
        elif at == len(cases) and process.returncode != 0:
            self.unended += 1
            print(f"FAILED: after its cases a job ended with status {process.returncode}: {cases[-1].options}\n{''.join(said)}", flush=True)

    def copied(self, folder):
        """Makes CDF files of Zarr groups. Returns the error of one that cannot be copied."""
        for group in sorted(path for path in folder.glob("*.nc") if path.is_dir()):
            made = subprocess.run([self.build / "bin" / "sv-copy", "-q", "--store", "cdf", "--format", "cdf5", group, folder / "copy"],
                                  capture_output=True, text=True, check=False,
                                  # Ranks without a launcher have, and remove, directories of one name.
                                  env={**os.environ, "OMPI_MCA_orte_tmpdir_base": str(self.folder)})
            if made.returncode != 0:
                return f"BAD {group.name} cannot be read: {made.stderr.strip()}"
            shutil.rmtree(group)
            (folder / "copy").rename(group)
        return None

    def judged(self, cases, n, fields, committed, said):
        case = cases[n]
        status = fields["status"] if fields else "16"
        verdict = self.copied(self.folder / str(n)) or self.judge.verdict(f"{n} {case.kind} {status} {committed}")
        shutil.rmtree(self.folder / str(n), ignore_errors=True)
        return case, fields, committed, "".join(said), verdict


def outcome_of(case, fields, said, verdict):
    """(column of the table, the error or None)."""
    library, fault = store_of(case) not in ("cdf", "zarr"), case.fault.split("@")[0]
    wrong = None if verdict.startswith("OK") else verdict
    if fields is None:
        ended = "The job is ended" in said or "the watchdog gave up" in said
        if "it hangs" in said or not ended or not library:
            return "failed", "it hangs" if "it hangs" in said else "the job ended: " + said[-600:]
        # A library whose own call has not returned on any rank gives no reason.
        column = "ended" if "has failed, and the other writers do not notice" in said else "untold"
    else:
        column = "harmless" if fields["status"] == "0" else "reported"
        if fields["same"] != "1":
            wrong = wrong or "ranks got different things"
        if fields["status"] != "0" and fault in ("short", "delay"):
            wrong = wrong or "that is no error"
    if wrong and store_of(case) == "netcdf4_library" and column != "harmless" and verdict.startswith("BAD"):
        return "not promised", None  # HDF5 changes its metadata in place: docs/stores.md
    return ("failed", wrong) if wrong else (column, None)


def faults_at(counts):
    """Every fault for a configuration that makes so many operations."""
    for sort, count in zip(SORTS, counts):
        kinds = ["eio", "enospc", "short"] if sort == "eio" else [sort]
        for kind in kinds:
            for at in range(1, count + 1):
                yield f"{kind}@{at}..{at}"
                if kind != "delay":
                    yield f"{kind}@{at}"


class Campaign:
    def __init__(self, build):
        self.build, self.lock = build, threading.Lock()
        self.table = collections.defaultdict(collections.Counter)
        self.number = self.unended = 0

    def take(self, runner, cases):
        for case, fields, _, said, verdict in runner.run(cases):
            column, wrong = outcome_of(case, fields, said, verdict)
            shown = f"status {fields['status']} after {fields['seconds']} s {fields['call'][:160]}" if fields else "the job was ended"
            again = f"{'SIZE=large ' if IS_LARGE else ''}tests/faults/campaign.py BUILD again {case.kind} {case.fault} {case.options}"
            with self.lock:
                self.number += 1
                self.table[f"{store_of(case)} {case.kind}"][column] += 1
                print(f"{self.number:5d} {case.kind} {case.fault} {case.options}: {column}; {shown}; {verdict}", flush=True)
                if wrong:
                    print(f"FAILED: {wrong}\n  again: {again}", flush=True)
                if column == "untold":
                    print(f"UNTOLD: {said}  again: {again}", flush=True)
        with self.lock:
            self.unended += runner.unended

    def summary(self, seconds):
        columns = ["reported", "harmless", "ended", "untold", "not promised", "failed"]
        print("\n| store, kind | cases | " + " | ".join(columns) + " |\n| --- |" + " --- |" * (len(columns) + 1))
        total = collections.Counter()
        for row, counts in sorted(self.table.items()):
            print(f"| {row} | {counts.total()} | " + " | ".join(str(counts[column]) for column in columns) + " |")
            total += counts
        print(f"| all | {total.total()} | " + " | ".join(str(total[column]) for column in columns) + " |")
        print(f"\n{total.total()} faults, {total['failed']} failed, {self.unended} jobs did not end; {seconds:.0f} s")
        return total["failed"] + self.unended


def chosen_cases(build, stores, count, seed):
    """Counts the operations of each configuration, and chooses among what could fail."""
    kinds, only = os.environ.get("KINDS", "").split(), os.environ.get("ONLY", "").split()
    plain = [Case(kind, "count", options) for kind, options in configurations(stores)
             if (not kinds or kind in kinds) and all(word in options for word in only)]
    groups = collections.defaultdict(list)
    for case, fields, _, said, verdict in Runner(build, "count").run(plain):
        if fields is None or fields["status"] != "0" or not verdict.startswith("OK"):
            sys.exit(f"FAILED without a fault: {case}: {fields} {verdict}\n{said}")
        counts = [int(number) for number in fields["operations"].split(",")]
        for fault in faults_at(counts):
            groups[case.kind, case.options, fault.split("@")[0]].append(Case(case.kind, fault, case.options))
    print(f"{len(plain)} configurations, {sum(map(len, groups.values()))} faults are possible", flush=True)
    return list(itertools.islice(dealt(groups.values(), random.Random(seed)), count))


def again(build, words):
    cases, bad = [], False
    for each in " ".join(words).split(" then "):
        kind, fault, options = each.split(" ", 2)
        cases.append(Case(kind, fault, options))
    runner = Runner(build, "again")
    for found, fields, _, said, verdict in runner.run(cases):
        column, wrong = outcome_of(found, fields, said, verdict)
        print(f"{said}{fields}\n{verdict}\n{column}{': ' + wrong if wrong else ''}")
        bad = bad or wrong or column == "untold"
    return 1 if bad or runner.unended else 0


def main():
    build, begin = pathlib.Path(sys.argv[1]).resolve(), time.monotonic()
    if not (build / "lib" / "libsv_shim.so").exists():
        print("no shim in this build")
        return 77
    if sys.argv[2] == "again":
        return again(build, sys.argv[3:])
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    built = ["cdf"] + [path.stem[6:] for path in sorted((build / "lib" / "sverdrup").glob("store_*.so"))]
    stores = [store for store in os.environ.get("STORES", " ".join(built)).split() if store in built]
    cases = chosen_cases(build, stores, count, seed)
    batches = [cases[n:n + BATCH] for n in range(0, len(cases), BATCH)]
    campaign = Campaign(build)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1"))) as pool:
        for each in [pool.submit(lambda n=n, batch=batch: campaign.take(Runner(build, f"batch.{n}"), batch))
                     for n, batch in enumerate(batches)]:
            each.result()
    return 1 if campaign.summary(time.monotonic() - begin) else 0


sys.exit(main())
