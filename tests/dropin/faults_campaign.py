"""Faults under unmodified programs: faulty.c (PnetCDF) and netcdf4_faulty.c by sv-run, with one operation failing, or a rank killed, in each job.

    faults_campaign.py BUILD COUNT [SEED]
    faults_campaign.py BUILD again KIND FAULT [VARIABLE=value ...] [then KIND ...]      these cases, with their output

Each configuration first runs without a fault, which counts the operations of each sort, and leaves the bytes that are
right. Then COUNT faults, of all sorts and configurations in turn. A case is right if
  - success was returned, and the file has the same bytes (netCDF-4: the same values); or an error was returned: on every rank, by ncmpi_close at the latest, and by
    ncmpi_close in any case, unless a netCDF-4 file was begun anew and is whole;
  - of the file with its name, all records that count are right, and those that ncmpi_sync had promised are there; a file that is
    published when it is closed has its name only if it is whole. Where a netCDF-4 file was killed, or could not be written any more, in
    the middle of a commit, a program opens it to write by sv-run first;
  - the job ends, also where a rank was killed.
JOBS: so many at a time (2). KINDS, FAULTS: only these, separated by commas. WITHIN: the seconds after which no more cases begin. LIMIT: seconds of a job (60). Exit status 1 if a case failed, 77 without the shim."""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from dealing import dealt  # noqa: E402

RANKS, LIMIT = 3, int(os.environ.get("LIMIT", "60"))
MPIRUN = pathlib.Path(__file__).resolve().parents[2] / "scripts/mpirun"
KINDS = ["collective", "posted", "buffered", "alone", "redefined", "appended", "unsynced", "filled"]
WAYS = [{}, {"SV_DURABILITY": "on_disk"}, {"SV_KIND": "growing", "SV_DURABILITY": "on_disk"}, {"SV_ASYNC": "threads"},
        {"SV_ASYNC": "threads", "SV_DURABILITY": "on_disk", "SV_KIND": "growing"}, {"SV_WRITERS": "2", "SV_FILE_SYSTEM_STRIPE": "4096", "SV_TESTING_RANKS_PER_NODE": "2"}]
# By the functions that the shim counts: the faults of their operations.
SORTS = {"write": (r"p?writev?2?|pwrite64|aio_write", ["eio", "enospc", "short", "kill"]), "sync": (r"f(data)?sync", ["fsync"]), "rename": ("rename", ["rename"]),
         "open": ("open", ["open"]), "truncate": ("ftruncate", ["truncate"]), "unlink": ("unlink", ["unlink"]), "read": (r"p?readv?2?|pread64", ["read"])}
# Of netCDF-4, in which the bytes of two runs differ. Such a file has its name from the first nc_sync on.
KINDS4 = ["netcdf4", "netcdf4_plain", "netcdf4_redefined", "netcdf4_appended"]
SERIAL4 = ["netcdf4_serial", "netcdf4_serial_redefined", "netcdf4_serial_appended"]
SMALL = SERIAL4[-1]  # until it is synchronised a second time, netCDF writes it, whose nc_close does not report earlier errors, or crashes then
WAYS4 = [{}, {"SV_DURABILITY": "on_disk"}, {"SV_ASYNC": "threads"}, {"SV_TESTING_RANKS_PER_NODE": "2"}]
WAYS_SERIAL = [{}, {"SV_DURABILITY": "on_disk"}]
RECORDS = 4
Case = collections.namedtuple("Case", "kind fault way")


class Runner:
    def __init__(self, build):
        self.build = build
        self.folder = build / "tests/work/dropin/faulty"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.bases, self.making_base = {}, threading.Lock()
        self.environment = {**os.environ, "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_io": "^ompio"}

    def program(self, kind):
        return str(self.build / "tests" / ("dropin_netcdf4_faulty" if is_netcdf4(kind) else "dropin_faulty"))

    def base(self, kind):
        """A file to which records are appended."""
        of = "netcdf4" if is_netcdf4(kind) else "collective"
        with self.making_base:
            if of not in self.bases:
                self.bases[of] = self.folder / f"base.{of}"
                self.bases[of].mkdir()
                assert self.start(self.bases[of], of)[1] == 0
        return self.bases[of] / "f.nc"

    def start(self, folder, kind, *head, **variables):
        """The output of the job, or None if it hangs; and its status."""
        command = [*head, *launcher(ranks_of(kind)), self.program(kind), kind, str(folder / "f.nc")]
        process = subprocess.Popen(command, env={**self.environment, **variables}, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace")
        try:
            said, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.communicate()
            return None, -1
        return said, process.returncode

    def case(self, number, case, *, is_carried=True):
        folder = self.folder / f"case.{number}{'' if is_carried else '.alone'}"
        folder.mkdir()
        if is_appended(case.kind):
            shutil.copy(self.base(case.kind), folder)
        variables = {"LD_PRELOAD": str(self.build / "lib/libsv_shim.so"), "SV_INJECT_DIR": str(folder), "SV_INJECT_MATCH": "f.nc*", **case.way}
        if case.fault == "count":
            variables["SV_SHIM_COUNTS"] = str(folder / "counts.json")
            variables["SV_SHIM_DIR"] = str(folder)
        else:
            variables["SV_INJECT"] = case.fault
        return folder, *self.start(folder, case.kind, *([str(self.build / "bin/sv-run")] if is_carried else []), **variables)

    def checked(self, folder, kind, least, is_interrupted=False):
        wrong, journal = self.checked_as_it_is(folder, kind, least), folder / "f.nc.journal"
        if wrong is None or not is_interrupted or not journal.exists() or journal.stat().st_size == 0:
            return wrong
        appended = SERIAL4[-1] if ranks_of(kind) == 0 else KINDS4[-1]
        said, status = self.start(folder, appended + "_nothing", str(self.build / "bin/sv-run"))
        if status != 0 or set(codes_of(said)) != {(0, 0)} or journal.exists():
            return f"an interrupted commit is not completed: {said}"
        return self.checked_as_it_is(folder, kind, least)

    def checked_as_it_is(self, folder, kind, least):
        done = subprocess.run([*launcher(0 if is_netcdf4(kind) else 1), self.program(kind), "check", str(folder / "f.nc"), str(least)], env=self.environment,
                              capture_output=True, text=True, timeout=LIMIT)
        return None if done.returncode == 0 else f"the file is wrong: {done.returncode} {done.stdout}{done.stderr[-300:]}"

    def is_whole(self, folder, kind, whole):
        if is_netcdf4(kind):
            return (folder / "f.nc").exists() and self.checked(folder, kind, RECORDS * (2 if is_appended(kind) else 1)) is None
        return (folder / "f.nc").read_bytes() == whole


def is_netcdf4(kind):
    return kind.startswith("netcdf4")


def ranks_of(kind):
    """0: a program without MPI."""
    return 0 if "serial" in kind else RANKS


def launcher(ranks):
    return [str(MPIRUN), str(ranks)] if ranks > 0 else []


def is_appended(kind):
    return kind.endswith("appended")


def codes_of(said):
    return [(int(first), int(close)) for first, close in re.findall(r"^RANK \d+ first=(-?\d+) call=.*? close=(-?\d+)$", said, flags=re.M)]


def judged(runner, number, case, result, whole):
    """(the case, its error or None)."""
    folder, said, status = result
    if said is None:
        return "failed", "it hangs"
    synced = max([int(each) for each in re.findall(r"^SYNCED (\d+)$", said, flags=re.M)] or [RECORDS if is_appended(case.kind) else 0])
    there, codes = (folder / "f.nc").exists(), codes_of(said)
    left, ranks = "left to " in said, max(ranks_of(case.kind), 1)
    is_of_library = case.kind == SMALL and synced <= RECORDS + 1
    is_growing = case.way.get("SV_KIND") == "growing" or is_appended(case.kind) or is_netcdf4(case.kind)
    kind_of_file = "growing" if is_growing else "published"
    if case.fault.startswith("kill"):
        if status == 0 and len(codes) == ranks and all(each == (0, 0) for each in codes):
            return "harmless", None if runner.is_whole(folder, case.kind, whole) else "success was returned, and the file differs"
        if kind_of_file == "published" and there and (folder / "f.nc").read_bytes() != whole:
            return "failed", "the file has its name, and is not whole"
        if is_of_library:
            return "left to the library", None
        least = synced if kind_of_file == "growing" else 0
        return "killed", runner.checked(folder, case.kind, least, is_netcdf4(case.kind)) if there else None
    if len(codes) != ranks:
        if is_of_library and status == 128 + signal.SIGSEGV and runner.case(number, case, is_carried=False)[2] == -signal.SIGSEGV:
            return "left to the library", None
        return "failed", f"the job ended with {status}"
    if all(each == (0, 0) for each in codes):
        good = there and runner.is_whole(folder, case.kind, whole)
        if left:
            return "left to the library", None
        return ("harmless", None) if good else ("failed", "success was returned, and the file differs")
    if left:
        return "left to the library", None
    if case.fault.startswith("short"):
        return "failed", "that is no error"
    if case.kind == SMALL and codes[0][0] != 0 and codes[0][1] == 0:
        return "left to the library", None
    # A later call begins the file anew, where enddef could not.
    if is_netcdf4(case.kind) and all(first != 0 and close == 0 for first, close in codes) and there and runner.is_whole(folder, case.kind, whole):
        return "reported", None
    if any(0 in each for each in codes):
        return "failed", "not every rank returned an error, and by its close"
    if kind_of_file == "published":
        return "reported", "the file has its name, and is not whole" if there and (folder / "f.nc").read_bytes() != whole else None
    lasts = ".." not in case.fault  # nothing can be undone
    return "reported", runner.checked(folder, case.kind, synced, lasts and is_netcdf4(case.kind))


def faults_at(counts):
    for pattern, kinds in SORTS.values():
        most = sum(each["calls"] for name, each in counts.items() if re.fullmatch(pattern, name))
        for kind in kinds:
            for at in range(1, most + 1):
                yield f"{kind}@{at}..{at}"
                if kind not in ("kill", "short"):
                    yield f"{kind}@{at}"


def counted(runner, case, number):
    folder, said, status = runner.case(number, case)
    assert status == 0 and all(each == (0, 0) for each in codes_of(said)) and "carried 1 of 1" in said, f"{case}\n{said}"
    counts = json.loads((folder / "counts.json").read_text())
    return list(faults_at(counts.get("functions", counts))), (folder / "f.nc").read_bytes()


def again(runner, cases):
    bad = 0
    for number, words in enumerate(each.split() for each in cases):
        case = Case(words[0], words[1], dict(each.split("=", 1) for each in words[2:]))
        _, whole = counted(runner, Case(case.kind, "count", case.way), f"count.{number}")
        result = runner.case(number, case)
        column, wrong = judged(runner, number, case, result, whole)
        print(f"{result[1]}{' '.join(words)}: {column} {wrong or ''}")
        bad += wrong is not None
    return bad > 0


def main():
    build, begin = pathlib.Path(sys.argv[1]).resolve(), time.monotonic()
    if not (build / "lib/libsv_shim.so").exists():
        print("no shim in this build")
        return 77
    runner, last = Runner(build), begin + float(os.environ.get("WITHIN", "inf"))
    if sys.argv[2] == "again":
        return again(runner, " ".join(sys.argv[3:]).split(" then "))
    count, seed = int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    plain = [Case(kind, "count", way) for kind in KINDS for way in WAYS]
    if (build / "tests/dropin_netcdf4_faulty").exists():
        plain += [Case(kind, "count", way) for kind in KINDS4 for way in WAYS4]
        plain += [Case(kind, "count", way) for kind in SERIAL4 for way in WAYS_SERIAL]
    if kinds := os.environ.get("KINDS"):
        plain = [case for case in plain if case.kind in kinds.split(",")]
    wanted = os.environ.get("FAULTS")
    table, wholes, groups, failed = collections.Counter(), {}, collections.defaultdict(list), 0
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for case, (faults, whole) in zip(plain, pool.map(lambda each: counted(runner, each[1], f"count.{each[0]}"), enumerate(plain))):
            wholes[case.kind, str(case.way)] = whole
            for fault in faults:
                if wanted and fault.split("@")[0] not in wanted.split(","):
                    continue
                groups[case.kind, str(case.way), fault.split("@")[0]].append(Case(case.kind, fault, case.way))
        print(f"{len(plain)} configurations, {sum(map(len, groups.values()))} faults are possible", flush=True)
        chosen = list(itertools.islice(dealt(list(groups.values()), random.Random(seed)), count))

        def carried_out(numbered):
            number, case = numbered
            if time.monotonic() > last:
                return case, None
            result = runner.case(number, case)
            return case, (*judged(runner, number, case, result, wholes[case.kind, str(case.way)]), result)

        for case, outcome in pool.map(carried_out, enumerate(chosen)):
            if outcome is None:
                continue
            column, wrong, result = outcome
            way = " ".join(f"{key}={value}" for key, value in case.way.items())
            print(f"{case.kind} {case.fault} {way}: {column}", flush=True)
            table["failed" if wrong else column] += 1
            if wrong:
                failed += 1
                print(f"FAILED: {wrong}\n{(result[1] or '')[-1500:]}\n  again: tests/dropin/faults_campaign.py BUILD again {case.kind} {case.fault} {way}", flush=True)
            else:
                shutil.rmtree(result[0])
    print(", ".join(f"{number} {column}" for column, number in sorted(table.items())))
    print(f"{table.total()} faults, {failed} failed; {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


sys.exit(main())
